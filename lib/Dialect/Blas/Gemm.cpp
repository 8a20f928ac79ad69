//===- Gemm.cpp - Interface of blas.gemm ----------------------------------===//

#include "../ClauseText.h"
#include "../EpilogueText.h"
#include "Bytecode.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

#include "rooftile/Dialect/Blas/BlasInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "rooftile/Dialect/Blas/Blas.cpp.inc"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

/// The static one of two sizes that must agree.
static int64_t known(int64_t left, int64_t right) {
  return ShapedType::isDynamic(left) ? right : left;
}

/// Rows (0) or columns (1) of C, by C or by the operand that has as many. Padding of op(A) and
/// op(B) is not counted.
static int64_t sizeOfC(GemmOp op, int dim) {
  int64_t size = getSizeOf(shaped(op.getC()), Transpose::None, dim);
  if (op.getPadded())
    return size;
  return known(dim == 0 ? getSizeOf(shaped(op.getA()), op.getOpA(), 0)
                        : getSizeOf(shaped(op.getB()), op.getOpB(), 1),
               size);
}

/// One with a triangle is square.
int64_t GemmOp::getM() {
  int64_t size = sizeOfC(*this, 0);
  return getTriangle() ? known(size, sizeOfC(*this, 1)) : size;
}
int64_t GemmOp::getN() {
  int64_t size = sizeOfC(*this, 1);
  return getTriangle() ? known(size, sizeOfC(*this, 0)) : size;
}
int64_t GemmOp::getK() {
  return known(getSizeOf(shaped(getA()), getOpA(), 1), getSizeOf(shaped(getB()), getOpB(), 0));
}

int64_t rooftile::blas::batchOf(ArrayRef<int64_t> sizes) {
  uint64_t product = 1;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return ShapedType::kDynamic;
    product = llvm::SaturatingMultiply<uint64_t>(product, size);
  }
  return std::min<uint64_t>(product, std::numeric_limits<int64_t>::max());
}

int64_t GemmOp::getBatch() {
  return batchOf(shaped(getC()).getShape().drop_front(getPartial()).drop_back(2));
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
  return getDefaultSumType(shaped(getC()).getElementType());
}

/// Real multiplications and additions of one product of the element types.
static double flopsPerProduct(GemmOp op) {
  bool complexA = isa<ComplexType>(shaped(op.getA()).getElementType());
  bool complexB = isa<ComplexType>(shaped(op.getB()).getElementType());
  return complexA && complexB ? 8 : complexA || complexB ? 4 : 2;
}

/// Elements of an M x N matrix C that are computed.
static double elementsOfC(GemmOp op, int64_t m, int64_t n) {
  return op.getTriangle() ? double(m) * (m + 1) / 2 : double(m) * n;
}

double GemmOp::getFlops(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return flopsPerProduct(*this) * batch * elementsOfC(*this, m, n) * k;
}

static double bytesOfElement(Value value) { return elementBytes(shaped(value).getElementType()); }

/// Bytes of the extra operands of an epilogue, each read once.
static double bytesOfExtras(GemmOp op, int64_t batch, int64_t m, int64_t n) {
  int64_t rank = shaped(op.getC()).getRank();
  double bytes = 0;
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    auto type = dyn_cast<ShapedType>(extra.getType());
    if (!type)
      continue;
    double elements = 1;
    for (int64_t dim : op.getDimsOf(index))
      if (int64_t size = shaped(op.getC()).getDimSize(dim); dim >= rank - 2)
        elements *= dim == rank - 1 ? n : m;
      else
        elements *= ShapedType::isDynamic(size) ? batch : size;
    bytes += elements * bytesOfElement(extra);
  }
  return bytes;
}

double GemmOp::getBytes(int64_t batch, int64_t m, int64_t n, int64_t k) {
  double touchesOfC = readsC() ? 2 : 1;
  double batchA = isShared(shaped(getA())) ? 1 : batch;
  double batchB = isShared(shaped(getB())) ? 1 : batch;
  bool isOne = getA() == getB();
  return batchA * m * k * bytesOfElement(getA()) +
         (isOne ? 0 : batchB * k * n * bytesOfElement(getB())) +
         touchesOfC * getSlices() * batch * elementsOfC(*this, m, n) * bytesOfElement(getC()) +
         bytesOfExtras(*this, batch, m, n);
}

bool GemmOp::readsC() { return getConstantBeta() != std::complex<double>(0); }

//===----------------------------------------------------------------------===//
// ProductOpInterface
//===----------------------------------------------------------------------===//

ProductFields::ProductFields(ProductOpInterface op)
    : a(op.getMatrixA()), b(op.getMatrixB()), c(op.getMatrixC()), alpha(op.getAlpha()),
      beta(op.getBeta()), workspace(op.getWorkspace()), transposeA(op.getTransposeA()),
      transposeB(op.getTransposeB()), epilogue(epilogueOf(op)), partial(op.getPartial()),
      padded(op.getPadded()), structureA(op.getStructureA()), structureB(op.getStructureB()),
      masked(op.getMasked()), triangle(op.getTriangleAttr()), acc(op.getAccAttr()),
      given(op.getGivenAttr()), plan(op.getPlanAttr()), plans(op.getPlansAttr()) {}

ProductOpInterface GemmOp::createLike(OpBuilder &builder, const ProductFields &fields) {
  Type c = fields.c.getType();
  const Epilogue &epilogue = fields.epilogue;
  auto gemm = GemmOp::create(
      builder, getLoc(), isa<TensorType>(c) ? TypeRange(c) : TypeRange(), fields.a, fields.b,
      fields.c, fields.alpha, fields.beta, fields.workspace, epilogue.extras, fields.transposeA,
      fields.transposeB, getMath(), getAnyOrder(), getCompensated(), fields.partial, fields.padded,
      fields.structureA, fields.structureB, fields.masked, fields.triangle, getRealDiagonal(),
      fields.acc, fields.given, fields.plan, fields.plans, epilogue.dims,
      epilogue.function ? 1 : 0);
  gemm->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  cloneFunction(epilogue, gemm);
  return gemm;
}

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

void GemmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getWorkspace()) {
    OpOperand *workspace = &getWorkspaceMutable().begin()[0];
    effects.emplace_back(MemoryEffects::Read::get(), workspace,
                         SideEffects::DefaultResource::get());
    effects.emplace_back(MemoryEffects::Write::get(), workspace,
                         SideEffects::DefaultResource::get());
  }
  if (hasTensorSemantics())
    return;
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    effects.emplace_back(MemoryEffects::Read::get(), operand, SideEffects::DefaultResource::get());
  for (OpOperand &extra : getExtrasMutable())
    if (isa<MemRefType>(extra.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &extra, SideEffects::DefaultResource::get());
  if (readsC())
    effects.emplace_back(MemoryEffects::Read::get(), &getCMutable(),
                         SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getCMutable(),
                       SideEffects::DefaultResource::get());
}
