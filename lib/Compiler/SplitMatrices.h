//===- SplitMatrices.h - Complex matrices by their components ---*- C++ -*-===//
//
// Kernels read a complex element at once, so it lies at a multiple of its size. BLAS demands that
// of its components only. Such a matrix is an argument of real elements, with a last dimension of
// 2, and is copied to memory of its own around the operation.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_COMPILER_SPLITMATRICES_H
#define ROOFTILE_LIB_COMPILER_SPLITMATRICES_H

#include "mlir/IR/Builders.h"

namespace rooftile::compiler {

/// The type of components of a matrix of that type: its strides are doubled.
mlir::MemRefType componentsOf(mlir::MemRefType matrix);

/// Allocates a contiguous copy of the complex matrix that `components` holds, and fills it where
/// `isRead`.
mlir::Value joinComponents(mlir::OpBuilder &builder, mlir::Value components, bool isRead);

/// Copies the elements of `matrix` back.
void splitComponents(mlir::OpBuilder &builder, mlir::Value matrix, mlir::Value components);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_SPLITMATRICES_H
