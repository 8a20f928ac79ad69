//===- Footprint.cpp - Memory that an operation needs ---------------------===//

#include "rooftile/Planning/Problem/Footprint.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace rooftile;

/// Bytes of a tensor or memref; a dimension of unknown size counts as 1, and so does one along
/// which memory does not advance (a batch that shares a matrix).
static double bytesOf(ShapedType type) {
  if (!type.hasRank() || !blas::isElementType(type.getElementType()))
    return 0;
  SmallVector<int64_t> strides(type.getRank(), 1);
  if (auto memref = dyn_cast<MemRefType>(type)) {
    int64_t offset = 0;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      return 0;
  }
  double elements = 1;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    if (!ShapedType::isDynamic(size) && stride != 0)
      elements *= size;
  return elements * elementBytes(type.getElementType());
}

double planning::operandBytes(Operation *op) {
  llvm::SmallSetVector<Value, 4> operands;
  for (Value operand : op->getOperands()) {
    while (auto view = operand.getDefiningOp<blas::ViewOp>())
      operand = view->getOperand(0);
    if (isa<ShapedType>(operand.getType()))
      operands.insert(operand);
  }
  double bytes = 0;
  for (Value operand : operands)
    bytes += bytesOf(cast<ShapedType>(operand.getType()));
  return bytes;
}
