//===- AsyncCopies.h - cp.async and its groups ------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_ASYNCCOPIES_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_ASYNCCOPIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Turns lane.copy, lane.commit and lane.wait of `module` into cp.async and its groups, for
/// `target`; a copy that is wider than it can, or any where it cannot, is an error at the
/// operation.
mlir::LogicalResult lowerAsyncCopies(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_ASYNCCOPIES_H
