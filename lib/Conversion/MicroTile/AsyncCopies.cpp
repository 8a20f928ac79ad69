//===- AsyncCopies.cpp - Global to shared memory without registers --------===//
//
// A thread's part of a tile.copy is a lane.copy for each run that is contiguous on
// both sides. A tile that is turned on its way has runs of one element. What lies
// outside a zero edge arrives as zeros.
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct CopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto view = stridedView(op.getSource());
    if (!view)
      return op.emitOpError("source must be a memref.reinterpret_cast of a pointer");
    Location loc = op.getLoc();
    MapAttr map = op.getMap();
    BufferType type = op.getView().getType();
    ArrayRef<int64_t> strides = type.getStrides();
    int64_t widest = std::min<int64_t>(op.getVector(), widestAccess(op.getView()));
    int64_t run = runLength(map, strides, widest);
    GlobalTile tile(rewriter, loc, view, map, op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    IndexMath math(rewriter, loc);
    Value flat = adaptor.getView()[0];
    Value base = math.add(adaptor.getView()[1], math.threadOffset(map, strides[0], strides[1]));
    for (int64_t first = 0; first < map.getNumValues(); first += run) {
      GlobalTile::Place place = tile.at(first);
      auto [row, column] = map.getValueOffset(first);
      Value target = math.add(base, row * strides[0] + column * strides[1]);
      lane::CopyOp::create(rewriter, loc, tile.getFlat(), place.index, flat, target, run,
                           place.condition);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitPattern : OpConversionPattern<CommitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CommitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<lane::CommitOp>(op);
    return success();
  }
};

struct WaitPattern : OpConversionPattern<WaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(WaitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<lane::WaitOp>(op, op.getPending());
    return success();
  }
};
} // namespace

void rooftile::populateAsyncCopyPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<CopyPattern, CommitPattern, WaitPattern>(types, patterns.getContext());
}
