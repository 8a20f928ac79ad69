//===- TriangularChecks.cpp - What kernels of a triangle can be -----------===//
//
// Everything is checked before the first change.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/MacroTile.h"
#include "rooftile/Transforms/TriangularKernel.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

LogicalResult rooftile::checkTriangular(TriangularOpInterface op, StringRef pass) {
  if (op.isOnTensors())
    return op->emitOpError() << pass << " works on memrefs: bufferize first";
  if (!op.getBlocks())
    return op->emitOpError("has no plan: run tile-select first, or write one");
  Type element = memrefType(op.getC()).getElementType();
  if (!element.isF32() && !element.isF64())
    return op->emitOpError("operand ") << op.getOutputName() << " is of " << element
                                       << ": kernels exist for f32 and f64 so far";
  return success();
}

/// A workgroup has all of its lines, however long.
static LogicalResult checkLines(TriangularOpInterface op) {
  MemRefType type = memrefType(op.getC());
  int64_t rank = type.getRank(), workgroup = op.getBlocks().getWorkgroup();
  bool left = op.getSide() == Side::Left;
  int64_t length = type.getDimSize(left ? rank - 2 : rank - 1);
  int64_t whole = ShapedType::isDynamic(length) ? 1 : std::max<int64_t>(1, length);
  int64_t tile[] = {left ? whole : workgroup, left ? workgroup : whole};
  return checkGrid(op, "plan: ", {type.getShape(), tile});
}

LogicalResult rooftile::checkTriangularKernel(TriangularOpInterface op, ModuleOp module) {
  if (failed(checkTriangular(op, "macro-tile")))
    return failure();
  if (int64_t order = op.getBlocks().getDiagonal())
    return op->emitOpError("has blocks of order ") << order << ": run triangular-split first";
  SmallVector<NamedOperand> operands{{"A", op.getA()}, {op.getOutputName(), op.getC()}};
  if (op.getB())
    operands.push_back({"B", op.getB()});
  return success(succeeded(checkPlace(op, module, operands)) && succeeded(checkLines(op)));
}
