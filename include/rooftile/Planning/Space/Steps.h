//===- Steps.h - The plans of a tile ----------------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_STEPS_H
#define ROOFTILE_PLANNING_SPACE_STEPS_H

#include "rooftile/Planning/Space/Tiles.h"

namespace rooftile::planning {

/// Calls `visit` for the plans of a tile, in a fixed order: with K step, groups, copies and stages.
/// What laidOut adds is missing.
void forEachStep(const Problem &problem, const Tile &tile, blas::TargetAttr target,
                 llvm::function_ref<void(const Plan &)> visit);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_STEPS_H
