//===- ConvertLinalgToBlas.h - Raising matrix products ----------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_CONVERTLINALGTOBLAS_H
#define ROOFTILE_TRANSFORMS_RAISE_CONVERTLINALGTOBLAS_H

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace rooftile {

/// Rewrites every linalg matrix product below `root` to blas.gemm: C(M x N) =
/// op(A)(M x K) * op(B)(K x N) (+ C), on tensors and on memrefs, with any batch; to blas.trmm where
/// a factor is masked to a triangle and nothing is added.
/// What blas.gemm cannot express stays as it is, and with `remarks` a remark gives the reason; that
/// is no failure. The dialects that convert-linalg-to-blas depends on must be loaded.
llvm::LogicalResult raiseLinalgToBlas(mlir::Operation *root, bool remarks = true);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_CONVERTLINALGTOBLAS_H
