//===- Globals.cpp - Loads from global memory -----------------------------===//
//
// A thread's share of a tile is read run by run. What lies outside a zero edge reads
// element 0 and selects 0.
//
//===----------------------------------------------------------------------===//

#include "Globals.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// The load that an element of a run comes from.
static Operation *loadOf(Value element) {
  if (auto run = element.getDefiningOp<vector::ToElementsOp>())
    return run.getSource().getDefiningOp();
  return element.getDefiningOp();
}

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
      FlatAddress flat{tile.getFlat(), place.index, tile.getComponents()};
      SmallVector<Value> elements = loadRun(rewriter, loc, flat, run);
      if (op.getScalar())
        loadOf(elements[0])->setAttr(lane::LaneDialect::kScalarName, rewriter.getUnitAttr());
      for (Value element : elements) {
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

//===----------------------------------------------------------------------===//
// A thread's elements in a global matrix
//
// The element at (row, column) of a strided matrix lies in a flat memref at
//
//   offset + row * rowStride + column * columnStride
//
// Clamped coordinates stay at or below size - run; coordinates outside a zero
// edge become 0 under a condition, and of a run that crosses it the first elements are left;
// guarded ones, and those before the first row or column that is this workgroup's, carry a
// condition.
//===----------------------------------------------------------------------===//

FailureOr<memref::ReinterpretCastOp> rooftile::stridedView(Operation *op, Value memref,
                                                           StringRef name) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  if (auto view = memref.getDefiningOp<memref::ReinterpretCastOp>())
    return view;
  return op->emitOpError(name) << " must be a memref.reinterpret_cast of a pointer";
}

GlobalTile::GlobalTile(OpBuilder &builder, Location loc, memref::ReinterpretCastOp view,
                       MapAttr map, Value row, Value column, EdgesAttr edgesAttr, int64_t run)
    : builder(builder), loc(loc), math(builder, loc), map(map), edges{Edge::Inside, Edge::Inside},
      spans{1, 1} {
  if (edgesAttr) {
    edges[0] = edgesAttr.getRows(), edges[1] = edgesAttr.getColumns();
    length = edgesAttr.getLength();
  }
  if (run > 1)
    spans[map.getValues()[0].row == 1 ? 0 : 1] = run;
  origin[0] = row, origin[1] = column;
  own[0] = math.threadOffset(map, 1, 0), own[1] = math.threadOffset(map, 0, 1);
  base[0] = math.add(row, own[0]), base[1] = math.add(column, own[1]);
  offset = math.value(view.getMixedOffsets()[0]);
  for (int dim : {0, 1}) {
    sizes[dim] = math.value(view.getMixedSizes()[dim]);
    strides[dim] = math.value(view.getMixedStrides()[dim]);
  }
  auto source = cast<MemRefType>(view.getSource().getType());
  parts = componentsOf(source.getElementType());
  flat = flatten(builder, loc, view.getSource());
}

Value GlobalTile::fromDiagonal() { return arith::SubIOp::create(builder, loc, base[0], base[1]); }

bool GlobalTile::isBeyond(int dim, int64_t shift) const {
  std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
  return edges[dim] == Edge::Guard && size && shift >= *size;
}

/// Kept as base * stride + shift * stride: where the stride is known the shift folds into the
/// access. Where it is not, a walk adds to the coordinate before: LLVM would make (base + shift) *
/// stride of each, and keep all of these in registers.
Value GlobalTile::inside(int dim, int64_t shift) {
  auto &[from, term] = last[dim];
  bool follows = isWalk && term && from < shift && !getConstantIntValue(strides[dim]);
  Value start = follows ? term : math.mul(base[dim], strides[dim]);
  Value step = math.mul(math.constant(follows ? shift - from : shift), strides[dim]);
  from = shift, term = math.add(start, step);
  return term;
}

/// A coordinate that is the same in all steps: nothing after a step is read, though it may lie
/// inside the matrix.
GlobalTile::Coordinate GlobalTile::ofStep(int dim, int64_t shift) {
  Coordinate result;
  result.term = inside(dim, shift);
  if (shift + threadReach(map, dim) + spans[dim] <= length)
    return result;
  Value held = math.add(own[dim], shift), end = math.constant(length);
  result.condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, held, end);
  if (!mayLieOutside)
    result.term =
        arith::SelectOp::create(builder, loc, result.condition, result.term, math.constant(0));
  return result;
}

/// Elements from the thread's first element to `end`, as far as 32 bits count them: what is
/// compared with constants of each run, so that none keeps a coordinate of its own in registers.
Value GlobalTile::distanceTo(Value end, int dim) {
  Value all = arith::SubIOp::create(builder, loc, end, base[dim]);
  Value some = math.min(all, math.constant(std::numeric_limits<int32_t>::max()));
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), some);
}

/// Elements from the thread's first element to the end of the matrix.
Value GlobalTile::remaining(int dim) {
  if (!rest[dim])
    rest[dim] = distanceTo(sizes[dim], dim);
  return rest[dim];
}

/// Elements from the thread's first element to the first that is this workgroup's.
Value GlobalTile::leading(int dim) {
  if (!before[dim])
    before[dim] = distanceTo(math.max(first[dim], base[dim]), dim);
  return before[dim];
}

/// Compares a distance with that of the element at `shift` from the thread's first one.
Value GlobalTile::compare(arith::CmpIPredicate predicate, Value distance, int64_t shift) {
  Value place = arith::ConstantIntOp::create(builder, loc, shift, 32);
  return arith::CmpIOp::create(builder, loc, predicate, distance, place);
}

/// Whether the elements at `coordinate`, `shift` from the thread's first element, lie inside.
Value GlobalTile::isInside(int dim, int64_t shift, Value coordinate) {
  if (!isNeverBefore)
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, coordinate, sizes[dim]);
  return compare(arith::CmpIPredicate::sgt, remaining(dim), shift);
}

/// Elements from there on; at most a run of them where they are counted in 32 bits. Null where the
/// matrix is known to end with a run, or where its size is not.
Value GlobalTile::leftOf(int dim, int64_t shift, Value coordinate) {
  std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
  if (!size || *size % spans[dim] == 0)
    return Value();
  if (!isNeverBefore)
    return math.sub(*size, coordinate);
  Value before = arith::ConstantIntOp::create(builder, loc, shift, 32);
  Value run = arith::ConstantIntOp::create(builder, loc, spans[dim], 32);
  Value left = arith::SubIOp::create(builder, loc, remaining(dim), before);
  left = arith::MinSIOp::create(builder, loc, left, run);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), left);
}

GlobalTile::Coordinate GlobalTile::zeroOutside(int dim, int64_t shift, Value coordinate) {
  Coordinate result;
  result.condition = isInside(dim, shift, coordinate);
  result.left = leftOf(dim, shift, coordinate);
  if (mayLieOutside) {
    result.term = inside(dim, shift);
    return result;
  }
  Value safe =
      arith::SelectOp::create(builder, loc, result.condition, coordinate, math.constant(0));
  result.term = math.mul(safe, strides[dim]);
  return result;
}

GlobalTile::Coordinate GlobalTile::coordinate(int dim, int64_t shift) {
  auto [place, isNew] = known[dim].try_emplace(shift);
  if (!isNew)
    return place->second;
  Coordinate result;
  Value coordinate = math.add(base[dim], shift);
  switch (edges[dim]) {
  case Edge::Inside:
    result.term = inside(dim, shift);
    break;
  case Edge::Step:
    result = ofStep(dim, shift);
    break;
  case Edge::Clamp:
    result.term = math.mul(math.min(coordinate, math.add(sizes[dim], -spans[dim])), strides[dim]);
    break;
  case Edge::Zero:
    result = zeroOutside(dim, shift, coordinate);
    break;
  case Edge::Guard:
    result.condition = compare(arith::CmpIPredicate::sgt, remaining(dim), shift);
    result.term = inside(dim, shift);
    break;
  }
  // A position that is the first one's own holds nothing before it.
  if (first[dim] && first[dim] != origin[dim]) {
    Value own = compare(arith::CmpIPredicate::sle, leading(dim), shift);
    result.condition = result.condition
                           ? arith::AndIOp::create(builder, loc, own, result.condition).getResult()
                           : own;
  }
  return known[dim][shift] = result;
}

GlobalTile::Place GlobalTile::at(int64_t register_) {
  auto [row, column] = map.getValueOffset(register_);
  Coordinate r = coordinate(0, row), c = coordinate(1, column);
  Place place;
  place.index = index(r, c);
  place.left = r.left ? r.left : c.left;
  place.condition = r.condition ? r.condition : c.condition;
  if (r.condition && c.condition)
    place.condition = arith::AndIOp::create(builder, loc, r.condition, c.condition);
  return place;
}
