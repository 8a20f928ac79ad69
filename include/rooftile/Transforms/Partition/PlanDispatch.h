//===- PlanDispatch.h - The choice among plans at run time ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_PLANDISPATCH_H
#define ROOFTILE_TRANSFORMS_PARTITION_PLANDISPATCH_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces `op`, a product on memrefs with `plans`, by host code that finds the first case
/// that holds and an operation with one plan for each; a case that cannot hold is left out, with a
/// warning. Orders that are given go into the types of the operands, also without `plans`. A
/// located error for `plans` on tensors, where `op` stays as it was.
llvm::LogicalResult dispatchPlans(mlir::RewriterBase &rewriter, blas::ProductOpInterface op);

/// An i1 that is true where `given` holds for the operands of `op`, which are memrefs.
mlir::Value emitCondition(mlir::OpBuilder &builder, blas::ProductOpInterface op,
                          blas::GivenAttr given);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_PLANDISPATCH_H
