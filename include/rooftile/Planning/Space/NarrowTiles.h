//===- NarrowTiles.h - Tiles of a few rows and columns ----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_NARROWTILES_H
#define ROOFTILE_PLANNING_SPACE_NARROWTILES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Candidates.h"

namespace rooftile::planning {

/// Tiles that hold all of a narrow C and take less than a subgroup of threads, with as many groups
/// as make up workgroups: most of the threads lie along K.
void forEachNarrowTile(const Problem &problem, blas::TargetAttr target,
                       llvm::function_ref<void(const Tile &)> visit);

/// All workgroups and K steps of one of them.
void forEachSlicedK(const Problem &problem, Plan plan, blas::TargetAttr target,
                    llvm::function_ref<void(const Plan &)> evaluate);

/// All groups, K steps and stages of a tile of matrix instructions that holds all of a narrow C.
void forEachNarrowStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                       llvm::function_ref<void(const Plan &)> evaluate);

/// The steps of a tile of block vectors with many accumulators of a thread that read fragments as
/// they are multiplied, by the shorter of two matrix instructions.
void forEachSingleStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                       llvm::function_ref<void(const Plan &)> evaluate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_NARROWTILES_H
