//===- SharedAccess.h - Accesses to tiles in shared memory ------*- C++ -*-===//
//
// Accesses of copies and lanes to one operand's tile, and their conflicts in the banks of shared
// memory. Agrees with operandCopyMap of macro-tile.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_SHAREDACCESS_H
#define ROOFTILE_PLANNING_SPACE_SHAREDACCESS_H

#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// An operand's tile: `extent` is macro M or macro N.
struct TileCopy {
  const Matrix &matrix;
  const Path &path;
  int64_t extent;
};

/// Elements of a tile that are copied: whole vectors where these are flat, along M or N, or K.
inline int64_t copiedElements(const Path &path, int64_t extent, int64_t macroK) {
  if (!path.flat)
    return extent * macroK;
  return path.flat * blas::vectorsOf(extent, macroK, path.major)[0];
}

/// Accesses to shared memory for a run of elements: one to each plane of their components.
inline int64_t planesOf(const Path &path) {
  return path.layout == blas::ComplexLayout::Planar ? 2 : 1;
}

/// (C7) Clocks of a store of the tile to shared memory, as a multiple of the fewest.
double storeReplays(const TileCopy &copy, const Plan &plan, blas::TargetAttr target);

/// Elements of one fragment read: the plan's, as far as they are one access.
int64_t fragmentVector(const Plan &plan, const Path &path, int64_t elementBytes);

/// Bytes of a real element of A or B in the registers of a fragment: multiply-adds read those of
/// the accumulators, matrix instructions those of the matrix.
int64_t fragmentBytes(const Problem &problem, const Plan &plan, bool isA);

/// Fragment elements of one thread for one K element along one dimension.
double fragmentElements(const Plan &plan, int64_t micro, int64_t lanes);

/// (C7) Clocks of a fragment read of flat vectors, which no padding keeps apart in the banks, as a
/// multiple of the fewest; 1 of others.
double fragmentReplays(const Problem &problem, const Plan &plan, bool isA, blas::TargetAttr target);

/// Accumulators of a thread from which on it is worth reading fragments singly, and slices of such
/// a step.
inline constexpr int64_t kSingleAccumulators = 60, kSingleSlices = 2;

/// Whether a thread with many accumulators reads its fragments as they are multiplied: of real
/// elements that are copied asynchronously, in steps of two slices at most before which none is
/// read.
bool readsSingly(const Problem &problem, const Plan &plan);

/// (C3) Real elements of such fragments in registers: those of one operand, and one of the other.
int64_t singleFragmentReals(const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_SHAREDACCESS_H
