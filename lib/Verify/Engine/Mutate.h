//===- Mutate.h - Defects on purpose ----------------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_MUTATE_H
#define ROOFTILE_VERIFY_ENGINE_MUTATE_H

#include "rooftile/Verify/Engine/Program.h"

namespace rooftile::verify {

/// Puts one defect into every kernel of the module that it applies to: deletes a barrier or
/// moves it by one access to shared memory, lets a guard admit one row and column too many, leaves
/// out a step of K or a partial sum, deletes a wait for copies or a barrier of a cluster, reads
/// extra operands of an epilogue one access further, drops the compensation of sums; around
/// products whose factors lie in shared memory deletes the fence before them, the wait, the barrier
/// after it, or uses sums that are not finished. Fails, with an error, when no kernel has: a test
/// that mutates nothing must not look like one that passes.
mlir::LogicalResult mutate(mlir::ModuleOp module, Mutation mutation);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_MUTATE_H
