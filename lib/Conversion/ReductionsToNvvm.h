//===- ReductionsToNvvm.h - Atomics and clusters in NVVM --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_REDUCTIONSTONVVM_H
#define ROOFTILE_LIB_CONVERSION_REDUCTIONSTONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rooftile {

/// Atomic additions to global memory become relaxed ones of the device, and lane.peer and
/// lane.cluster_barrier distributed shared memory. Kernels that are launched in clusters state
/// their size.
void lowerReductions(mlir::gpu::GPUModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_REDUCTIONSTONVVM_H
