//===- TileOperand.cpp - One operand on its way to the multipliers --------===//
//
// via = shared: global memory -> registers -> stage of a ring -> fragments, or with copy = async,
// bulk or tensor without the registers on the way; via = register or scalar: global memory ->
// fragments.
//
//===----------------------------------------------------------------------===//

#include "TileOperand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Transforms/Kernel/KernelInterface.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

EdgesAttr TileOperand::edgeAlong(MLIRContext *context, Edge edge, int64_t length) const {
  return vectorsAlongRows() ? EdgesAttr::get(context, edge, Edge::Inside, length)
                            : EdgesAttr::get(context, Edge::Inside, edge, length);
}

EdgesAttr TileOperand::beyondVectors(MLIRContext *context) const {
  bool alongK = path.major == blas::Major::K;
  if (!path.flat || path.flat >= (alongK ? macroK : extent))
    return {};
  return edgeAlong(context, alongK ? Edge::Zero : Edge::Clamp);
}

SmallVector<int64_t> TileOperand::shapeOf(int64_t across, int64_t length) const {
  return isA ? SmallVector<int64_t>{across, length} : SmallVector<int64_t>{length, across};
}

Value TileOperand::load(OpBuilder &builder, Location loc, Value k, int64_t length,
                        MapAttr map) const {
  auto type = MatrixType::get(builder.getContext(), shapeOf(extent, length),
                              bufferType.getElementType(), map);
  return LoadOp::create(builder, loc, type, global, isA ? origin : k, isA ? k : origin, edges,
                        path.vector, path.via == blas::Via::Scalar);
}

/// The part of stage `step` that begins at `slice` along K and is `length` long, or as long as
/// vectors.
Value TileOperand::view(OpBuilder &builder, Location loc, Value step, Value slice,
                        int64_t length) const {
  ArrayRef<int64_t> whole = bufferType.getShape();
  int64_t across = std::min(extent, whole[isA ? 0 : 1]);
  auto part = BufferType::get(
      builder.getContext(), 1, shapeOf(across, std::min(length, whole[isA ? 1 : 0])),
      bufferType.getElementType(), bufferType.getStrides(), bufferType.getSwizzle(),
      bufferType.getPlaneStride(), bufferType.getPanelStride());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return ViewOp::create(builder, loc, part, ring, step, isA ? zero : slice, isA ? slice : zero,
                        /*peer=*/Value(), borrowed);
}

Value TileOperand::stage(OpBuilder &builder, Location loc, Value step) const {
  return view(builder, loc, step, arith::ConstantIndexOp::create(builder, loc, 0), macroK);
}

/// Vector for vector as one run: element e of the tile lies e after the first one, there and here.
void TileOperand::fillFlat(OpBuilder &builder, Location loc, Value step, Value k) const {
  int64_t all = copyMap.getNumThreads() * copyMap.getNumValues();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value vector = arith::ConstantIndexOp::create(builder, loc, path.flat);
  Value begin = path.major == blas::Major::K ? origin : k;
  Value first = arith::MulIOp::create(builder, loc, begin, vector);
  MLIRContext *context = builder.getContext();
  Type element = bufferType.getElementType();
  SmallVector<int64_t> shape{1, all};
  if (vectorsAlongRows())
    std::swap(shape[0], shape[1]);
  auto part = BufferType::get(context, 1, shape, element, bufferType.getStrides(), /*swizzle=*/0,
                              bufferType.getPlaneStride(), /*panelStride=*/0);
  Value stage = ViewOp::create(builder, loc, part, ring, step, zero, zero);
  Value row = vectorsAlongRows() ? first : zero, column = vectorsAlongRows() ? zero : first;
  // All threads together may copy more than the vectors of a step; of those along K there is one.
  int64_t held = path.major == blas::Major::K ? all : macroK * path.flat;
  EdgesAttr within = edgeAlong(context, Edge::Zero, held < all ? held : 0);
  if (path.copy == blas::Copy::Register) {
    auto type = MatrixType::get(context, shape, element, copyMap);
    Value tile = LoadOp::create(builder, loc, type, global, row, column, within, path.vector);
    StoreOp::create(builder, loc, tile, stage, EdgesAttr());
    return;
  }
  CopyOp::create(builder, loc, global, row, column, stage, copyMap, within, path.vector,
                 /*bulk=*/false, Value());
}

void TileOperand::fill(OpBuilder &builder, Location loc, Value step, Value k) const {
  if (!ring || borrowed)
    return;
  if (path.flat)
    return fillFlat(builder, loc, step, k);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  if (path.copy == blas::Copy::Register) {
    Value tile = load(builder, loc, k, macroK, copyMap);
    StoreOp::create(builder, loc, tile, view(builder, loc, step, zero, macroK), EdgesAttr());
    return;
  }
  bool bulk = blas::arrivesInBulk(path.copy);
  CopyOp::create(builder, loc, global, isA ? origin : k, isA ? k : origin,
                 view(builder, loc, step, zero, macroK), copyMap, bulk ? EdgesAttr() : edges,
                 path.vector, bulk, descriptor);
}

MatrixType TileOperand::fragmentType() const {
  return MatrixType::get(bufferType.getContext(), shapeOf(extent, depth),
                         bufferType.getElementType(), fragmentMap);
}

Value TileOperand::read(OpBuilder &builder, Location loc, Value step, Value slice, Value k) const {
  if (!ring)
    return load(builder, loc, arith::AddIOp::create(builder, loc, k, slice), depth, fragmentMap);
  // Beyond the vectors a tile repeats their last element, which is not stored; along K it is 0.
  return LoadOp::create(builder, loc, fragmentType(), view(builder, loc, step, slice, depth),
                        Value(), Value(), beyondVectors(builder.getContext()), 1);
}

Value TileOperand::fragment(OpBuilder &builder, Location loc, Value step, Value slice,
                            Value k) const {
  Value fragment = read(builder, loc, step, slice, k);
  if (!mask)
    return fragment;
  Value first = arith::AddIOp::create(builder, loc, k, slice);
  return mask->apply(builder, loc, fragment, isA ? origin : first, isA ? first : origin);
}

//===----------------------------------------------------------------------===//
// Where tiles meet the edge of a matrix
//===----------------------------------------------------------------------===//

using tile::Edge;

static int64_t macroOf(blas::ProductOpInterface op, int dim) {
  return op.getPlanAttr()->macro()[dim];
}

int64_t rooftile::extentOf(blas::ProductOpInterface op, int dim) {
  Value matrix = op.getMatrix(dim);
  return blas::getSizeOf(cast<MemRefType>(matrix.getType()), op.getTranspose(dim), dim);
}

bool rooftile::isPadded(blas::ProductOpInterface op, int dim) {
  int64_t extent = extentOf(op, dim), size = dim == 0 ? op.getM() : op.getN();
  return op.getPadded() && (ShapedType::isDynamic(size) || extent != size);
}

/// Vectors along K that are copied as one in accesses which do not divide all of them: tiles begin
/// at multiples of their size.
static bool beginsAnywhere(blas::ProductOpInterface op, int dim) {
  const blas::PathData &path = dim == 0 ? op.getPlanAttr()->a : op.getPlanAttr()->b;
  return !path.flat || path.major == blas::Major::MN ||
         blas::getFlatRuns(op.getMatrix(dim)).vector % path.vector == 0;
}

bool rooftile::sharesTile(blas::ProductOpInterface op) {
  const blas::PathData &a = op.getPlanAttr()->a, &b = op.getPlanAttr()->b;
  bool same = op.getMatrixA() == op.getMatrixB() &&
              blas::isTransposed(op.getTransposeA()) != blas::isTransposed(op.getTransposeB());
  bool copied = a == b && a.via == blas::Via::Shared && !blas::arrivesInBulk(a.copy);
  auto isOne = [&](int64_t size, int64_t macro) {
    return !ShapedType::isDynamic(size) && size <= macro;
  };
  return same && copied && macroOf(op, 0) == macroOf(op, 1) && isOne(op.getM(), macroOf(op, 0)) &&
         isOne(op.getN(), macroOf(op, 1));
}

bool rooftile::leavesOutZeros(blas::ProductOpInterface op) {
  return op.getStructureA() != blas::Structure::General ||
         op.getStructureB() != blas::Structure::General;
}

bool rooftile::overlaps(blas::ProductOpInterface op, int dim) {
  return beginsAnywhere(op, dim) && op.getPlanAttr()->tail == blas::Tail::Overlap &&
         blas::isAtLeast(op, dim, macroOf(op, dim)) && !isPadded(op, dim);
}

Edge rooftile::edgeOf(blas::ProductOpInterface op, int dim, Edge otherwise) {
  return blas::isMultiple(op, dim, macroOf(op, dim)) || overlaps(op, dim) ? Edge::Inside
                                                                          : otherwise;
}

Edge rooftile::loadEdgeOf(blas::ProductOpInterface op, int dim) {
  int64_t extent = isPadded(op, dim) ? extentOf(op, dim) : ShapedType::kDynamic;
  bool filled = !ShapedType::isDynamic(extent) && extent % macroOf(op, dim) == 0;
  return filled ? Edge::Inside : edgeOf(op, dim, Edge::Clamp);
}

//===----------------------------------------------------------------------===//
// Vectors without gaps, as one
//===----------------------------------------------------------------------===//

Value rooftile::viewAsRun(OpBuilder &builder, Location loc, Value matrix, int64_t length,
                          OpFoldResult count, bool alongRows) {
  auto view = matrix.getDefiningOp<memref::ReinterpretCastOp>();
  OpFoldResult one = builder.getIndexAttr(1), apart = builder.getIndexAttr(length);
  SmallVector<OpFoldResult> sizes{one, count}, strides{apart, one};
  if (alongRows)
    std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
  return viewStrided(builder, loc, view.getSource(), view.getMixedOffsets()[0], sizes, strides);
}
