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
    if (type.getRank() != 2 && type.getRank() != c.getRank())
      return op.emitOpError("operand ") << name << " has rank " << type.getRank()
                                        << ", expected 2 or the rank of C, " << c.getRank();
    if (type.getRank() == 2)
      continue;
    for (int64_t dim = 0; dim < c.getRank() - 2; ++dim)
      if (differ(type.getDimSize(dim), c.getDimSize(dim)))
        return op.emitOpError("batch dimension ")
               << dim << " of operand " << name << " is " << type.getDimSize(dim)
               << " but that of C is " << c.getDimSize(dim);
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

/// A given size agrees with what the types say of it.
static LogicalResult verifyGivenSize(GemmOp op, StringRef name, int64_t size, ExtentAttr extent) {
  if (!extent || ShapedType::isDynamic(size))
    return success();
  bool tooLarge = extent.getMost() != 0 && size > extent.getMost();
  if (size < extent.getLeast() || tooLarge || size % extent.getMultiple() != 0)
    return op.emitOpError("given: ")
           << name.lower() << " = " << extent << " but " << name << " is " << size;
  return success();
}

/// A given access width agrees with the static strides, offset and size of the operand.
static LogicalResult verifyGivenAccess(GemmOp op, StringRef name, Value operand, int64_t vector) {
  int64_t possible = getPossibleVector(shaped(operand));
  if (vector > possible)
    return op.emitOpError("given: ") << name.lower() << " = " << vector << " but operand " << name
                                     << ", " << shaped(operand) << ", allows " << possible;
  return success();
}

static LogicalResult verifyGiven(GemmOp op) {
  GivenAttr given = op.getGivenAttr();
  if (!given)
    return success();
  return success(succeeded(verifyGivenSize(op, "M", op.getM(), given.getM())) &&
                 succeeded(verifyGivenSize(op, "N", op.getN(), given.getN())) &&
                 succeeded(verifyGivenSize(op, "K", op.getK(), given.getK())) &&
                 succeeded(verifyGivenAccess(op, "A", op.getA(), given.getA())) &&
                 succeeded(verifyGivenAccess(op, "B", op.getB(), given.getB())) &&
                 succeeded(verifyGivenAccess(op, "C", op.getC(), given.getC())));
}

/// One plan, or cases of which only the last is without a condition.
static LogicalResult verifyPlans(GemmOp op) {
  ArrayAttr plans = op.getPlansAttr();
  if (!plans)
    return success();
  if (op.getPlanAttr())
    return op.emitOpError("has a plan and a set of plans: one of them decides");
  if (plans.empty())
    return op.emitOpError("plans: the set is empty");
  for (auto [index, plan] : llvm::enumerate(plans.getAsRange<CaseAttr>())) {
    bool last = index + 1 == plans.size();
    if (last == static_cast<bool>(plan.getWhen()))
      return op.emitOpError("plans: case ")
             << index
             << (last ? " is the last and serves what is left, but has a condition"
                      : " has no condition: later ones would never run");
  }
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(verifyMatrices(*this)) || failed(verifyForm(*this)) || failed(verifyRanks(*this)) ||
      failed(verifySizes(*this)) || failed(verifyTypes(*this)) || failed(verifyGiven(*this)) ||
      failed(verifyPlans(*this)))
    return failure();
  return verifyOutput(*this);
}
