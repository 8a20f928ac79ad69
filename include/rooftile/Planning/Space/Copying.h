//===- Copying.h - How a tile gets to shared memory -------------*- C++ -*-===//
//
// Private to Planning: who copies what of one operand's tile, and what the banks of shared
// memory say to it. Agrees with operandCopyMap of macro-tile.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_COPYING_H
#define ROOFTILE_PLANNING_SPACE_COPYING_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

using blas::kLeastCopyBytes;
using blas::kMaxAccessBytes;

/// An operand's tile: `extent` is macro M or macro N.
struct TileCopy {
  const Matrix &matrix;
  const Path &path;
  int64_t extent;
};

/// Elements of a tile that are copied: whole lines where these are flat, along M or N, or along K.
inline int64_t copiedElements(const Path &path, int64_t extent, int64_t macroK) {
  if (!path.flat)
    return extent * macroK;
  return path.flat * blas::linesOf(extent, macroK, path.major)[0];
}

/// Accesses to shared memory for a run of elements: one to each plane of their parts.
inline int64_t planesOf(const Path &path) {
  return path.layout == blas::ComplexLayout::Planar ? 2 : 1;
}

/// (C7) Clocks of a store of the tile to shared memory, as a multiple of the fewest.
double storeReplays(const TileCopy &copy, const Plan &plan, blas::TargetAttr target);

/// Whether a narrow tile, or one of a matrix instruction that is no small part of what it reads, is
/// stored with a bank conflict. Such candidates are worth a price only where there is no other.
bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Whether both operands are copied asynchronously.
inline bool copiesAsync(const Plan &plan) {
  return plan.a.copy == blas::Copy::Async && plan.b.copy == blas::Copy::Async;
}

/// Padding, and lanes along K where lines are short, with which no store and no read of a tile by
/// the lanes of a matrix instruction meets in a bank. With `whole` lines of a multiple of 128 bytes
/// have a swizzle instead: copies then write whole rows of banks. `path.vector` and `path.major`
/// are given.
void layLines(Path &path, const Matrix &matrix, int64_t extent, const Plan &plan, bool whole,
              blas::TargetAttr target);

/// Padding, swizzle and lanes with which no store and no read of a transposed tile meets in a bank,
/// where there are any. `path.vector` and `path.copy` are given.
void spreadOverBanks(Path &path, const Matrix &matrix, int64_t extent, const Plan &plan,
                     blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_COPYING_H
