//===- Raster.h - The order in which workgroups walk the tiles --*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_RASTER_H
#define ROOFTILE_PLANNING_SPACE_RASTER_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// (C15) Tiles along M of what workgroups walk as one matrix: of a whole batch where that shares B
/// alone.
int64_t walkedM(const Problem &problem, const Plan &plan);

/// (C15) The same along N, where a batch shares A alone.
int64_t walkedN(const Problem &problem, const Plan &plan);

/// The raster that keeps the macro tiles resident together nearest to a square (C15).
int64_t chooseRaster(const Problem &problem, const Plan &plan, int64_t residentTiles,
                     blas::TargetAttr target);

/// Those that are worth a price: this one; and where op(A) or op(B) is a triangle others, up to the
/// one by which the workgroups with the most steps begin first (C15).
llvm::SmallVector<int64_t> rasters(const Problem &problem, const Plan &plan, int64_t residentTiles,
                                   blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_RASTER_H
