//===- Raster.h - The order in which workgroups walk the tiles --*- C++ -*-===//
#ifndef ROOFTILE_LIB_PLANNING_RASTER_H
#define ROOFTILE_LIB_PLANNING_RASTER_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// (C15) Tiles along M of what workgroups walk as one matrix: of a whole batch where that shares B
/// alone.
int64_t walkedM(const Problem &problem, const Plan &plan);

/// (C15) The same along N, where a batch shares A alone.
int64_t walkedN(const Problem &problem, const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_RASTER_H
