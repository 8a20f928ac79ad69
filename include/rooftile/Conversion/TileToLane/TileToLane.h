//===- TileToLane.h - Passes around micro-tile, as functions ----*- C++ -*-===//
//
// Each is the work of the pass with the same words, and returns how often it did it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_CONVERSION_TILETOLANE_TILETOLANE_H
#define ROOFTILE_CONVERSION_TILETOLANE_TILETOLANE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rooftile {

/// Names the operations of `tile` in their locations.
int64_t nameOperations(mlir::gpu::GPUFuncOp kernel);

/// Unrolls the loops over slices; an error at one whose bounds are no constants.
llvm::FailureOr<int64_t> unrollSlices(mlir::gpu::GPUFuncOp kernel);

/// Has K loops carry the stages of rings, and the phases of these, from one step to the next.
int64_t carryCounters(mlir::gpu::GPUFuncOp kernel);

/// Spreads the asynchronous copies of K steps among their multiplications.
int64_t spreadCopies(mlir::gpu::GPUFuncOp kernel);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_TILETOLANE_TILETOLANE_H
