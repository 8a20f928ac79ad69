//===- KernelBody.h - What a parallel loop may do as a kernel ---*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_OTHEROPS_KERNELBODY_H
#define ROOFTILE_LIB_CONVERSION_OTHEROPS_KERNELBODY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rooftile {

/// `loop` does only what a thread of a GPU can do, to memrefs that have strides: no calls, no
/// launches, no operations of unknown dialects; what it allocates is small and of a known size.
bool fitsKernel(mlir::scf::ParallelOp loop);

/// Copies inside of a loop that fits become loops, constants of the program are moved outside.
void prepareBody(mlir::scf::ParallelOp loop);

/// Turns allocations of the kernel into memory of its thread, from the start of the kernel.
void allocateOnStack(mlir::gpu::LaunchOp launch);

/// A copy as a parallel loop over its elements.
void copyToLoop(mlir::memref::CopyOp copy);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_OTHEROPS_KERNELBODY_H
