//===- CarriedLoads.h - Loads for the next iteration of a loop --*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_CARRIEDLOADS_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_CARRIEDLOADS_H

#include "rooftile/Conversion/Passes.h"

namespace rooftile {

/// Keeps what a loop loads for its next iteration where it stands: leap-frog put it in front of
/// multiplications, whose time hides it. LLVM would move it behind them, to the head of the next
/// iteration.
void keepCarriedLoads(mlir::gpu::GPUModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_CARRIEDLOADS_H
