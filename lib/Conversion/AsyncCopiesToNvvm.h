//===- AsyncCopiesToNvvm.h - cp.async and its groups ------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_ASYNCCOPIESTONVVM_H
#define ROOFTILE_LIB_CONVERSION_ASYNCCOPIESTONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rooftile {

/// Turns lane.copy, lane.commit and lane.wait of `module` into cp.async and its groups, for
/// hardware whose widest copy is `widestBytes`; a wider one is an error on the operation.
mlir::LogicalResult lowerAsyncCopies(mlir::gpu::GPUModuleOp module, int64_t widestBytes);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_ASYNCCOPIESTONVVM_H
