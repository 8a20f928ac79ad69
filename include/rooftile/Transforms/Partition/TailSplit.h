//===- TailSplit.h - Edges as operations of their own -----------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_TAILSPLIT_H
#define ROOFTILE_TRANSFORMS_PARTITION_TAILSPLIT_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces `op`, a product on memrefs whose plan has `tail = split`, by one operation on what
/// whole tiles cover, with the plan, and up to two on the edges, without; they write disjoint
/// parts of C. A located error on tensors, where `op` stays as it was; nothing to do for another
/// tail.
llvm::LogicalResult splitTails(mlir::RewriterBase &rewriter, blas::ProductOpInterface op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_TAILSPLIT_H
