//===- LinalgOperands.cpp - The operands of a linalg product as matrices --===//
//
// Loops that all operands walk through together are one loop: the batch and the rows of
// C = A * B with one B for the whole batch make one taller matrix, and a sum over two
// neighbouring dimensions is a sum over one. What order is left is a matter of strides.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Transforms/LinalgProduct.h"

using namespace mlir;
using namespace rooftile;

/// The run that begins at `first` and goes on as the dimensions of `order` do.
static ReassociationIndices runFrom(int64_t first, AffineMap order, ArrayRef<AffineMap> maps) {
  auto holders = [&](int64_t loop) {
    return llvm::map_to_vector(maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); });
  };
  ReassociationIndices run{first};
  for (AffineExpr expr : order.getResults()) {
    int64_t next = cast<AffineDimExpr>(expr).getPosition();
    if (llvm::is_contained(run, next) || holders(next) != holders(first))
      continue;
    ReassociationIndices longer = run;
    longer.push_back(next);
    if (linalg::areDimSequencesPreserved(maps, {longer}))
      run = longer;
  }
  return run;
}

SmallVector<ReassociationIndices> rooftile::foldableLoops(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps.size() != 3 ||
      !llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  SmallVector<ReassociationIndices> runs;
  llvm::SmallDenseSet<int64_t> taken;
  // Loops of C in its order, then those that only A and B have.
  for (AffineMap order : {maps[2], maps[0]})
    for (AffineExpr expr : order.getResults()) {
      int64_t first = cast<AffineDimExpr>(expr).getPosition();
      if (taken.contains(first))
        continue;
      ReassociationIndices run = runFrom(first, order, maps);
      taken.insert(run.begin(), run.end());
      if (run.size() > 1)
        runs.push_back(run);
    }
  return runs;
}

FailureOr<linalg::LinalgOp> rooftile::foldLoops(RewriterBase &rewriter, linalg::LinalgOp op,
                                                ArrayRef<ReassociationIndices> runs) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  // Named operations fix the number of their loops.
  auto generic = cast<linalg::LinalgOp>(rewriter.clone(*op));
  if (!isa<linalg::GenericOp>(*op)) {
    FailureOr<linalg::GenericOp> general = linalg::generalizeNamedOp(rewriter, generic);
    if (failed(general)) {
      rewriter.eraseOp(generic);
      return rewriter.notifyMatchFailure(op, "has no general form");
    }
    generic = cast<linalg::LinalgOp>(general->getOperation());
  }
  auto collapsed = linalg::collapseOpIterationDims(generic, runs, rewriter);
  if (failed(collapsed)) {
    rewriter.eraseOp(generic);
    return rewriter.notifyMatchFailure(op, "an operand cannot be reshaped");
  }
  rewriter.eraseOp(generic);
  rewriter.replaceOp(op, collapsed->results);
  return collapsed->collapsedOp;
}

Value rooftile::viewOperand(RewriterBase &rewriter, Value operand, const OperandView &view,
                            function_ref<OpFoldResult(unsigned)> size) {
  Location loc = operand.getLoc();
  auto metadata = memref::ExtractStridedMetadataOp::create(rewriter, loc, operand);
  SmallVector<OpFoldResult> oldSizes = metadata.getConstifiedMixedSizes(),
                            oldStrides = metadata.getConstifiedMixedStrides(), sizes, strides;
  OpFoldResult offset = metadata.getConstifiedMixedOffset();
  for (unsigned loop : view.wanted) {
    const unsigned *found = llvm::find(view.stored, loop);
    size_t dim = found - view.stored.begin();
    bool broadcast = found == view.stored.end();
    sizes.push_back(broadcast ? size(loop) : oldSizes[dim]);
    strides.push_back(broadcast ? OpFoldResult(rewriter.getIndexAttr(0)) : oldStrides[dim]);
  }
  auto fixed = [](ArrayRef<OpFoldResult> values) {
    return decomposeMixedValues(llvm::to_vector(values)).first;
  };
  auto layout = StridedLayoutAttr::get(rewriter.getContext(), fixed(offset)[0], fixed(strides));
  auto type = cast<MemRefType>(operand.getType());
  auto result = MemRefType::get(fixed(sizes), type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(rewriter, loc, result, metadata.getBaseBuffer(), offset,
                                           sizes, strides);
}
