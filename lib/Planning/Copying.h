//===- Copying.h - How a tile gets to shared memory -------------*- C++ -*-===//
//
// Private to Planning: who copies what of one operand's tile, and what the banks of shared
// memory say to it. Agrees with operandCopyMap of macro-tile.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_COPYING_H
#define ROOFTILE_LIB_PLANNING_COPYING_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// Bytes of the widest access of a thread.
inline constexpr int64_t kMaxAccessBytes = 16;
/// What an asynchronous copy moves at least.
inline constexpr int64_t kLeastCopyBytes = 4;

/// An operand's tile: `extent` is macro M or macro N.
struct TileCopy {
  const Matrix &matrix;
  const Path &path;
  int64_t extent;
};

/// True where a tile is turned on its way: neighbours in memory are none in shared memory.
bool isTransposed(const Matrix &matrix, const Path &path);

/// Elements of the widest access to a tile of flat lines, on their way by `path.copy`.
int64_t flatVector(const TileCopy &copy, int64_t macroK);

/// Elements of a tile that are copied: whole lines where these are flat, along M or N, or along K.
inline int64_t copiedElements(const Path &path, int64_t extent, int64_t macroK) {
  if (!path.flat)
    return extent * macroK;
  return path.flat * blas::linesOf(extent, macroK, path.major)[0];
}

/// Elements that reach shared memory at a time.
int64_t storedVector(const Matrix &matrix, const Path &path);

/// Neighbouring threads along the dimension along which the tile is copied.
int64_t copyLanes(const Matrix &matrix, const Path &path, int64_t extent, const Plan &plan);

/// Accesses to shared memory for a run of elements: one to each plane of their parts.
inline int64_t planesOf(const Path &path) {
  return path.layout == blas::ComplexLayout::Planar ? 2 : 1;
}

/// Bytes of an element in the tile: of one of its parts, where these lie apart.
int64_t stepBytes(const Matrix &matrix, const Path &path);

/// (C7) Clocks of a store of the tile to shared memory, as a multiple of the fewest.
double storeReplays(const TileCopy &copy, const Plan &plan, blas::TargetAttr target);

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

#endif // ROOFTILE_LIB_PLANNING_COPYING_H
