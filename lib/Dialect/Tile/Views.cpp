//===- Views.cpp - What a view of a buffer may be -------------------------===//
//
// A stage, a part of it, or a vector through vectors that follow each other without gaps.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile::tile;

/// Whether `to` is a vector along `dim` through vectors of `from` that follow each other without
/// gaps.
static bool isVector(BufferType from, BufferType to, int dim) {
  int64_t length = from.getShape()[dim], stride = from.getStrides()[dim];
  bool flat = stride == 1 && from.getStrides()[1 - dim] == length && from.getSwizzle() == 0;
  return flat && to.getShape()[1 - dim] == 1 &&
         to.getShape()[dim] <= length * from.getShape()[1 - dim];
}

/// Type of the buffer with rows and columns exchanged.
static BufferType transposed(BufferType type) {
  ArrayRef<int64_t> shape = type.getShape(), strides = type.getStrides();
  return BufferType::get(type.getContext(), type.getStages(), {shape[1], shape[0]},
                         type.getElementType(), {strides[1], strides[0]}, type.getSwizzle(),
                         type.getPlaneStride(), type.getPanelStride());
}

LogicalResult ViewOp::verify() {
  BufferType from = getBuffer().getType(), to = getView().getType();
  if (getTransposed())
    from = transposed(from);
  if (to.getStages() != 1)
    return emitOpError("a view has one stage, got ") << to.getStages();
  if (from.getElementType() != to.getElementType() || from.getStrides() != to.getStrides() ||
      from.getSwizzle() != to.getSwizzle() || from.getPlaneStride() != to.getPlaneStride() ||
      from.getPanelStride() != to.getPanelStride())
    return emitOpError("a view keeps element type, strides, swizzle and parts of its buffer");
  for (int dim : {0, 1})
    if (to.getShape()[dim] > from.getShape()[dim] && !isVector(from, to, dim))
      return emitOpError("view size ") << to.getShape()[dim] << " exceeds " << from.getShape()[dim]
                                       << " along dimension " << dim;
  return success();
}
