//===- ExpandViews.cpp - Views of host code as scalars --------------------===//
//
// Upstream's expand-strided-metadata makes one form of most views: an address, an
// offset, sizes and strides. It leaves memref.transpose, which permutes sizes and
// strides, and which only the conversion to LLVM has; and it crashes at reshapes that
// stride-reshapes lowers, which is done here, too. Host code as data has no
// views of its own, so that both forms of host code run this pass instead.
//
//===----------------------------------------------------------------------===//

#include "StrideReshapes.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "rooftile/Conversion/OtherOps/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_EXPANDVIEWS
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

namespace {
struct ExpandTranspose : OpRewritePattern<memref::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, transpose.getLoc(), transpose.getIn());
    SmallVector<OpFoldResult> sizes, strides;
    for (AffineExpr dimension : transpose.getPermutation().getResults()) {
      unsigned from = cast<AffineDimExpr>(dimension).getPosition();
      sizes.push_back(source.getConstifiedMixedSizes()[from]);
      strides.push_back(source.getConstifiedMixedStrides()[from]);
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        transpose, transpose.getType(), source.getBaseBuffer(), source.getConstifiedMixedOffset(),
        sizes, strides);
    return success();
  }
};

struct ExpandViewsPass : rooftile::impl::ExpandViewsBase<ExpandViewsPass> {
  void runOnOperation() override {
    rooftile::strideReshapes(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandTranspose>(&getContext());
    memref::populateExpandStridedMetadataPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
