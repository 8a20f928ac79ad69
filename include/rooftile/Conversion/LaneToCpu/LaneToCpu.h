//===- LaneToCpu.h - Operations of one thread on the host -------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOCPU_LANETOCPU_H
#define ROOFTILE_CONVERSION_LANETOCPU_LANETOCPU_H

#include "mlir/IR/PatternMatch.h"

namespace rooftile {

/// lane.copy, lane.commit, lane.wait: calls of the CPU runtime. `thread` is the runtime's record of
/// the running thread, which dominates the operations.
void populateAsyncCopyToCpuPatterns(mlir::RewritePatternSet &patterns, mlir::Value thread);

/// lane.elect, lane.bulk_copy, lane.tensor_copy, lane.arrivals, lane.expect. A thread is suspended
/// at lane.arrived, as at barriers and matrix instructions: these are left to the coroutine.
void populateBulkCopyToCpuPatterns(mlir::RewritePatternSet &patterns, mlir::Value thread);

/// lane.async_mma, lane.finish, lane.fence, and waits for products: calls, too.
void populateProductToCpuPatterns(mlir::RewritePatternSet &patterns, mlir::Value thread);

/// lane.peer: the same address in the shared memory of another block of the cluster.
void populateClusterToCpuPatterns(mlir::RewritePatternSet &patterns, mlir::Value thread);

/// All of these, lane.as_real, lane.pointer, and lane.compiler_fence, which the host does not need.
void populateLaneToCpuPatterns(mlir::RewritePatternSet &patterns, mlir::Value thread);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_LANETOCPU_LANETOCPU_H
