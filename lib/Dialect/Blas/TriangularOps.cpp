//===- TriangularOps.cpp - Interface of blas.trmm and blas.trsm -----------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

/// Rows (0) or columns (1) of the output, from whichever operand knows.
static int64_t sizeOfOutput(TriangularOpInterface op, int dim) {
  int64_t size = getSizeOf(shaped(op.getC()), Transpose::None, dim);
  if (ShapedType::isDynamic(size) && op.getB())
    size = getSizeOf(shaped(op.getB()), Transpose::None, dim);
  bool alongA = (op.getSide() == Side::Left) == (dim == 0);
  for (int side : {0, 1})
    if (ShapedType::isDynamic(size) && alongA)
      size = getSizeOf(shaped(op.getA()), Transpose::None, side);
  return size;
}

static int64_t batchEntries(TriangularOpInterface op) {
  return batchOf(shaped(op.getC()).getShape().drop_back(2));
}

static Type accumulatorOf(TriangularOpInterface op) {
  Type element = shaped(op.getC()).getElementType();
  return element.isF16() || element.isBF16() ? Float32Type::get(op->getContext()) : element;
}

static Structure structureOf(TriangularOpInterface op) {
  bool lower = op.getUplo() == Uplo::Lower;
  if (op.getDiag() == Diag::Unit)
    return lower ? Structure::UnitLower : Structure::UnitUpper;
  return lower ? Structure::Lower : Structure::Upper;
}

/// One multiplication and one addition for each element of the triangle and of the output's other
/// dimension: K M N in all (times 4 for complex elements).
static double flopsOf(TriangularOpInterface op, double batch, double m, double n, double k) {
  return (isa<ComplexType>(shaped(op.getC()).getElementType()) ? 4 : 1) * batch * m * n * k;
}

/// The triangle once, the other matrix once, the output once.
static double bytesOf(TriangularOpInterface op, double batch, double m, double n, double k) {
  double triangle = k * (op.getDiag() == Diag::Unit ? k - 1 : k + 1) / 2;
  double batchA = shaped(op.getA()).getRank() > 2 ? batch : 1;
  return (batchA * triangle + 2 * batch * m * n) * elementBytes(shaped(op.getC()).getElementType());
}

/// In place the output is an input; alpha = 0 reads nothing.
static bool readsOutput(TriangularOpInterface op) {
  return op.isInPlace() && op.getConstantAlpha() != std::complex<double>(0);
}

static void effectsOf(TriangularOpInterface op,
                      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (op.isOnTensors())
    return;
  auto *resource = SideEffects::DefaultResource::get();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isOutput = operand.get() == op.getC();
    if (!isOutput || readsOutput(op))
      effects.emplace_back(MemoryEffects::Read::get(), &operand, resource);
    if (isOutput)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, resource);
  }
}

//===----------------------------------------------------------------------===//
// blas.trmm
//===----------------------------------------------------------------------===//

int64_t TrmmOp::getM() { return sizeOfOutput(*this, 0); }
int64_t TrmmOp::getN() { return sizeOfOutput(*this, 1); }
int64_t TrmmOp::getK() { return getSide() == Side::Left ? getM() : getN(); }
int64_t TrmmOp::getBatch() { return batchEntries(*this); }
Value TrmmOp::getMatrixA() { return getA(); }
Value TrmmOp::getMatrixB() { return getB() ? getB() : getC(); }
Value TrmmOp::getMatrixC() { return getC(); }
bool TrmmOp::readsC() { return readsOutput(*this); }
Transpose TrmmOp::getTransposeA() { return getOpA(); }
Transpose TrmmOp::getTransposeB() { return Transpose::None; }
Type TrmmOp::getAccumulatorType() { return accumulatorOf(*this); }
Structure TrmmOp::getStructureA() { return structureOf(*this); }
Structure TrmmOp::getStructureB() { return Structure::General; }
double TrmmOp::getFlops(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return flopsOf(*this, batch, m, n, k);
}
double TrmmOp::getBytes(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return bytesOf(*this, batch, m, n, k);
}
void TrmmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effectsOf(*this, effects);
}

//===----------------------------------------------------------------------===//
// blas.trsm
//===----------------------------------------------------------------------===//

int64_t TrsmOp::getM() { return sizeOfOutput(*this, 0); }
int64_t TrsmOp::getN() { return sizeOfOutput(*this, 1); }
int64_t TrsmOp::getK() { return getSide() == Side::Left ? getM() : getN(); }
int64_t TrsmOp::getBatch() { return batchEntries(*this); }
Value TrsmOp::getMatrixA() { return getA(); }
Value TrsmOp::getMatrixB() { return getB() ? getB() : getC(); }
Value TrsmOp::getMatrixC() { return getC(); }
bool TrsmOp::readsC() { return readsOutput(*this); }
Transpose TrsmOp::getTransposeA() { return getOpA(); }
Transpose TrsmOp::getTransposeB() { return Transpose::None; }
Type TrsmOp::getAccumulatorType() { return accumulatorOf(*this); }
Structure TrsmOp::getStructureA() { return structureOf(*this); }
Structure TrsmOp::getStructureB() { return Structure::General; }
double TrsmOp::getFlops(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return flopsOf(*this, batch, m, n, k);
}
double TrsmOp::getBytes(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return bytesOf(*this, batch, m, n, k);
}
void TrsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effectsOf(*this, effects);
}
