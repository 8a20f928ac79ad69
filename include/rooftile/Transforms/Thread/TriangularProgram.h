//===- TriangularProgram.h - A thread of a block of a triangle --*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_THREAD_TRIANGULARPROGRAM_H
#define ROOFTILE_TRANSFORMS_THREAD_TRIANGULARPROGRAM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Operands of a kernel of one block.
struct TriangularArguments {
  /// A matrix of entry `batch`, transposed or not, as a memref of rank 2.
  llvm::function_ref<mlir::Value(blas::Role, blas::Transpose, mlir::Value batch)> view;
  mlir::Value alpha;                        ///< Null: 1.
  llvm::ArrayRef<mlir::OpFoldResult> sizes; ///< Sizes of C, batch first.
};

/// Emits all that a thread does for blas.trmm or blas.trsm of one block.
void emitTriangularProgram(mlir::OpBuilder &builder, blas::TriangularOpInterface op,
                           const TriangularArguments &arguments);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_TRIANGULARPROGRAM_H
