//===- Paths.h - Paths of a tile's operands and accumulators ----*- C++ -*-===//
//
// What follows from the tile of a candidate and is not searched. Private to Planning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_PATHS_H
#define ROOFTILE_PLANNING_SPACE_PATHS_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// The widest legal access whose loads divide among the threads; a tile that is turned on its way,
/// or that a matrix instruction reads, is spread over the banks. `plan` says along which dimension
/// the lines of both lie, and how they are copied.
Path choosePath(const Problem &problem, bool isA, const Plan &plan, blas::TargetAttr target);

/// Through shared memory where lanes would write the sectors of C in parts, and these are narrow or
/// meet memory: C is most of what moves, or more than the cache holds; or where they would write
/// lines in parts.
/// Rows of block vectors that follow each other without gaps leave as one line where they do not
/// fill lines of memory.
void chooseOutput(const Problem &problem, Plan &plan, blas::TargetAttr target);

/// `plan` with what follows from the rest of it: the paths of its operands, and of C.
Plan laidOut(const Problem &problem, Plan plan, blas::TargetAttr target);

/// Tiles of both operands can be copied without registers: by whole elements where the lines of
/// `plan` transpose them.
bool canCopyAsync(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_PATHS_H
