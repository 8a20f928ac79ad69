//===- Paths.h - Paths of a tile's operands and accumulators ----*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_PATHS_H
#define ROOFTILE_PLANNING_SPACE_PATHS_H

#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// `plan` with what follows from the rest of it and is not searched: the paths of its operands, and
/// of C.
Plan laidOut(const Problem &problem, Plan plan, blas::TargetAttr target);

/// Tiles of both operands can be copied without registers: by whole elements where the vectors of
/// `plan` transpose them.
bool canCopyAsync(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_PATHS_H
