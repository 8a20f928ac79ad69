//===- PlanDispatch.h - The choice among plans at run time ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PLANDISPATCH_H
#define ROOFTILE_TRANSFORMS_PLANDISPATCH_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces `op`, a blas.gemm on memrefs with `plans`, by host code that finds the first case
/// that holds and an operation with one plan for each. A located error on tensors, where `op`
/// stays as it was; nothing to do without `plans`.
llvm::LogicalResult dispatchPlans(mlir::RewriterBase &rewriter, blas::GemmOp op);

/// An i1 that is true where `given` holds for the operands of `op`, which are memrefs.
mlir::Value emitCondition(mlir::OpBuilder &builder, blas::GemmOp op, blas::GivenAttr given);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PLANDISPATCH_H
