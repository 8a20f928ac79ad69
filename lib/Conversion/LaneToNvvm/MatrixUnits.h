//===- MatrixUnits.h - Matrix instructions ----------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_MATRIXUNITS_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_MATRIXUNITS_H

#include "../LaneToGpu/KernelPreparation.h"

namespace rooftile {

/// Turns lane.mma into mma.sync. An error at the operation if the target lacks the instruction.
llvm::LogicalResult lowerMatrixUnits(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_MATRIXUNITS_H
