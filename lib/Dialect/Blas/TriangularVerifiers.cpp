//===- TriangularVerifiers.cpp - What blas.trmm and blas.trsm can be ------===//

#include "Verifiers.h"

using namespace mlir;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

static LogicalResult verifySizes(TriangularOpInterface op, NamedMatrix output) {
  ShapedType a = shaped(op.getA()), c = shaped(output.second);
  int64_t rows = getSizeOf(a, Transpose::None, 0), columns = getSizeOf(a, Transpose::None, 1);
  if (differ(rows, columns))
    return op->emitOpError("operand A is ") << rows << " x " << columns << ", expected a square";
  bool left = op.getSide() == Side::Left;
  int64_t order = ShapedType::isDynamic(rows) ? columns : rows;
  int64_t size = getSizeOf(c, Transpose::None, left ? 0 : 1);
  if (differ(order, size))
    return op->emitOpError("order differs: A on the ")
           << stringifySide(op.getSide()) << " is of order " << order << " but " << output.first
           << " has " << size << (left ? " rows" : " columns");
  if (op.isInPlace())
    return success();
  for (int dim : {0, 1}) {
    int64_t sizeB = getSizeOf(shaped(op.getB()), Transpose::None, dim),
            sizeC = getSizeOf(c, Transpose::None, dim);
    if (differ(sizeB, sizeC))
      return op->emitOpError("operand B has ")
             << sizeB << (dim ? " columns" : " rows") << " but C has " << sizeC;
  }
  if (shaped(op.getB()).getRank() != c.getRank())
    return op->emitOpError("operand B has rank ")
           << shaped(op.getB()).getRank() << ", expected the rank of C, " << c.getRank();
  return success();
}

static LogicalResult verifyTypes(TriangularOpInterface op, ArrayRef<NamedMatrix> inputs,
                                 NamedMatrix output) {
  Type element = shaped(output.second).getElementType(), acc = op.getAccumulatorType();
  for (auto [name, value] : inputs)
    if (shaped(value).getElementType() != element)
      return op->emitOpError("operand types do not match: ")
             << name << " is " << shaped(value).getElementType() << ", " << output.first << " is "
             << element;
  if (Value alpha = op.getAlpha(); alpha && alpha.getType() != acc)
    return op->emitOpError("operand alpha is ")
           << alpha.getType() << " but products are summed in " << acc;
  return success();
}

static LogicalResult verifyTriangular(TriangularOpInterface op) {
  SmallVector<NamedMatrix> inputs{{"A", op.getA()}};
  if (!op.isInPlace())
    inputs.push_back({"B", op.getB()});
  NamedMatrix output{op.getOutputName(), op.getC()};
  for (NamedMatrix matrix : inputs)
    if (failed(verifyMatrix(op, matrix)))
      return failure();
  if (failed(verifyMatrix(op, output)) || failed(verifyForm(op, inputs, output)) ||
      failed(verifyBatch(op, inputs, output)) || failed(verifySizes(op, output)) ||
      failed(verifyTypes(op, inputs, output)))
    return failure();
  if (op.getB() == op.getC() && isa<MemRefType>(op.getC().getType()))
    return op->emitOpError("output C is also operand B: in place is written ins(%a) outs(%b)");
  return verifyOutput(op, inputs, output);
}

LogicalResult TrmmOp::verify() { return verifyTriangular(*this); }
LogicalResult TrsmOp::verify() { return verifyTriangular(*this); }
