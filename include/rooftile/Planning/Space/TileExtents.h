//===- TileExtents.h - Extents of tiles that are evaluated ------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_TILEEXTENTS_H
#define ROOFTILE_PLANNING_SPACE_TILEEXTENTS_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"
#include "llvm/ADT/SmallVector.h"

namespace rooftile::planning {

/// Elements of a thread along a side, and in all; elements of a tile along a side; threads: at
/// most.
inline constexpr int64_t kMaxMicro = 16, kMaxMicroElements = 128, kMaxMacro = 256,
                         kMaxThreads = 256;

/// One side of tiles: elements of a thread, and threads along it (lanes and subgroups); 0: any
/// power of two of them.
struct MicroExtent {
  int64_t micro, threads;

  bool takes(int64_t ofPlan) const { return threads == 0 || threads == ofPlan; }
};

/// Micro tiles along M of powers of two from `least` on, the largest first, and those of which some
/// power of two of `lanes` threads, or more, hold the whole of M with little to spare, in multiples
/// of `least` of 1, 2 or 4 elements, up to `most`; of block vectors by matrix instructions also
/// three times `lanes` threads.
llvm::SmallVector<MicroExtent> extentsOfM(const Problem &problem, int64_t least, int64_t lanes,
                                          int64_t most);
/// The same along N, the smallest first.
llvm::SmallVector<MicroExtent> extentsOfN(const Problem &problem, int64_t least, int64_t lanes,
                                          int64_t most);

/// Whether no side of the tile is larger than tiles are, or lies half beyond the matrix and is
/// larger than those of the smallest workgroups.
bool isOfUse(const Plan &plan, const Problem &problem);

/// The largest power of two that divides `size`.
inline int64_t largestPower(int64_t size) { return size & -size; }

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_TILEEXTENTS_H
