//===- LaneToNvvm.h - Operations of one thread in NVVM ----------*- C++ -*-===//
//
// The parts of the pass lane-to-nvvm, for compilers with a pass of their own. Each group of
// operations has a check, which reports at the operation what the chip lacks, and patterns, which
// assume that the check has passed. Patterns change one operation each and need no folding:
// walkAndApplyPatterns is enough. Pointers come from the memref descriptors that upstream's
// convert-gpu-to-nvvm makes afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_CONVERSION_LANETONVVM_LANETONVVM_H
#define ROOFTILE_CONVERSION_LANETONVVM_LANETONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// lane.copy, lane.commit, lane.wait: cp.async and its groups. `target` must have copies without
/// registers, as wide as those of `module`.
llvm::LogicalResult checkAsyncCopies(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);
void populateAsyncCopyToNvvmPatterns(mlir::RewritePatternSet &patterns);

/// lane.elect, lane.bulk_copy, lane.tensor_copy, lane.arrivals, lane.expect, lane.arrived: bulk
/// copies and their mbarriers. `target` must have bulk copies, and `module` elect among subgroups.
llvm::LogicalResult checkBulkCopies(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);
void populateBulkCopyToNvvmPatterns(mlir::RewritePatternSet &patterns, int64_t subgroup);

/// lane.peer, lane.cluster_barrier: distributed shared memory. `target` must have clusters as large
/// as those that kernels of `module` are launched in.
llvm::LogicalResult checkClusters(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);
void populateClusterToNvvmPatterns(mlir::RewritePatternSet &patterns);

/// lane.mma: mma.sync.
void populateMatrixUnitToNvvmPatterns(mlir::RewritePatternSet &patterns);

/// lane.async_mma, lane.finish, lane.uniform, lane.fence: wgmma.mma_async, its waits and the fence
/// before it.
void populateWarpgroupProductToNvvmPatterns(mlir::RewritePatternSet &patterns);

/// All of these, and those that vendors share (LaneToGpu.h): no operation of `lane` is left.
llvm::LogicalResult checkLaneForNvvm(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);
void populateLaneToNvvmPatterns(mlir::RewritePatternSet &patterns, blas::TargetAttr target);

//===----------------------------------------------------------------------===//
// The passes around it, as functions: each returns how often it did its work
//===----------------------------------------------------------------------===//

/// keep-carried-loads: fences after what loops load for their next iteration.
int64_t keepCarriedLoads(mlir::gpu::GPUFuncOp kernel);

/// keep-matrix-loops: loops of f64 matrix instructions that ptxas does not unroll.
int64_t keepMatrixLoops(mlir::gpu::GPUFuncOp kernel);

/// dependent-launch: kernels that begin early, on a chip that can.
int64_t dependentLaunch(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

/// pass-descriptors: descriptors among the arguments of kernels in the dialect LLVM.
int64_t passDescriptors(mlir::gpu::GPUModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_LANETONVVM_LANETONVVM_H
