//===- LaneStep.h - K of the lanes of a matrix instruction ------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_LANESTEP_H
#define ROOFTILE_DIALECT_BLAS_LANESTEP_H

#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"

namespace rooftile::blas {

/// One operand's tile in shared memory: the elements across K, and between neighbours along it.
struct LinesOfK {
  int64_t extent, stride;
  bool flat;
};

/// The lines that a path lays along M or N (`extent` elements of them), or nothing where elements
/// come straight from global memory or neighbours along K lie together.
std::optional<LinesOfK> linesOfK(Via via, int64_t extent, int64_t macroK, LineLayout layout);

/// K elements between neighbouring lanes of `own`, whose lanes hold different K, of which `groups`
/// share out a slice: 1, or more where lines without gaps of both operands would meet in the banks.
/// The order of K within a slice is free, so that what groups and registers hold lies between.
int64_t laneStep(const tile::Instruction &own, int64_t groups, std::optional<LinesOfK> a,
                 std::optional<LinesOfK> b);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_LANESTEP_H
