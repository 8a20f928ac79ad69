//===- Coord.cpp - Workgroup index to tile --------------------------------===//
//
// With tm x tn tiles per matrix and a raster of r, the linear index x is
//
//   batch = x / (tm tn),   y = x mod (tm tn)
//   band  = y / (r tn),    height = min(r, tm - band r)
//   m = band r + (y mod (r tn)) mod height,   n = (y mod (r tn)) / height
//
// where x is first divided by the splits; the remainder is the split. All of it
// in 32 bits, then times the tile size in 64: a grid has fewer than 2^31
// workgroups, a matrix may have more elements.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// Unsigned arithmetic in 32 bits.
struct Int32 {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value div(Value a, Value b) { return arith::DivUIOp::create(builder, loc, a, b); }
  Value rem(Value a, Value b) { return arith::RemUIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value min(Value a, Value b) { return arith::MinUIOp::create(builder, loc, a, b); }
  /// ceil(size / tile) of an index.
  Value tiles(Value size, int64_t tile) {
    if (auto known = getConstantIntValue(size))
      return constant(llvm::divideCeil(*known, tile));
    IndexMath math(builder, loc);
    Value count = math.div(math.add(size, tile - 1), tile);
    return arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), count);
  }
  /// index of `value` * factor.
  Value index(Value value, int64_t factor) {
    Value wide = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), value);
    return IndexMath(builder, loc).mul(wide, factor);
  }
};

struct CoordPattern : OpConversionPattern<CoordOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CoordOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Int32 math{rewriter, op.getLoc()};
    int64_t raster = op.getRaster();
    ArrayRef<int64_t> tile = op.getTile();
    Value rows = math.tiles(op.getRows(), tile[0]), columns = math.tiles(op.getColumns(), tile[1]);
    Value block = gpu::BlockIdOp::create(rewriter, op.getLoc(), gpu::Dimension::x);
    Value x = arith::IndexCastUIOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), block);
    SmallVector<Value> split;
    if (int64_t splits = op.getSplits(); splits > 1) {
      split.push_back(math.index(math.rem(x, math.constant(splits)), 1));
      x = math.div(x, math.constant(splits));
    }
    Value perMatrix = math.mul(rows, columns);
    Value batch = math.div(x, perMatrix), y = math.rem(x, perMatrix);
    // No higher than the matrix: r tn stays below the number of workgroups.
    auto known = getConstantIntValue(op.getRows());
    int64_t knownRows = known ? llvm::divideCeil(*known, tile[0]) : 0;
    Value height = math.constant(known ? std::clamp<int64_t>(knownRows, 1, raster) : raster);
    if (!known && raster > 1)
      height = math.min(height, rows);
    Value band = math.mul(height, columns);
    Value first = math.mul(math.div(y, band), height), within = math.rem(y, band);
    // Only the last band can be lower than the raster.
    if (!known || knownRows % raster != 0)
      height = math.min(height, math.sub(rows, first));
    Value m = math.add(first, math.rem(within, height)), n = math.div(within, height);
    SmallVector<Value> results{math.index(batch, 1), math.index(m, tile[0]),
                               math.index(n, tile[1])};
    llvm::append_range(results, split);
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void rooftile::populateCoordPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<CoordPattern>(types, patterns.getContext());
}
