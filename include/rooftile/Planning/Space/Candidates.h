//===- Candidates.h - The plans that are evaluated --------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_CANDIDATES_H
#define ROOFTILE_PLANNING_SPACE_CANDIDATES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// Which K steps of a tile are enumerated.
enum class Steps {
  All,     ///< All, by one group and by several.
  Grouped, ///< By as many groups as make up a workgroup.
  Short,   ///< Of the fewest slices.
  Whole,   ///< All of K.
  Stated   ///< That of the plan.
};

/// A macro and micro tile with its lanes, its instruction, runs and slices, and the dimension along
/// which the lines of its operands lie: what its plans share.
struct Tile {
  Plan plan;
  Steps steps;
};

/// Calls `visit` for every tile, in a fixed order.
void forEachTile(const Problem &problem, blas::TargetAttr target,
                 llvm::function_ref<void(const Tile &)> visit);

/// The same for toInduced of a complex product, of few rows and columns and a long K: of matrix
/// instructions, which divide 2 M and 2 N more finely than M and N. The plans are those of the real
/// product.
void forEachInducedTile(const Problem &product, blas::TargetAttr target,
                        llvm::function_ref<void(const Tile &)> visit);

/// Calls `visit` for the plans of a tile, in a fixed order: with K step, groups, copies and stages.
/// What layOut adds is missing.
void forEachStep(const Problem &problem, const Tile &tile, blas::TargetAttr target,
                 llvm::function_ref<void(const Plan &)> visit);

/// `plan` with what follows from the rest of it: the paths of its operands, and of C.
Plan laidOut(const Problem &problem, Plan plan, blas::TargetAttr target);

/// Calls `evaluate` for every plan; about a thousand for a large problem. The raster is left at 1
/// (see chooseRaster).
void forEachCandidate(const Problem &problem, blas::TargetAttr target,
                      llvm::function_ref<void(const Plan &)> evaluate);

/// Whether a narrow tile, or one of a matrix instruction that is no small part of what it reads, is
/// stored with a bank conflict. Such candidates are worth a price only where there is no other.
bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_CANDIDATES_H
