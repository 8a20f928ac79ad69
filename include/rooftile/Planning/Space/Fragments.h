//===- Fragments.h - How fragments come from shared memory ------*- C++ -*-===//
//
// Private to Planning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_FRAGMENTS_H
#define ROOFTILE_PLANNING_SPACE_FRAGMENTS_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// Elements of one fragment read: the plan's, as far as they are one access.
int64_t fragmentVector(const Plan &plan, const Path &path, int64_t elementBytes);

/// Bytes of a real number of A or B in the registers of a fragment: multiply-adds take those of the
/// sums, matrix instructions what the matrix has.
int64_t fragmentBytes(const Problem &problem, const Plan &plan, bool isA);

/// Fragment elements of one thread for one K element along one dimension.
double fragmentElements(const Plan &plan, int64_t micro, int64_t lanes);

/// (C7) Clocks of a fragment read of flat lines, which no padding keeps apart in the banks, as a
/// multiple of the fewest; 1 of others.
double fragmentReplays(const Problem &problem, const Plan &plan, bool isA, blas::TargetAttr target);

/// Sums of a thread from which on it is worth reading fragments singly, and slices of such a step.
inline constexpr int64_t kSingleAccumulators = 60, kSingleSlices = 2;

/// Whether a thread with many accumulators reads its fragments as they are multiplied: of real
/// numbers that are copied asynchronously, in steps of two slices at most before which none is
/// read.
bool readsSingly(const Problem &problem, const Plan &plan);

/// (C3) Real numbers of such fragments in registers: those of one operand, and one of the other.
int64_t singleFragmentReals(const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_FRAGMENTS_H
