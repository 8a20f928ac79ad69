//===- Check.h - Does a plan fit an operation and a chip? -------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_FEASIBILITY_CHECK_H
#define ROOFTILE_PLANNING_FEASIBILITY_CHECK_H

#include "rooftile/Dialect/Blas/PlanRules.h"
#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

#include <optional>
#include <string>

namespace rooftile::planning {

using blas::Violation;

/// Nothing if `plan` can run `problem` on `target`; else the first rule (blas::PlanRule) it breaks.
/// For a plan made by hand as well as for candidates. `registers` (per thread) as they are known;
/// 0: as few as the model's error allows, so that what is refused surely spills.
std::optional<Violation> check(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                               int64_t registers = 0);

/// A message that names the plan's key and the values:
/// "shared memory: 262144 bytes, but a workgroup of h200 has at most 232448".
std::string describe(const Violation &violation, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_FEASIBILITY_CHECK_H
