//===- MacroTile.h - One kernel per operation -------------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_MACROTILE_H
#define ROOFTILE_TRANSFORMS_MACROTILE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Transforms/KernelInterface.h"

namespace rooftile {

/// Replaces a planned blas.gemm on memrefs by a gpu.launch_func of a new kernel
/// in a new gpu.module of `module`. Errors are located on the operation, which
/// then stays as it was.
llvm::LogicalResult macroTile(blas::GemmOp op, mlir::ModuleOp module);

/// Writes the tile program of `op` into the body of its kernel.
void emitTileProgram(mlir::OpBuilder &builder, blas::GemmOp op,
                     const KernelInterface::Kernel &kernel);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_MACROTILE_H
