//===- UserKernel.h - A user's own kernel in place of ours ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_USERKERNEL_H
#define ROOFTILE_TRANSFORMS_KERNEL_USERKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// The kernel that `blas.kernel` on `op` names, or null.
mlir::SymbolRefAttr userKernelOf(mlir::Operation *op);

/// Replaces a product on memrefs that names a kernel of its own (a gpu.func, or the one in
/// a gpu.binary) by its launch: the arguments, grid and workgroup are those of the kernel's
/// #blas.contract. Errors are located on the operation, which then stays as it was.
llvm::LogicalResult launchUserKernel(blas::ProductOpInterface op, mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_USERKERNEL_H
