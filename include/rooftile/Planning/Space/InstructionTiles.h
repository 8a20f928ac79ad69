//===- InstructionTiles.h - Tiles of matrix instructions --------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_INSTRUCTIONTILES_H
#define ROOFTILE_PLANNING_SPACE_INSTRUCTIONTILES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::planning {

/// Calls `evaluate` for all tiles, K steps and copies of the matrix instructions that multiply the
/// types of `problem`.
void forEachInstruction(const Problem &problem, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> evaluate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_INSTRUCTIONTILES_H
