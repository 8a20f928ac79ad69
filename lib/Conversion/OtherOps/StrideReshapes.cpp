//===- StrideReshapes.cpp - Expanded memrefs by their strides -------------===//
//
// Upstream's expand-strided-metadata computes the one dynamic size of a group from the others, and
// does not survive two (LLVM 22.1). The operation names all sizes: with two, strides are products
// of these.
//
//===----------------------------------------------------------------------===//

#include "StrideReshapes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Conversion/OtherOps/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_STRIDERESHAPES
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

static bool hasDynamicGroup(memref::ExpandShapeOp expand) {
  return llvm::any_of(expand.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::count_if(
               group, [&](int64_t dim) { return expand.getResultType().isDynamicDim(dim); }) > 1;
  });
}

/// `known` where it is a number, else `value`.
static OpFoldResult numberOr(OpBuilder &builder, int64_t known, OpFoldResult value) {
  return ShapedType::isDynamic(known) ? value : OpFoldResult(builder.getIndexAttr(known));
}

/// Strides of a group with sizes [s0, s1, s2] of a dimension of stride s: s1 * s2 * s, s2 * s, s.
static void replace(IRRewriter &rewriter, memref::ExpandShapeOp expand) {
  rewriter.setInsertionPoint(expand);
  Location loc = expand.getLoc();
  MemRefType type = expand.getResultType();
  auto [knownStrides, knownOffset] = type.getStridesAndOffset();
  auto source = memref::ExtractStridedMetadataOp::create(rewriter, loc, expand.getSrc());
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape(), strides(sizes.size());
  SmallVector<OpFoldResult> sourceStrides = source.getConstifiedMixedStrides();
  AffineExpr s0, s1;
  bindSymbols(rewriter.getContext(), s0, s1);
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    OpFoldResult stride = sourceStrides[dim];
    for (int64_t part : llvm::reverse(group)) {
      strides[part] = numberOr(rewriter, knownStrides[part], stride);
      sizes[part] = numberOr(rewriter, type.getDimSize(part), sizes[part]);
      if (part != group.front())
        stride =
            affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1, {stride, sizes[part]});
    }
  }
  OpFoldResult offset = numberOr(rewriter, knownOffset, source.getConstifiedMixedOffset());
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(expand, type, source.getBaseBuffer(),
                                                         offset, sizes, strides);
}

void rooftile::strideReshapes(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](memref::ExpandShapeOp expand) {
    if (hasDynamicGroup(expand))
      replace(rewriter, expand);
  });
}

namespace {
struct StrideReshapesPass : rooftile::impl::StrideReshapesBase<StrideReshapesPass> {
  void runOnOperation() override { rooftile::strideReshapes(getOperation()); }
};
} // namespace
