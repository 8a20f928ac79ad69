//===- Tiles.h - Tiles that are enumerated ----------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_TILES_H
#define ROOFTILE_PLANNING_SPACE_TILES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// A range, both ends included.
struct Range {
  int64_t least = 0, most = INT64_MAX;

  bool holds(int64_t value) const { return value >= least && value <= most; }
};

/// Threads of a workgroup for block vectors; of those of a narrow C with all groups.
inline constexpr Range kGroupedThreads{64, 256};

/// Which K steps of a tile are enumerated.
enum class Steps {
  All,     ///< All, by one group and by several.
  Grouped, ///< By as many groups as make up a workgroup.
  Short,   ///< The fewest slices.
  Whole,   ///< All of K.
  Rings,   ///< That of the plan, in rings of several lengths.
  Stated   ///< That of the plan.
};

/// A macro and micro tile with its lanes, its instruction, runs and slices, and the dimension along
/// which the vectors of its operands lie: what its plans share.
struct Tile {
  Plan plan;
  Steps steps;
};

/// Calls `visit` for every tile, in a fixed order.
void forEachTile(const Problem &problem, blas::TargetAttr target,
                 llvm::function_ref<void(const Tile &)> visit);

/// Tiles for toInduced of a complex product with few rows and columns and a long K: matrix
/// instructions, which divide 2 M and 2 N more finely than M and N. The plans are those of the real
/// product.
void forEachInducedTile(const Problem &product, blas::TargetAttr target,
                        llvm::function_ref<void(const Tile &)> visit);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_TILES_H
