//===- InstructionTiles.h - Tiles of matrix instructions --------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_INSTRUCTIONTILES_H
#define ROOFTILE_PLANNING_SPACE_INSTRUCTIONTILES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Candidates.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::planning {

/// Calls `visit` for all tiles of the matrix instructions that multiply the types of `problem`.
void forEachInstructionTile(const Problem &problem, blas::TargetAttr target,
                            llvm::function_ref<void(const Tile &)> visit);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_INSTRUCTIONTILES_H
