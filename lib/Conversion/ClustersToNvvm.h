//===- ClustersToNvvm.h - Clusters in NVVM --------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_CLUSTERSTONVVM_H
#define ROOFTILE_LIB_CONVERSION_CLUSTERSTONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rooftile {

/// lane.peer and lane.cluster_barrier become distributed shared memory. Kernels that are launched
/// in clusters state their size.
void lowerClusters(mlir::gpu::GPUModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_CLUSTERSTONVVM_H
