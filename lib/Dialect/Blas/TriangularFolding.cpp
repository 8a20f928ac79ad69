//===- TriangularFolding.cpp - Folders of blas.trmm and blas.trsm ---------===//
//
// In place: alpha = 1 and the conjugation of reals go away, and casts that only
// hide sizes or strides. As patterns: a transposing producer of A becomes op(A),
// with the other triangle; alpha = 0 is a fill with zeros; an output without
// elements leaves nothing.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace rooftile::blas;

template <typename Op> static LogicalResult foldTriangular(Op op) {
  SmallVector<OpOperand *> operands{&op.getAMutable(), &op.getCMutable()};
  for (OpOperand &input : op.getBMutable())
    operands.push_back(&input);
  bool changed = foldCasts(operands);
  if (op.getAlpha() && op.getConstantAlpha() == std::complex<double>(1)) {
    op.getAlphaMutable().clear();
    changed = true;
  }
  if (Transpose simple = simplified(op.getOpA(), op.getA()); simple != op.getOpA()) {
    op.setOpA(simple);
    changed = true;
  }
  return success(changed);
}

LogicalResult TrmmOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldTriangular(*this);
}
LogicalResult TrsmOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldTriangular(*this);
}

bool rooftile::blas::absorbTransposes(RewriterBase &rewriter, TriangularOpInterface op) {
  if (op.getPlanAttr())
    return false;
  bool changed = false;
  while (Value source = transposedSource(op.getA())) {
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(0, source);
      op.setOpA(toggled(op.getOpA()));
      op.setUplo(op.getUplo() == Uplo::Lower ? Uplo::Upper : Uplo::Lower);
    });
    changed = true;
  }
  return changed;
}

/// The output as it is, in place of the operation.
static void replaceByOutput(PatternRewriter &rewriter, TriangularOpInterface op) {
  rewriter.replaceOp(op, op.isOnTensors() ? ValueRange(op.getC()) : ValueRange());
}

namespace {

/// The output has no element: nothing to compute.
struct DropEmpty : OpInterfaceRewritePattern<TriangularOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(TriangularOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getM() != 0 && op.getN() != 0 && op.getBatch() != 0)
      return rewriter.notifyMatchFailure(op, "the output has elements");
    replaceByOutput(rewriter, op);
    return success();
  }
};

/// alpha = 0: the result is 0 whatever A and B hold.
struct FillWithZeros : OpInterfaceRewritePattern<TriangularOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(TriangularOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getConstantAlpha() != std::complex<double>(0))
      return rewriter.notifyMatchFailure(op, "alpha is not 0");
    Type element = cast<ShapedType>(op.getC().getType()).getElementType();
    Value zero = createScalar(rewriter, op.getLoc(), element, 0);
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, zero, op.getC());
    return success();
  }
};

struct AbsorbTransposes : OpInterfaceRewritePattern<TriangularOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(TriangularOpInterface op,
                                PatternRewriter &rewriter) const override {
    return success(absorbTransposes(rewriter, op));
  }
};

} // namespace

static void addPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmpty>(context, /*benefit=*/2);
  patterns.add<FillWithZeros, AbsorbTransposes>(context);
}

void TrmmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  addPatterns(patterns, context);
}
void TrsmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  addPatterns(patterns, context);
}
