//===- TriangularSplit.h - Triangular operations as blocks ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_TRIANGULARSPLIT_H
#define ROOFTILE_TRANSFORMS_PARTITION_TRIANGULARSPLIT_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces blas.trmm or blas.trsm on memrefs with a plan of blocks by a loop over the blocks of
/// the diagonal: one operation of one block, and one blas.gemm for the rest. What is one block
/// already is left alone. Fails with an error, changing nothing, on tensors, without a plan, and
/// on element types other than f32 and f64.
llvm::LogicalResult splitTriangular(mlir::RewriterBase &rewriter, blas::TriangularOpInterface op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_TRIANGULARSPLIT_H
