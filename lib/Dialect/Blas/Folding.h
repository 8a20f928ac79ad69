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

/// A number as one of another type of the same kind: exact in a wider one, else rounded once.
mlir::Value convertNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          mlir::Type to);

/// beta == 0 ? 0 : beta * c, in the accumulator type, which is beta's.
mlir::Value createScaled(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value beta,
                         mlir::Value c);

/// Patterns for epilogues: one that changes nothing goes, an operand that it does not use goes, and
/// that of a product of nothing is applied to what is left.
void populateEpiloguePatterns(mlir::RewritePatternSet &patterns);

/// Patterns for batches on memrefs: one that shares A or B becomes one product where the matrices
/// of the others follow each other as their rows or columns do.
void populateBatchPatterns(mlir::RewritePatternSet &patterns);

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_FOLDING_H
