//===- TriangularKernel.h - One block of a triangle as a kernel -*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_TRIANGULARKERNEL_H
#define ROOFTILE_TRANSFORMS_KERNEL_TRIANGULARKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces blas.trmm or blas.trsm of one block (diagonal = 0) on memrefs by a gpu.launch_func of
/// a kernel of its own, one thread for each vector of the output. Errors are located on the
/// operation, which then stays as it was.
llvm::LogicalResult triangularKernel(blas::TriangularOpInterface op, mlir::ModuleOp module);

/// Success if `op` is on memrefs that kernels accept and has a plan, else an error that names
/// `pass`.
llvm::LogicalResult checkTriangular(blas::TriangularOpInterface op, llvm::StringRef pass);

/// Success if `op` can become a kernel, else a located error that names operand and values.
llvm::LogicalResult checkTriangularKernel(blas::TriangularOpInterface op, mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_TRIANGULARKERNEL_H
