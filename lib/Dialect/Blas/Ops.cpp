//===- Ops.cpp - Verifiers and interface of blas.gemm ---------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rooftile::blas;

#include "rooftile/Dialect/Blas/BlasInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "rooftile/Dialect/Blas/Blas.cpp.inc"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

/// Rows (`dim` 0) or columns (`dim` 1) of op(X).
static int64_t opSize(ShapedType type, Transpose op, int dim) {
  int64_t matrixDim = isTransposed(op) ? 1 - dim : dim;
  return type.getDimSize(type.getRank() - 2 + matrixDim);
}

/// The static one of two sizes that must agree.
static int64_t known(int64_t left, int64_t right) {
  return ShapedType::isDynamic(left) ? right : left;
}

static bool differ(int64_t left, int64_t right) {
  return !ShapedType::isDynamic(left) && !ShapedType::isDynamic(right) && left != right;
}

int64_t GemmOp::getM() { return known(opSize(shaped(getA()), getOpA(), 0), opSize(shaped(getC()), Transpose::None, 0)); }
int64_t GemmOp::getN() { return known(opSize(shaped(getB()), getOpB(), 1), opSize(shaped(getC()), Transpose::None, 1)); }
int64_t GemmOp::getK() { return known(opSize(shaped(getA()), getOpA(), 1), opSize(shaped(getB()), getOpB(), 0)); }

int64_t GemmOp::getBatch() {
  int64_t product = 1;
  for (int64_t size : shaped(getC()).getShape().drop_back(2)) {
    if (ShapedType::isDynamic(size))
      return ShapedType::kDynamic;
    product *= size;
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Level3OpInterface
//===----------------------------------------------------------------------===//

Value GemmOp::getMatrixA() { return getA(); }
Value GemmOp::getMatrixB() { return getB(); }
Value GemmOp::getMatrixC() { return getC(); }
Transpose GemmOp::getTransposeA() { return getOpA(); }
Transpose GemmOp::getTransposeB() { return getOpB(); }

Type GemmOp::getAccumulatorType() {
  if (auto type = getAcc())
    return *type;
  Type element = shaped(getC()).getElementType();
  return element.isF16() || element.isBF16() ? Float32Type::get(getContext()) : element;
}

/// Real multiplications and additions of one product of the element types.
static double flopsPerProduct(GemmOp op) {
  bool complexA = isa<ComplexType>(shaped(op.getA()).getElementType());
  bool complexB = isa<ComplexType>(shaped(op.getB()).getElementType());
  return complexA && complexB ? 8 : complexA || complexB ? 4 : 2;
}

double GemmOp::getFlops(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return flopsPerProduct(*this) * batch * m * n * k;
}

static double elementBytes(Value value) {
  Type type = shaped(value).getElementType();
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().getIntOrFloatBitWidth() / 4.0;
  return type.getIntOrFloatBitWidth() / 8.0;
}

double GemmOp::getBytes(int64_t batch, int64_t m, int64_t n, int64_t k) {
  auto beta = getConstantBeta();
  double touchesOfC = beta && *beta == 0.0 ? 1 : 2;
  double batchA = shaped(getA()).getRank() > 2 ? batch : 1;
  double batchB = shaped(getB()).getRank() > 2 ? batch : 1;
  return batchA * m * k * elementBytes(getA()) + batchB * k * n * elementBytes(getB()) +
         touchesOfC * batch * m * n * elementBytes(getC());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr rooftile::blas::getConstantScalar(Value scalar) {
  TypedAttr attribute;
  return matchPattern(scalar, m_Constant(&attribute)) ? attribute : TypedAttr();
}

/// Value of a constant scalar; `absent` when there is no operand.
static std::optional<std::complex<double>> constantOf(Value value, double absent) {
  if (!value)
    return std::complex<double>(absent);
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  auto real = [](Attribute part) { return cast<FloatAttr>(part).getValueAsDouble(); };
  if (isa<FloatAttr>(attribute))
    return std::complex<double>(real(attribute));
  if (auto parts = dyn_cast<ArrayAttr>(attribute))
    return std::complex<double>(real(parts[0]), real(parts[1]));
  return std::nullopt;
}

std::optional<std::complex<double>> GemmOp::getConstantAlpha() { return constantOf(getAlpha(), 1); }
std::optional<std::complex<double>> GemmOp::getConstantBeta() { return constantOf(getBeta(), 0); }

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

void GemmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (hasTensorSemantics())
    return;
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    effects.emplace_back(MemoryEffects::Read::get(), operand, SideEffects::DefaultResource::get());
  auto beta = getConstantBeta();
  if (!beta || *beta != 0.0)
    effects.emplace_back(MemoryEffects::Read::get(), &getCMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getCMutable(), SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

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
    return op.emitOpError("result is ") << op.getResults()[0].getType() << " but C is "
                                        << op.getC().getType();
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
        return op.emitOpError("batch dimension ") << dim << " of operand " << name << " is "
               << type.getDimSize(dim) << " but that of C is " << c.getDimSize(dim);
  }
  return success();
}

static LogicalResult verifySizes(GemmOp op) {
  ShapedType a = shaped(op.getA()), b = shaped(op.getB()), c = shaped(op.getC());
  int64_t rowsA = opSize(a, op.getOpA(), 0), colsA = opSize(a, op.getOpA(), 1);
  int64_t rowsB = opSize(b, op.getOpB(), 0), colsB = opSize(b, op.getOpB(), 1);
  int64_t rowsC = opSize(c, Transpose::None, 0), colsC = opSize(c, Transpose::None, 1);
  if (differ(colsA, rowsB))
    return op.emitOpError("K differs: op(A) has ") << colsA << " columns but op(B) has " << rowsB << " rows";
  if (differ(rowsA, rowsC))
    return op.emitOpError("M differs: op(A) has ") << rowsA << " rows but C has " << rowsC << " rows";
  if (differ(colsB, colsC))
    return op.emitOpError("N differs: op(B) has ") << colsB << " columns but C has " << colsC << " columns";
  return success();
}

/// Width in bits of the real numbers an element is made of.
static unsigned realWidth(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return (complex ? complex.getElementType() : type).getIntOrFloatBitWidth();
}

static LogicalResult verifyTypes(GemmOp op) {
  Type a = shaped(op.getA()).getElementType(), b = shaped(op.getB()).getElementType();
  Type c = shaped(op.getC()).getElementType(), acc = op.getAccumulatorType();
  bool complexAB = isa<ComplexType>(a) || isa<ComplexType>(b);
  if (complexAB != isa<ComplexType>(c))
    return op.emitOpError("operand types do not match: A is ") << a << ", B is " << b << ", C is " << c
           << "; C is complex exactly when A or B is";
  if (!op.getAcc() && (realWidth(a) > realWidth(acc) || realWidth(b) > realWidth(acc)))
    return op.emitOpError("operand types do not match: A is ") << a << ", B is " << b << ", C is " << c
           << "; a wider operand than C needs an explicit acc";
  if (!isa<FloatType, ComplexType>(acc) || isa<ComplexType>(acc) != isa<ComplexType>(c))
    return op.emitOpError("accumulator type ") << acc << " does not fit C of " << c;
  if (realWidth(acc) < std::max(realWidth(a), realWidth(b)))
    return op.emitOpError("accumulator type ") << acc << " is narrower than the operands " << a << " and " << b;
  for (auto [name, value] : {std::pair("alpha", op.getAlpha()), std::pair("beta", op.getBeta())})
    if (value && value.getType() != acc)
      return op.emitOpError("operand ") << name << " is " << value.getType()
             << " but products are summed in " << acc;
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(verifyForm(*this)) || failed(verifyRanks(*this)) || failed(verifySizes(*this)) ||
      failed(verifyTypes(*this)))
    return failure();
  if (!hasTensorSemantics() && (getA() == getC() || getB() == getC()))
    return emitOpError("output C is also operand ") << (getA() == getC() ? "A" : "B")
           << ": the output must not overlap an input";
  return success();
}
