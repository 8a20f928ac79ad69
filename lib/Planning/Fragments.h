//===- Fragments.h - How fragments come from shared memory ------*- C++ -*-===//
//
// Private to Planning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_FRAGMENTS_H
#define ROOFTILE_LIB_PLANNING_FRAGMENTS_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// Elements of one fragment read: the plan's, as far as they are one access.
int64_t fragmentVector(const Plan &plan, const Path &path, int64_t elementBytes);

/// (C7) Clocks of a fragment read of flat lines, which no padding keeps apart in the banks, as a
/// multiple of the fewest; 1 of others.
double fragmentReplays(const Problem &problem, const Plan &plan, bool isA, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_FRAGMENTS_H
