//===- Pack.cpp - blas.pack: verifier, folders, effects -------------------===//
//
// A copy of a matrix, transposed or not, into one that may be larger. As for
// blas.gemm, messages name the operand and both sizes or types.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "Verifiers.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static LogicalResult verifyTypes(PackOp op) {
  if (isConjugated(op.getTranspose()))
    return op.emitOpError("op is ")
           << stringifyTranspose(op.getTranspose()) << ", but copies are n or t";
  Type a = shaped(op.getA()).getElementType(), w = shaped(op.getW()).getElementType();
  if (op.getParts() && !(a.isF32() && w.isBF16()))
    return op.emitOpError("parts are those of f32 in bf16, but elements of A are ")
           << a << " and those of W are " << w;
  if (!op.getParts() && a != w)
    return op.emitOpError("elements of A are ") << a << " but those of W are " << w;
  int64_t aligned = op.getAligned();
  if (aligned < 1 || aligned > packedMultiple(w) || !llvm::isPowerOf2_64(aligned))
    return op.emitOpError("aligned = ") << aligned << " is not a power of 2 up to "
                                        << packedMultiple(w) << ", 16 bytes of " << w;
  if (int64_t possible = getPossibleVector(op.getW()); aligned > possible)
    return op.emitOpError("aligned = ")
           << aligned << " but operand W, " << op.getW().getType() << ", allows " << possible;
  return success();
}

static LogicalResult verifyShapes(PackOp op) {
  ShapedType a = shaped(op.getA()), w = shaped(op.getW());
  for (auto [name, type] : {std::pair("A", a), std::pair("W", w)})
    if (type.getRank() < 2)
      return op.emitOpError("operand ")
             << name << " has rank " << type.getRank() << ", expected at least 2";
  if (a.getRank() != w.getRank())
    return op.emitOpError("operand A has rank ")
           << a.getRank() << " but W has rank " << w.getRank();
  for (int64_t dim = 0; dim < a.getRank() - 2; ++dim)
    if (differ(a.getDimSize(dim), w.getDimSize(dim)))
      return op.emitOpError("batch dimension ") << dim << " of operand A is " << a.getDimSize(dim)
                                                << " but that of W is " << w.getDimSize(dim);
  for (int dim : {0, 1}) {
    int64_t ofA = getSizeOf(a, op.getTranspose(), dim), ofW = getSizeOf(w, Transpose::None, dim);
    if (dim == 0 && op.getParts()) {
      int64_t blocks = op.getParts()->getOrder().size();
      if (ShapedType::isDynamic(ofA) || ShapedType::isDynamic(ofW) || ofA * blocks <= ofW)
        continue;
      return op.emitOpError("op(A) has ")
             << ofA << " rows in " << blocks << " blocks each but W has " << ofW;
    }
    if (differ(ofA, ofW) && ofA > ofW)
      return op.emitOpError("op(A) has ")
             << ofA << (dim == 0 ? " rows but W has " : " columns but W has ") << ofW;
  }
  return success();
}

/// A structure is that of a square matrix; a Hermitian one has complex elements.
static LogicalResult verifyStructure(PackOp op) {
  Structure structure = op.getStructure();
  ShapedType a = shaped(op.getA());
  if (structure != Structure::General && op.getParts())
    return op.emitOpError("structure is ")
           << stringifyStructure(structure) << ", but parts are those of a general matrix";
  int64_t rows = getSizeOf(a, Transpose::None, 0), columns = getSizeOf(a, Transpose::None, 1);
  if (structure != Structure::General && differ(rows, columns))
    return op.emitOpError("operand A is ") << rows << " x " << columns << ", but one that is "
                                           << stringifyStructure(structure) << " is square";
  bool hermitian = structure == Structure::HermitianLower || structure == Structure::HermitianUpper;
  if (hermitian && !isa<ComplexType>(a.getElementType()))
    return op.emitOpError("structure is ")
           << stringifyStructure(structure) << " but elements of A are " << a.getElementType();
  return success();
}

LogicalResult PackOp::verify() {
  NamedMatrix a{"A", getA()}, w{"W", getW()};
  if (failed(verifyMatrix(*this, a)) || failed(verifyMatrix(*this, w)) ||
      failed(verifyForm(*this, {a}, w)) || failed(verifyShapes(*this)) ||
      failed(verifyTypes(*this)) || failed(verifyStructure(*this)))
    return failure();
  return verifyOutput(*this, {a}, w);
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

LogicalResult PackOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return success(foldCasts({&getAMutable(), &getWMutable()}));
}

namespace {
/// A size of A or W is 0: nothing to copy.
struct DropEmptyCopy : OpRewritePattern<PackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PackOp op, PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(shaped(op.getW()).getShape(), 0) &&
        !llvm::is_contained(shaped(op.getA()).getShape(), 0))
      return rewriter.notifyMatchFailure(op, "there are elements");
    rewriter.replaceOp(op, op.hasTensorSemantics() ? ValueRange(op.getW()) : ValueRange());
    return success();
  }
};
} // namespace

void PackOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmptyCopy>(context);
}

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

void PackOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (hasTensorSemantics())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getAMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getWMutable(),
                       SideEffects::DefaultResource::get());
}
