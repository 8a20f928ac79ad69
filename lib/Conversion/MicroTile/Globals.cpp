//===- Globals.cpp - Global memory: load and update -----------------------===//
//
// A tile of a strided matrix becomes accesses to a flat memref at
//
//   offset + row * rowStride + column * columnStride
//
// Clamped coordinates stay at or below size - run; coordinates outside a zero
// edge read element 0 and select 0; guarded runs, and runs before the first row
// or column that is this workgroup's, are stored under a condition.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <map>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// Addresses of one thread's runs in a global matrix.
class GlobalTile {
public:
  GlobalTile(OpBuilder &builder, Location loc, memref::ReinterpretCastOp view, MapAttr map,
             Value row, Value column, EdgesAttr edges, int64_t run);

  struct Place {
    Value index;     // element in the flat memref
    Value condition; // null: unconditional
  };
  /// Rows before `row` and columns before `column` get a condition, too.
  void startFrom(Value row, Value column) { first[0] = row, first[1] = column; }
  Place at(int64_t register_);
  Value getFlat() const { return flat; }

  struct Coordinate {
    Value term, condition;
  };
  /// Row (`dim` 0) or column at `shift` from the thread's own.
  Coordinate coordinate(int dim, int64_t shift);
  Value index(const Coordinate &row, const Coordinate &column) {
    return math.add(math.add(offset, row.term), column.term);
  }

private:

  OpBuilder &builder;
  Location loc;
  IndexMath math;
  MapAttr map;
  Edge edges[2];
  int64_t spans[2]; // elements that one run covers along each dimension
  Value base[2], sizes[2], strides[2], origin[2], first[2], offset, flat;
  llvm::DenseMap<int64_t, Coordinate> known[2];
};
} // namespace

GlobalTile::GlobalTile(OpBuilder &builder, Location loc, memref::ReinterpretCastOp view, MapAttr map,
                       Value row, Value column, EdgesAttr edgesAttr, int64_t run)
    : builder(builder), loc(loc), math(builder, loc), map(map),
      edges{Edge::Inside, Edge::Inside}, spans{1, 1} {
  if (edgesAttr)
    edges[0] = edgesAttr.getRows(), edges[1] = edgesAttr.getColumns();
  if (run > 1)
    spans[map.getValues()[0].row == 1 ? 0 : 1] = run;
  origin[0] = row, origin[1] = column;
  base[0] = math.add(row, math.threadOffset(map, 1, 0));
  base[1] = math.add(column, math.threadOffset(map, 0, 1));
  offset = math.value(view.getMixedOffsets()[0]);
  for (int dim : {0, 1}) {
    sizes[dim] = math.value(view.getMixedSizes()[dim]);
    strides[dim] = math.value(view.getMixedStrides()[dim]);
  }
  auto source = cast<MemRefType>(view.getSource().getType());
  auto type = MemRefType::get({ShapedType::kDynamic}, source.getElementType(), AffineMap(), source.getMemorySpace());
  OpFoldResult all = builder.getIndexAttr(std::numeric_limits<int32_t>::max());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  Value size = math.value(all);
  flat = memref::ReinterpretCastOp::create(builder, loc, type, view.getSource(), zero,
                                           ArrayRef<OpFoldResult>{size}, ArrayRef<OpFoldResult>{one});
}

GlobalTile::Coordinate GlobalTile::coordinate(int dim, int64_t shift) {
  auto [place, isNew] = known[dim].try_emplace(shift);
  if (!isNew)
    return place->second;
  Coordinate result;
  Value coordinate = math.add(base[dim], shift);
  switch (edges[dim]) {
  case Edge::Inside:
    // Kept as base * stride + shift * stride: the shift folds into the access.
    result.term = math.add(math.mul(base[dim], strides[dim]), math.mul(math.constant(shift), strides[dim]));
    break;
  case Edge::Clamp: {
    Value last = math.add(sizes[dim], -spans[dim]);
    result.term = math.mul(math.min(coordinate, last), strides[dim]);
    break;
  }
  case Edge::Zero: {
    result.condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, coordinate, sizes[dim]);
    Value safe = arith::SelectOp::create(builder, loc, result.condition, coordinate, math.constant(0));
    result.term = math.mul(safe, strides[dim]);
    break;
  }
  case Edge::Guard:
    result.condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, coordinate, sizes[dim]);
    result.term = math.mul(coordinate, strides[dim]);
    break;
  }
  // A position that is the first one's own holds nothing before it.
  if (first[dim] && first[dim] != origin[dim]) {
    Value own = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, coordinate, first[dim]);
    result.condition = result.condition ? arith::AndIOp::create(builder, loc, own, result.condition).getResult() : own;
  }
  return known[dim][shift] = result;
}

GlobalTile::Place GlobalTile::at(int64_t register_) {
  auto [row, column] = map.getValueOffset(register_);
  Coordinate r = coordinate(0, row), c = coordinate(1, column);
  Place place;
  place.index = index(r, c);
  place.condition = r.condition ? r.condition : c.condition;
  if (r.condition && c.condition)
    place.condition = arith::AndIOp::create(builder, loc, r.condition, c.condition);
  return place;
}

/// The matrix as macro-tile made it; canonicalization puts a cast after it where it
/// finds out an offset.
static memref::ReinterpretCastOp stridedView(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref.getDefiningOp<memref::ReinterpretCastOp>();
}

namespace {
struct GlobalLoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.isGlobal())
      return failure();
    auto view = stridedView(op.getSource());
    if (!view)
      return op.emitOpError("source must be a memref.reinterpret_cast of a pointer");
    Location loc = op.getLoc();
    MatrixType type = op.getMatrix().getType();
    int64_t run = op.getVector();
    GlobalTile tile(rewriter, loc, view, type.getMap(), op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    Value zero;
    SmallVector<Value> registers;
    for (int64_t first = 0; first < type.getMap().getNumValues(); first += run) {
      GlobalTile::Place place = tile.at(first);
      for (Value element : loadRun(rewriter, loc, tile.getFlat(), place.index, run)) {
        if (place.condition) {
          if (!zero)
            zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
          element = arith::SelectOp::create(rewriter, loc, place.condition, element, zero);
        }
        registers.push_back(element);
      }
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct UpdatePattern : OpConversionPattern<UpdateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UpdateOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto view = stridedView(op.getTarget());
    if (!view)
      return op.emitOpError("target must be a memref.reinterpret_cast of a pointer");
    Location loc = op.getLoc();
    Value beta = op.getBeta();
    FloatAttr constant;
    bool isConstant = beta && matchPattern(beta, m_Constant(&constant));
    if (isConstant && constant.getValue().isZero())
      beta = Value();
    if (!beta || isConstant) {
      writeTile(rewriter, op, view, adaptor.getMatrix(), beta);
    } else {
      // beta = 0 at run time must not read C.
      Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(beta.getType()));
      Value reads = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNE, beta, zero);
      auto branch = scf::IfOp::create(rewriter, loc, reads, /*withElse=*/true);
      for (auto [block, scale] : {std::pair(branch.thenBlock(), beta), std::pair(branch.elseBlock(), Value())}) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(block);
        writeTile(rewriter, op, view, adaptor.getMatrix(), scale);
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void writeTile(OpBuilder &builder, UpdateOp op, memref::ReinterpretCastOp view,
                        ValueRange registers, Value beta) {
    Location loc = op.getLoc();
    MapAttr map = op.getMatrix().getType().getMap();
    int64_t run = op.getVector();
    GlobalTile tile(builder, loc, view, map, op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    tile.startFrom(op.getFromRow(), op.getFromColumn());
    std::map<int64_t, SmallVector<int64_t>> rows; // first registers of the runs of each row
    for (int64_t first = 0; first < map.getNumValues(); first += run) {
      auto [row, column] = map.getValueOffset(first);
      rows[row].push_back(first);
      (void)tile.coordinate(1, column);
    }
    // One condition around a row, one around each run in it: addresses and
    // conditions of one row at a time keep the registers few.
    for (auto &[row, runs] : rows) {
      GlobalTile::Coordinate r = tile.coordinate(0, row);
      OpBuilder::InsertionGuard guard(builder);
      enter(builder, loc, r.condition);
      for (int64_t first : runs) {
        GlobalTile::Coordinate c = tile.coordinate(1, map.getValueOffset(first).second);
        OpBuilder::InsertionGuard guard(builder);
        enter(builder, loc, c.condition);
        writeRun(builder, op, registers.slice(first, run), tile.getFlat(), tile.index(r, c), beta);
      }
    }
  }

  /// Moves the builder into `if (condition)`; a null condition is always true.
  static void enter(OpBuilder &builder, Location loc, Value condition) {
    if (!condition)
      return;
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }

  /// alpha * sum + beta * C for one run.
  static void writeRun(OpBuilder &builder, UpdateOp op, ValueRange sums, Value flat, Value index, Value beta) {
    Location loc = op.getLoc();
    SmallVector<Value> old, results;
    if (beta)
      old = loadRun(builder, loc, flat, index, sums.size());
    for (auto [position, sum] : llvm::enumerate(sums)) {
      Value result = op.getAlpha() ? arith::MulFOp::create(builder, loc, op.getAlpha(), sum).getResult() : sum;
      if (beta)
        result = math::FmaOp::create(builder, loc, beta, old[position], result);
      results.push_back(result);
    }
    storeRun(builder, loc, results, flat, index, sums.size());
  }
};
} // namespace

void rooftile::populateGlobalPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<GlobalLoadPattern, UpdatePattern>(types, patterns.getContext());
}
