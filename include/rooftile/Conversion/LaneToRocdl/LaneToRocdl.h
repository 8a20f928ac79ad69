//===- LaneToRocdl.h - Operations of one thread in ROCDL --------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOROCDL_LANETOROCDL_H
#define ROOFTILE_CONVERSION_LANETOROCDL_LANETOROCDL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// An error at the first operation of `module` that AMD GPUs have no instruction for here, copies
/// without registers and clusters, or that `target` lacks.
llvm::LogicalResult checkLaneForRocdl(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

/// The operations of `lane` that pass the check, and math.fma.
void populateLaneToRocdlPatterns(mlir::RewritePatternSet &patterns);

/// lane.mma: MFMA and WMMA.
void populateMatrixUnitToRocdlPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// The passes before it, as functions: each returns how often it did its work
//===----------------------------------------------------------------------===//

/// relax-shared-barriers: barriers of shared memory only.
int64_t relaxSharedBarriers(mlir::gpu::GPUFuncOp kernel);

/// keep-slice-order: accesses to shared memory stay after the multiply-adds before them.
int64_t keepSliceOrder(mlir::gpu::GPUFuncOp kernel);

/// Scalar registers that loads fill at a time, and whether a chain of multiply-adds on one
/// accumulator waits for nothing.
struct ScalarRegisters {
  int64_t atOnce;
  bool inPlace;
};

/// group-scalar-loads: multiply-adds follow the scalar registers that they read, group by group.
int64_t groupScalarLoads(mlir::gpu::GPUFuncOp kernel, const ScalarRegisters &registers);

/// pack-multiply-adds: multiply-adds of one factor with a whole fragment.
int64_t packMultiplyAdds(mlir::gpu::GPUFuncOp kernel);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_LANETOROCDL_LANETOROCDL_H
