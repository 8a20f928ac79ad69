//===- LaneToRocdl.h - Operations of one thread in ROCDL --------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOROCDL_LANETOROCDL_H
#define ROOFTILE_CONVERSION_LANETOROCDL_LANETOROCDL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// An error at the first operation of `module` that AMD GPUs have no instruction for here: copies
/// without registers, clusters, matrix units.
llvm::LogicalResult checkLaneForRocdl(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

/// The operations of `lane` that pass the check, and math.fma.
void populateLaneToRocdlPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// The passes before it, as functions: each returns how often it did its work
//===----------------------------------------------------------------------===//

/// relax-shared-barriers: barriers of shared memory only.
int64_t relaxSharedBarriers(mlir::gpu::GPUFuncOp kernel);

/// keep-slice-order: accesses to shared memory stay after the multiply-adds before them.
int64_t keepSliceOrder(mlir::gpu::GPUFuncOp kernel);

/// pack-multiply-adds: multiply-adds of one factor with a whole fragment.
int64_t packMultiplyAdds(mlir::gpu::GPUFuncOp kernel);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_LANETOROCDL_LANETOROCDL_H
