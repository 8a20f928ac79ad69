//===- Verifiers.cpp - What blas.gemm can be ------------------------------===//
//
// Every message names the operand and both sizes or types. What depends on the
// hardware or on dynamic sizes is checked later: by Planning, and at run time.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

static bool differ(int64_t left, int64_t right) {
  return !ShapedType::isDynamic(left) && !ShapedType::isDynamic(right) && left != right;
}

/// A matrix is a tensor or a strided memref of an element type of the dialect.
static LogicalResult verifyMatrices(GemmOp op) {
  for (auto [name, value] :
       {std::pair("A", op.getA()), std::pair("B", op.getB()), std::pair("C", op.getC())}) {
    ShapedType type = shaped(value);
    if (!isElementType(type.getElementType()))
      return op.emitOpError("operand ")
             << name << " has elements of " << type.getElementType()
             << ", expected f16, bf16, f32, f64, complex<f32> or complex<f64>";
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && !memref.isStrided())
      return op.emitOpError("operand ") << name << " has no strides: " << memref;
  }
  return success();
}

/// All operands are tensors, with one result of C's type, or all are memrefs with none.
static LogicalResult verifyForm(GemmOp op) {
  bool tensor = isa<TensorType>(op.getC().getType());
  for (Value operand : {op.getA(), op.getB()})
    if (isa<TensorType>(operand.getType()) != tensor)
      return op.emitOpError("mixes tensors and memrefs: operand ")
             << (operand == op.getA() ? "A" : "B") << " is " << operand.getType() << ", C is "
             << op.getC().getType();
  if (!tensor && !op.getResults().empty())
    return op.emitOpError("on memrefs has no result");
  if (tensor && op.getResults().size() != 1)
    return op.emitOpError("on tensors has one result");
  if (tensor && op.getResults()[0].getType() != op.getC().getType())
    return op.emitOpError("result is ")
           << op.getResults()[0].getType() << " but C is " << op.getC().getType();
  return success();
}

static LogicalResult verifyRanks(GemmOp op) {
  ShapedType c = shaped(op.getC());
  if (c.getRank() < 2)
    return op.emitOpError("operand C has rank ") << c.getRank() << ", expected at least 2";
  for (auto [name, value] : {std::pair("A", op.getA()), std::pair("B", op.getB())}) {
    ShapedType type = shaped(value);
    int64_t slices = op.getPartial(), rank = c.getRank() - slices; // dimensions before the batch
    if (type.getRank() != 2 && type.getRank() != rank)
      return op.emitOpError("operand ")
             << name << " has rank " << type.getRank() << ", expected 2 or the rank of C, " << rank;
    if (type.getRank() == 2)
      continue;
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      if (differ(type.getDimSize(dim), c.getDimSize(slices + dim)))
        return op.emitOpError("batch dimension ")
               << dim << " of operand " << name << " is " << type.getDimSize(dim)
               << " but that of C is " << c.getDimSize(slices + dim);
  }
  return success();
}

static LogicalResult verifySizes(GemmOp op) {
  ShapedType a = shaped(op.getA()), b = shaped(op.getB()), c = shaped(op.getC());
  int64_t rowsA = getSizeOf(a, op.getOpA(), 0), colsA = getSizeOf(a, op.getOpA(), 1);
  int64_t rowsB = getSizeOf(b, op.getOpB(), 0), colsB = getSizeOf(b, op.getOpB(), 1);
  int64_t rowsC = getSizeOf(c, Transpose::None, 0), colsC = getSizeOf(c, Transpose::None, 1);
  if (differ(colsA, rowsB))
    return op.emitOpError("K differs: op(A) has ")
           << colsA << " columns but op(B) has " << rowsB << " rows";
  if (differ(rowsA, rowsC))
    return op.emitOpError("M differs: op(A) has ")
           << rowsA << " rows but C has " << rowsC << " rows";
  if (differ(colsB, colsC))
    return op.emitOpError("N differs: op(B) has ")
           << colsB << " columns but C has " << colsC << " columns";
  return success();
}

/// Width in bits of the real numbers an element is made of.
static unsigned realWidth(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return (complex ? complex.getElementType() : type).getIntOrFloatBitWidth();
}

/// True for f16 next to bf16: of one width, and neither holds the other.
static bool incomparable(Type left, Type right) {
  return (left.isF16() && right.isBF16()) || (left.isBF16() && right.isF16());
}

static LogicalResult verifyAccumulator(GemmOp op, Type a, Type b, Type c) {
  Type acc = op.getAccumulatorType();
  if (!isElementType(acc) || isa<ComplexType>(acc) != isa<ComplexType>(c))
    return op.emitOpError("accumulator type ") << acc << " does not fit C of " << c;
  for (auto [name, type] : {std::pair("A", a), std::pair("B", b)})
    if (realWidth(acc) < realWidth(type) || incomparable(acc, type))
      return op.emitOpError("accumulator type ")
             << acc << " cannot hold operand " << name << " of " << type;
  if (realWidth(acc) < realWidth(c) || incomparable(acc, c))
    return op.emitOpError("accumulator type ") << acc << " is narrower than C of " << c;
  return success();
}

static LogicalResult verifyTypes(GemmOp op) {
  Type a = shaped(op.getA()).getElementType(), b = shaped(op.getB()).getElementType();
  Type c = shaped(op.getC()).getElementType(), acc = op.getAccumulatorType();
  auto mismatch = [&] {
    return op.emitOpError("operand types do not match: A is ")
           << a << ", B is " << b << ", C is " << c << "; ";
  };
  if ((isa<ComplexType>(a) || isa<ComplexType>(b)) != isa<ComplexType>(c))
    return mismatch() << "C is complex exactly when A or B is";
  if (!op.getAcc() && (realWidth(a) > realWidth(acc) || realWidth(b) > realWidth(acc)))
    return mismatch() << "a wider operand than C needs an explicit acc";
  if (failed(verifyAccumulator(op, a, b, c)))
    return failure();
  for (auto [name, value] : {std::pair("alpha", op.getAlpha()), std::pair("beta", op.getBeta())})
    if (value && value.getType() != acc)
      return op.emitOpError("operand ")
             << name << " is " << value.getType() << " but products are summed in " << acc;
  return success();
}

/// The output is not an input, and no two of its elements share an address.
static LogicalResult verifyOutput(GemmOp op) {
  auto type = dyn_cast<MemRefType>(op.getC().getType());
  if (!type)
    return success();
  if (op.getA() == op.getC() || op.getB() == op.getC())
    return op.emitOpError("output C is also operand ")
           << (op.getA() == op.getC() ? "A" : "B") << ": the output must not overlap an input";
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return failure(); // verifyMatrices has said so
  for (auto [dim, stride, size] : llvm::enumerate(strides, type.getShape()))
    if (stride == 0 && size != 1 && size != 0)
      return op.emitOpError("output C has stride 0 along dimension ")
             << dim << ": its elements overlap";
  return success();
}

/// Partial sums have a static number of slices, and nothing to add C to.
static LogicalResult verifyPartial(GemmOp op) {
  ShapedType c = shaped(op.getC());
  if (!op.getPartial())
    return success();
  if (c.getRank() < 3 || c.isDynamicDim(0) || c.getDimSize(0) < 1)
    return op.emitOpError("partial: operand C is ")
           << c << ", expected a leading dimension of 1 or more slices";
  if (op.getBeta() || op.getWorkspace())
    return op.emitOpError("partial sums take no ") << (op.getBeta() ? "beta" : "workspace");
  return success();
}

/// A workspace is a row of accumulator elements, not too short for the plan.
static LogicalResult verifyWorkspace(GemmOp op) {
  if (!op.getWorkspace())
    return success();
  auto type = dyn_cast<MemRefType>(op.getWorkspace().getType());
  if (!type || type.getRank() != 1 || !type.areTrailingDimsContiguous(1) ||
      type.getElementType() != op.getAccumulatorType())
    return op.emitOpError("workspace is ")
           << op.getWorkspace().getType() << ", expected a contiguous memref of rank 1 of "
           << op.getAccumulatorType();
  int64_t needed = op.getWorkspaceElements(), present = type.getDimSize(0);
  if (!ShapedType::isDynamic(needed) && !ShapedType::isDynamic(present) && present < needed)
    return op.emitOpError("workspace has ")
           << present << " elements but the plan's " << op.getPlanAttr().getSplits()
           << " splits need " << needed;
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(verifyMatrices(*this)) || failed(verifyForm(*this)) || failed(verifyPartial(*this)) ||
      failed(verifyRanks(*this)) || failed(verifySizes(*this)) || failed(verifyTypes(*this)) ||
      failed(verifyWorkspace(*this)) || failed(verifyFacts(*this)))
    return failure();
  return verifyOutput(*this);
}
