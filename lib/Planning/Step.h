//===- Step.h - The cost of one step of the K loop --------------*- C++ -*-===//
//
// Private to Planning: what one workgroup does for one slice of macro K.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_STEP_H
#define ROOFTILE_LIB_PLANNING_STEP_H

#include "rooftile/Planning/Estimate.h"

namespace rooftile::planning {

/// Demands of one workgroup on its unit in one step. Clocks, unless bytes.
struct Step {
  double fma = 0;       ///< (C6)
  double shared = 0;    ///< (C7)
  double issue = 0;     ///< (C8)
  double l2Bytes = 0;   ///< (C9)
  double stalls = 0;    ///< That a scheduler idles, however many subgroups it has (C11).
  double fragments = 0; ///< Of these, for fragments.
  double copying = 0;   ///< The same for the copies of each workgroup.
  double exposed = 1;   ///< Share of these with more than one subgroup a scheduler (C11).
  double copies = 0;    ///< That it idles more for asynchronous copies, with many subgroups (C11).
  double alone = 0;     ///< That it idles more where its unit has one workgroup only (C11),
  bool hides = false;   ///< or, where barriers are hidden, one subgroup a scheduler.
  double others = 0;    ///< That it idles more for each further workgroup of its unit (C11).
  double saved = 0;     ///< That it idles less with one subgroup a scheduler (C11).
};

/// Fragment elements of one thread for one K element along one dimension.
double fragmentElements(const Plan &plan, int64_t micro, int64_t lanes);

/// (C11) Adds the stalls of the schedulers.
void addStalls(Step &step, const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Demands of one step of `plan`.
Step stepOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// (C23) Instructions of one thread that are compiled for `plan`, those outside of the steps left
/// out; a second kernel counts as `kKernelCode`.
double codeOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Seconds of `plan`, whose workgroups share units as `occupancy` says, in steps of `step`: the
/// same however its K steps are shared out, so planning makes it once.
Estimate estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                  const Occupancy &occupancy, const Step &step);

/// FMAs per second that the device sustains for real numbers of that width.
double fmaPerSecond(int64_t realBytes, blas::TargetAttr target);

/// The same with the multiplying instruction of `plan`.
double multiplyAddsPerSecond(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_STEP_H
