//===- Verifiers.h - What operations check in the same way ------*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_VERIFIERS_H
#define ROOFTILE_LIB_DIALECT_BLAS_VERIFIERS_H

#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::blas {

/// An operand and the name it has in messages.
using NamedMatrix = std::pair<llvm::StringRef, mlir::Value>;

/// True for two sizes that are both static and not equal.
bool differ(int64_t left, int64_t right);

/// A matrix is a tensor or a strided memref of an element type of the dialect.
llvm::LogicalResult verifyMatrix(mlir::Operation *op, NamedMatrix matrix);

/// All operands are tensors, with one result of the output's type, or all are memrefs with none.
llvm::LogicalResult verifyForm(mlir::Operation *op, llvm::ArrayRef<NamedMatrix> inputs,
                               NamedMatrix output);

/// The output has at least two dimensions; each input has two, or the output's batch, which
/// follows `slices` dimensions of its own.
llvm::LogicalResult verifyBatch(mlir::Operation *op, llvm::ArrayRef<NamedMatrix> inputs,
                                NamedMatrix output, int64_t slices = 0);

/// One triangle of a square output (null: all of it), whose diagonal may be real.
llvm::LogicalResult verifyTriangle(EpilogueOpInterface op, int64_t rows, int64_t columns);

/// The output is not an input, and no two of its elements share an address.
llvm::LogicalResult verifyOutput(mlir::Operation *op, llvm::ArrayRef<NamedMatrix> inputs,
                                 NamedMatrix output);

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_VERIFIERS_H
