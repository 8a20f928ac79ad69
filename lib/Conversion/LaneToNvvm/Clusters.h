//===- Clusters.h - Clusters in NVVM ----------------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_CLUSTERS_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_CLUSTERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// lane.peer and lane.cluster_barrier become distributed shared memory. Kernels that are launched
/// in clusters state their size. Clusters larger than those of `target` are an error at the kernel,
/// operations of one where it has none an error at the operation.
mlir::LogicalResult lowerClusters(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_CLUSTERS_H
