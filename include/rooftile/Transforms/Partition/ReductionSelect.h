//===- ReductionSelect.h - Carry out the K strategy of a plan ---*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_REDUCTIONSELECT_H
#define ROOFTILE_TRANSFORMS_PARTITION_REDUCTIONSELECT_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Rewrites a planned product on memrefs whose K steps are shared out:
/// `workspace` becomes partial sums and a blas.reduce, `atomic` a beta of 1 with the old
/// beta applied to C before. Others stay. An error on `op` for atomic without anyOrder.
llvm::LogicalResult selectReduction(mlir::RewriterBase &rewriter, blas::ProductOpInterface op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_REDUCTIONSELECT_H
