//===- TileOperand.cpp - One operand on its way to the multipliers --------===//
//
// via = shared: global memory -> registers -> slot of a ring -> fragments, or with copy = async,
// bulk or tensor without the registers on the way; via = register: global memory -> fragments.
//
//===----------------------------------------------------------------------===//

#include "TileOperand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

SmallVector<int64_t> TileOperand::shapeOf(int64_t length) const {
  SmallVector<int64_t> shape(bufferType.getShape());
  shape[isA ? 1 : 0] = length;
  return shape;
}

Value TileOperand::load(OpBuilder &builder, Location loc, Value k, int64_t length,
                        MapAttr map) const {
  auto type =
      MatrixType::get(builder.getContext(), shapeOf(length), bufferType.getElementType(), map);
  return LoadOp::create(builder, loc, type, global, isA ? origin : k, isA ? k : origin, edges,
                        path.getVector());
}

/// The part of slot `step` that begins at `slice` along K and is `length` long.
Value TileOperand::view(OpBuilder &builder, Location loc, Value step, Value slice,
                        int64_t length) const {
  auto part =
      BufferType::get(builder.getContext(), 1, shapeOf(length), bufferType.getElementType(),
                      bufferType.getStrides(), bufferType.getSwizzle(), bufferType.getApart());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return ViewOp::create(builder, loc, part, ring, step, isA ? zero : slice, isA ? slice : zero);
}

void TileOperand::fill(OpBuilder &builder, Location loc, Value step, Value k) const {
  if (!ring)
    return;
  int64_t length = bufferType.getShape()[isA ? 1 : 0];
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  if (path.getCopy() == blas::Copy::Register) {
    Value tile = load(builder, loc, k, length, copyMap);
    StoreOp::create(builder, loc, tile, view(builder, loc, step, zero, length));
    return;
  }
  bool bulk = blas::arrivesInBulk(path.getCopy());
  CopyOp::create(builder, loc, global, isA ? origin : k, isA ? k : origin,
                 view(builder, loc, step, zero, length), copyMap, bulk ? EdgesAttr() : edges,
                 path.getVector(), bulk, descriptor);
}

Value TileOperand::fragment(OpBuilder &builder, Location loc, Value step, Value slice,
                            Value k) const {
  if (!ring)
    return load(builder, loc, arith::AddIOp::create(builder, loc, k, slice), depth, fragmentMap);
  auto type = MatrixType::get(builder.getContext(), shapeOf(depth), bufferType.getElementType(),
                              fragmentMap);
  return LoadOp::create(builder, loc, type, view(builder, loc, step, slice, depth), Value(),
                        Value(), EdgesAttr(), 1);
}
