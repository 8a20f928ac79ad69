//===- SymmetricSplit.h - Products of symmetric operations ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_SYMMETRICSPLIT_H
#define ROOFTILE_TRANSFORMS_PARTITION_SYMMETRICSPLIT_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces blas.syrk or one of its relatives on memrefs by operations that have kernels. On
/// tensors it is left alone.
llvm::LogicalResult splitSymmetric(mlir::RewriterBase &rewriter, blas::SplitOpInterface op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_SYMMETRICSPLIT_H
