//===- DependentLaunch.h - Kernels that begin early -------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_DEPENDENTLAUNCH_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_DEPENDENTLAUNCH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rooftile {

/// Lets the kernels of `module` begin while the kernel in front of them still runs: each waits for
/// its end before it touches memory. Nothing is done where a kernel has no contract: of what others
/// wrote nobody knows when it may begin.
void beginEarly(mlir::gpu::GPUModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_DEPENDENTLAUNCH_H
