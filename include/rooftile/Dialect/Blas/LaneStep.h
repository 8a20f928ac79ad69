//===- LaneStep.h - K of the lanes of a matrix instruction ------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_LANESTEP_H
#define ROOFTILE_DIALECT_BLAS_LANESTEP_H

#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"

namespace rooftile::blas {

/// Tile of one operand before the multipliers: `extent` elements along M or N.
struct OperandTile {
  Via via;
  int64_t extent;
  SharedTileLayout layout;
  int64_t swizzle;
};

/// K elements between neighbouring lanes of `own` (null: multiply-adds), whose lanes hold different
/// K, in steps of `macroK` of which `slicedK` groups share out slices: those that a lane holds at a
/// time, or more where vectors without gaps of an operand would meet in the banks. The order of K
/// within a slice is free, so that what groups and registers hold lies between. Elements count as
/// real elements: complex ones are apart.
int64_t laneStep(const tile::Instruction *own, int64_t slicedK, int64_t macroK,
                 const OperandTile &a, const OperandTile &b);

/// laneStep of a plan.
int64_t laneStep(const PlanData &plan);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_LANESTEP_H
