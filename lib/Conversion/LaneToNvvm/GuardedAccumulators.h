//===- GuardedAccumulators.h - Sums that are stored under a condition -*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_GUARDEDACCUMULATORS_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_GUARDEDACCUMULATORS_H

#include "rooftile/Conversion/Passes.h"

namespace rooftile {

/// Keeps the last multiply-adds of sums that are stored under conditions in front of these. LLVM
/// would move them behind, where their factors take more registers than the sums. `registerOf` is
/// the letter of the vendor's assembly for a register of a type; empty: sums of it are left alone.
void keepGuardedAccumulators(mlir::gpu::GPUFuncOp kernel,
                             llvm::function_ref<llvm::StringRef(mlir::Type)> registerOf);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_GUARDEDACCUMULATORS_H
