//===- ClusterSync.h - Meetings of a cluster --------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PIPELINE_CLUSTERSYNC_H
#define ROOFTILE_LIB_TRANSFORMS_PIPELINE_CLUSTERSYNC_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rooftile {

/// Inserts a lane.cluster_barrier between a store to a buffer and a load of it by another
/// workgroup, between such a load and a later store, and after the last such load: shared
/// memory lives as long as its workgroup. Running again inserts none. An error on a buffer
/// that others read and that is accessed in a loop or a branch.
mlir::LogicalResult insertClusterBarriers(mlir::gpu::GPUFuncOp kernel);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PIPELINE_CLUSTERSYNC_H
