//===- BulkCopies.h - cp.async.bulk and its mbarriers -----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_BULKCOPIES_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_BULKCOPIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Lowers bulk copies, their counters of arrivals and lane.elect; an error where `target` has none,
/// or smaller subgroups.
llvm::LogicalResult lowerBulkCopies(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

/// Kernels of the LLVM dialect take descriptors by value, and tensor copies read them where they
/// are.
void passDescriptors(mlir::gpu::GPUModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_BULKCOPIES_H
