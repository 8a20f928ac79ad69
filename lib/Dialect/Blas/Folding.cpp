//===- Folding.cpp - Folders and canonicalization of blas.gemm ------------===//
//
// In place: alpha = 1, beta = 0 and the conjugation of reals go away, and casts
// that only hide sizes or strides. As patterns: transposing producers become
// op(A) and op(B); a product of nothing (alpha = 0, K = 0) leaves beta * C,
// where A and B are not read, and C only if beta is not 0; an output without
// elements leaves nothing. Epilogues and batches: Epilogue.cpp, Batch.cpp.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

Transpose rooftile::blas::simplified(Transpose op, Value matrix) {
  if (isa<ComplexType>(getElementTypeOrSelf(matrix.getType())) || !isConjugated(op))
    return op;
  return op == Transpose::Adjoint ? Transpose::Trans : Transpose::None;
}

bool rooftile::blas::foldCasts(ArrayRef<OpOperand *> operands) {
  bool changed = false;
  for (OpOperand *operand : operands) {
    auto cast = operand->get().getDefiningOp<memref::CastOp>();
    if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
      continue;
    operand->set(cast.getSource());
    changed = true;
  }
  return changed;
}

LogicalResult GemmOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  SmallVector<OpOperand *> matrices{&getAMutable(), &getBMutable(), &getCMutable()};
  if (getWorkspace())
    matrices.push_back(&getWorkspaceMutable().begin()[0]);
  for (OpOperand &extra : getExtrasMutable())
    matrices.push_back(&extra);
  bool changed = foldCasts(matrices);
  if (getAlpha() && getConstantAlpha() == std::complex<double>(1)) {
    getAlphaMutable().clear();
    changed = true;
  }
  if (getBeta() && getConstantBeta() == std::complex<double>(0)) {
    getBetaMutable().clear();
    changed = true;
  }
  if (Transpose op = simplified(getOpA(), getA()); op != getOpA()) {
    setOpA(op);
    changed = true;
  }
  if (Transpose op = simplified(getOpB(), getB()); op != getOpB()) {
    setOpB(op);
    changed = true;
  }
  return success(changed);
}

//===----------------------------------------------------------------------===//
// Transposing producers
//===----------------------------------------------------------------------===//

/// True for a permutation that exchanges the last two dimensions only.
template <typename Integer> static bool exchangesMatrixDims(ArrayRef<Integer> permutation) {
  size_t rank = permutation.size();
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    if (static_cast<size_t>(permutation[dim]) != dim)
      return false;
  return rank >= 2 && static_cast<size_t>(permutation[rank - 2]) == rank - 1;
}

Value rooftile::blas::transposedSource(Value matrix) {
  if (auto op = matrix.getDefiningOp<linalg::TransposeOp>())
    return exchangesMatrixDims(op.getPermutation()) ? op.getInput() : Value();
  if (auto op = matrix.getDefiningOp<linalg::GenericOp>()) {
    auto permutation = linalg::isaTransposeOpInterface(op);
    return permutation && exchangesMatrixDims(ArrayRef(*permutation)) ? op.getDpsInputs()[0]
                                                                      : Value();
  }
  if (auto op = matrix.getDefiningOp<memref::TransposeOp>()) {
    SmallVector<unsigned> permutation;
    for (AffineExpr result : op.getPermutation().getResults())
      permutation.push_back(cast<AffineDimExpr>(result).getPosition());
    return exchangesMatrixDims(ArrayRef(permutation)) ? op.getIn() : Value();
  }
  return {};
}

Transpose rooftile::blas::toggled(Transpose op) {
  switch (op) {
  case Transpose::None:
    return Transpose::Trans;
  case Transpose::Trans:
    return Transpose::None;
  case Transpose::Adjoint:
    return Transpose::Conj;
  case Transpose::Conj:
    return Transpose::Adjoint;
  }
  return op;
}

bool rooftile::blas::absorbTransposes(RewriterBase &rewriter, GemmOp gemm) {
  // A plan, and a kernel of the user's, are for the operands as they stand.
  if (gemm.getPlanAttr() || gemm->hasAttr(BlasDialect::kKernelName))
    return false;
  bool changed = false;
  while (Value source = transposedSource(gemm.getA())) {
    rewriter.modifyOpInPlace(gemm, [&] {
      gemm.getAMutable().set(source);
      gemm.setOpA(toggled(gemm.getOpA()));
    });
    changed = true;
  }
  while (Value source = transposedSource(gemm.getB())) {
    rewriter.modifyOpInPlace(gemm, [&] {
      gemm.getBMutable().set(source);
      gemm.setOpB(toggled(gemm.getOpB()));
    });
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Products of nothing
//===----------------------------------------------------------------------===//

/// A real number in another width.
static Value convertReal(OpBuilder &builder, Location loc, Value value, Type to) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from == width)
    return value;
  return from < width ? arith::ExtFOp::create(builder, loc, to, value).getResult()
                      : arith::TruncFOp::create(builder, loc, to, value).getResult();
}

Value rooftile::blas::convertNumber(OpBuilder &builder, Location loc, Value value, Type to) {
  if (value.getType() == to)
    return value;
  auto complex = dyn_cast<ComplexType>(to);
  if (!complex)
    return convertReal(builder, loc, value, to);
  Value re = complex::ReOp::create(builder, loc, value),
        im = complex::ImOp::create(builder, loc, value);
  return complex::CreateOp::create(builder, loc, to,
                                   convertReal(builder, loc, re, complex.getElementType()),
                                   convertReal(builder, loc, im, complex.getElementType()));
}

Value rooftile::blas::createScaled(OpBuilder &builder, Location loc, Value beta, Value c) {
  Type acc = beta.getType();
  Value wide = convertNumber(builder, loc, c, acc), zero = createScalar(builder, loc, acc, 0),
        scaled;
  if (isa<ComplexType>(acc))
    scaled = complex::MulOp::create(builder, loc, beta, wide);
  else
    scaled = arith::MulFOp::create(builder, loc, beta, wide);
  Value counts = createNonZeroTest(builder, loc, beta);
  return arith::SelectOp::create(builder, loc, counts, scaled, zero);
}

namespace {

/// alpha = 0 or K = 0: C = beta * C.
struct DropProduct : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (gemm.getK() != 0 && gemm.getConstantAlpha() != std::complex<double>(0))
      return rewriter.notifyMatchFailure(gemm, "neither alpha nor K is 0");
    if (gemm.hasEpilogue() || gemm.getTriangle())
      return rewriter.notifyMatchFailure(gemm, "has an epilogue, or a triangle of C");
    if (getPointers(cast<ShapedType>(gemm.getC().getType())))
      return rewriter.notifyMatchFailure(gemm, "C lies anywhere: the kernel scales it");
    Location loc = gemm.getLoc();
    Value c = gemm.getC();
    auto type = cast<ShapedType>(c.getType());
    auto beta = gemm.getConstantBeta();
    if (beta == std::complex<double>(1)) {
      rewriter.replaceOp(gemm, gemm.hasTensorSemantics() ? ValueRange(c) : ValueRange());
      return success();
    }
    if (beta == std::complex<double>(0)) {
      Value zero = createScalar(rewriter, loc, type.getElementType(), 0);
      rewriter.replaceOpWithNewOp<linalg::FillOp>(gemm, zero, c);
      return success();
    }
    SmallVector<AffineMap> maps = {rewriter.getMultiDimIdentityMap(type.getRank())};
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
      Value scaled = createScaled(builder, loc, gemm.getBeta(), args[0]);
      linalg::YieldOp::create(builder, loc, convertNumber(builder, loc, scaled, args[0].getType()));
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(gemm, gemm->getResultTypes(), ValueRange(), c,
                                                   maps, loops, body);
    return success();
  }
};

/// M, N or a batch size is 0: nothing to compute.
struct DropEmpty : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (gemm.getM() != 0 && gemm.getN() != 0 && gemm.getBatch() != 0)
      return rewriter.notifyMatchFailure(gemm, "the output has elements");
    rewriter.replaceOp(gemm, gemm.hasTensorSemantics() ? ValueRange(gemm.getC()) : ValueRange());
    return success();
  }
};

/// Transposing producers become op(A) and op(B).
struct AbsorbTransposes : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    return success(absorbTransposes(rewriter, gemm));
  }
};

} // namespace

void GemmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmpty>(context, /*benefit=*/2);
  patterns.add<DropProduct, AbsorbTransposes>(context);
  populateEpiloguePatterns(patterns);
  populateBatchPatterns(patterns);
}
