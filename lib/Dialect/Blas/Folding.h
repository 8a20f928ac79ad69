//===- Folding.h - Simplifications that operations share --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_FOLDING_H
#define ROOFTILE_LIB_DIALECT_BLAS_FOLDING_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::blas {

/// c -> t and j -> n where `matrix` has nothing to conjugate.
Transpose simplified(Transpose op, mlir::Value matrix);

/// n <-> t, c <-> j.
Transpose toggled(Transpose op);

/// Looks through memref casts that forget static sizes or strides. True when an operand changed.
bool foldCasts(llvm::ArrayRef<mlir::OpOperand *> operands);

/// The matrix that `matrix` is the transposed of, or null.
mlir::Value transposedSource(mlir::Value matrix);

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_FOLDING_H
