//===- Coord.cpp - Workgroup index to tile --------------------------------===//
//
// With tm x tn tiles per matrix and a raster of r, the linear index x is
//
//   batch = x / (tm tn),   y = x mod (tm tn)
//   band  = y / (r tn),    height = min(r, tm - band r)
//   m = band r + (y mod (r tn)) mod height,   n = (y mod (r tn)) / height
//
// With splits, x is first divided by them; the remainder is the split. With batches, tn is the
// number of tiles of all matrices side by side, and n divided by those of one is the batch; byRows
// the same of tm and m. Backwards tile (m, n) is tm - 1 - m, tn - 1 - n. With a triangle of t x t
// tiles (Triangle.h)
//
//   batch = x / tiles,  y = x mod tiles,  p = y / (t | 1),  q = y mod (t | 1),  l = t - 1 - p
//
//   q <= l:  m = l,            n = q
//   else:    m = p - (t & 1),  n = q - l - 1      and for the upper one m and n exchanged
//
// All of it in 32 bits, then times the tile size in 64: a grid has fewer than 2^31 workgroups, a
// matrix may have more elements.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Tile/Triangle.h"

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

  LogicalResult matchAndRewrite(CoordOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Int32 math{rewriter, op.getLoc()};
    ArrayRef<int64_t> tile = op.getTile();
    Value block = gpu::BlockIdOp::create(rewriter, op.getLoc(), gpu::Dimension::x);
    Value x = arith::IndexCastUIOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), block);
    SmallVector<Value> split;
    if (int64_t splits = op.getSplits(); splits > 1) {
      split.push_back(math.index(math.rem(x, math.constant(splits)), 1));
      x = math.div(x, math.constant(splits));
    }
    Place place = op.getTriangle()  ? placeInTriangle(math, op, x)
                  : op.getBatches() ? placeAmongAll(math, op, x)
                                    : placeInOne(math, op, x);
    if (op.getBackwards())
      place = fromTheEnd(math, op, place);
    SmallVector<Value> results{math.index(place.batch, 1), math.index(place.m, tile[0]),
                               math.index(place.n, tile[1])};
    llvm::append_range(results, split);
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// The batch, and which tile of it, along M and along N.
  struct Place {
    Value batch, m, n;
  };

  /// Tiles along M and N. `knownRows`: those along M where that is known, else -1.
  struct Tiles {
    Value rows, columns;
    int64_t knownRows;
  };

  static Tiles tilesOf(Int32 &math, CoordOp op) {
    auto known = getConstantIntValue(op.getRows());
    ArrayRef<int64_t> tile = op.getTile();
    return {math.tiles(op.getRows(), tile[0]), math.tiles(op.getColumns(), tile[1]),
            known ? static_cast<int64_t>(llvm::divideCeil(*known, tile[0])) : -1};
  }

  /// Down `raster` tiles of a column, then the next column.
  static Place walk(Int32 &math, CoordOp op, Tiles tiles, Value y) {
    int64_t raster = op.getRaster(), knownRows = tiles.knownRows;
    // No division by a height for the workgroups of block vectors, which are many and brief.
    if (getConstantIntValue(tiles.columns) == 1)
      return {Value(), y, math.constant(0)};
    bool known = knownRows >= 0;
    // No higher than the matrix: r tn stays below the number of workgroups.
    Value height = math.constant(known ? std::clamp<int64_t>(knownRows, 1, raster) : raster);
    if (!known && raster > 1)
      height = math.min(height, tiles.rows);
    Value band = math.mul(height, tiles.columns);
    Value first = math.mul(math.div(y, band), height), within = math.rem(y, band);
    // Only the last band can be lower than the raster.
    if (!known || knownRows % raster != 0)
      height = math.min(height, math.sub(tiles.rows, first));
    Value m = math.add(first, math.rem(within, height)), n = math.div(within, height);
    return {Value(), m, n};
  }

  static Place fromTheEnd(Int32 &math, CoordOp op, Place place) {
    Tiles tiles = tilesOf(math, op);
    Value one = math.constant(1);
    return {place.batch, math.sub(math.sub(tiles.rows, one), place.m),
            math.sub(math.sub(tiles.columns, one), place.n)};
  }

  static Place placeInOne(Int32 &math, CoordOp op, Value x) {
    Tiles tiles = tilesOf(math, op);
    Value perMatrix = math.mul(tiles.rows, tiles.columns);
    Value batch = math.div(x, perMatrix);
    Place place = walk(math, op, tiles, math.rem(x, perMatrix));
    return {batch, place.m, place.n};
  }

  static Place placeInTriangle(Int32 &math, CoordOp op, Value x) {
    OpBuilder &builder = math.builder;
    Value along = math.tiles(op.getRows(), op.getTile()[0]), one = math.constant(1);
    Value perMatrix = tilesOfTriangle(builder, math.loc, along);
    Value batch = math.div(x, perMatrix), y = math.rem(x, perMatrix);
    Value width = builder.createOrFold<arith::OrIOp>(math.loc, along, one);
    Value isOdd = builder.createOrFold<arith::AndIOp>(math.loc, along, one);
    Value pair = math.div(y, width), place = math.rem(y, width);
    Value longRow = math.sub(math.sub(along, one), pair), ofShort = math.sub(place, longRow);
    auto within = arith::CmpIPredicate::ule;
    Value inLong = arith::CmpIOp::create(builder, math.loc, within, place, longRow);
    Value row = arith::SelectOp::create(builder, math.loc, inLong, longRow, math.sub(pair, isOdd));
    Value column =
        arith::SelectOp::create(builder, math.loc, inLong, place, math.sub(ofShort, one));
    bool isLower = *op.getTriangle() == Triangle::Lower;
    return {batch, isLower ? row : column, isLower ? column : row};
  }

  static Place placeAmongAll(Int32 &math, CoordOp op, Value x) {
    Tiles one = tilesOf(math, op), all = one;
    Value batches = math.tiles(op.getBatches(), 1);
    auto count = getConstantIntValue(op.getBatches());
    if (op.getByRows()) {
      all.rows = math.mul(one.rows, batches);
      all.knownRows = count && one.knownRows >= 0 ? *count * one.knownRows : -1;
    } else {
      all.columns = math.mul(one.columns, batches);
    }
    Place place = walk(math, op, all, x);
    Value &along = op.getByRows() ? place.m : place.n,
          ofOne = op.getByRows() ? one.rows : one.columns;
    place.batch = math.div(along, ofOne);
    along = math.rem(along, ofOne);
    return place;
  }
};
} // namespace

void rooftile::populateCoordPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<CoordPattern>(types, patterns.getContext());
}
