//===- AsyncCopies.cpp - Global to shared memory without registers --------===//
//
// A thread's part of a tile.copy is a lane.copy for each run that is contiguous on
// both sides. A tile that is turned on its way has runs of one element, one with parts
// apart of one real number. What lies outside a zero edge arrives as zeros.
//
//===----------------------------------------------------------------------===//

#include "BufferTile.h"
#include "GlobalTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Copies a run of elements from `from` to `to`: as one, or number by number to planes.
static void copyRun(OpBuilder &builder, Location loc, const GlobalTile &source,
                    const GlobalTile::Place &from, const BufferTile &buffer,
                    const BufferTile::Place &to) {
  IndexMath math(builder, loc);
  int64_t parts = source.getParts(), numbers = buffer.getRun() * parts;
  int64_t apart = buffer.getType().getApart(), width = apart == 0 ? numbers : 1;
  Value first = math.mul(from.index, parts);
  Value place = math.mul(to.index, buffer.getType().getRealsPerStep());
  Value left = from.left ? math.mul(from.left, parts) : Value();
  for (int64_t number = 0; number < numbers; number += width) {
    Value ofThis = left && number > 0 ? math.add(left, -number) : left;
    lane::CopyOp::create(builder, loc, source.getFlat(), math.add(first, number), buffer.getFlat(),
                         math.add(place, number / parts + number % parts * apart), width, ofThis,
                         from.condition);
  }
}

namespace {
struct CopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getBulk())
      return failure();
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getSource(), "source");
    if (failed(view))
      return failure();
    Location loc = op.getLoc();
    MapAttr map = op.getMap();
    BufferTile buffer(rewriter, loc, op.getView(), adaptor.getView(), map, op.getVector());
    int64_t run = buffer.getRun();
    GlobalTile tile(rewriter, loc, *view, map, op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    for (int64_t first = 0; first < map.getNumValues(); first += run) {
      GlobalTile::Place place = tile.at(first);
      BufferTile::Place target = buffer.at(first);
      if (target.permutation != 0)
        return op.emitOpError("a swizzle of less than an access moves elements apart");
      copyRun(rewriter, loc, tile, place, buffer, target);
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
