//===- Globals.cpp - Loads from global memory -----------------------------===//
//
// A thread's part of a tile is read run by run. What lies outside a zero edge reads
// element 0 and selects 0.
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct GlobalLoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.isGlobal())
      return failure();
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getSource(), "source");
    if (failed(view))
      return failure();
    Location loc = op.getLoc();
    MatrixType type = op.getMatrix().getType();
    int64_t run = op.getVector();
    GlobalTile tile(rewriter, loc, *view, type.getMap(), op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    Value zero;
    SmallVector<Value> registers;
    for (int64_t first = 0; first < type.getMap().getNumValues(); first += run) {
      GlobalTile::Place place = tile.at(first);
      FlatPlace flat{tile.getFlat(), place.index, tile.getParts()};
      for (Value element : loadRun(rewriter, loc, flat, run)) {
        if (place.condition) {
          if (!zero)
            zero =
                arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element.getType()));
          element = arith::SelectOp::create(rewriter, loc, place.condition, element, zero);
        }
        registers.push_back(element);
      }
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void rooftile::populateGlobalPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<GlobalLoadPattern>(types, patterns.getContext());
}
