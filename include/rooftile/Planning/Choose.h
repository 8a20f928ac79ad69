//===- Choose.h - The best plan for an operation ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_CHOOSE_H
#define ROOFTILE_PLANNING_CHOOSE_H

#include "rooftile/Planning/Estimate.h"

#include <optional>
#include <vector>

namespace rooftile::planning {

/// A plan and what it is predicted to take.
struct Ranked {
  Plan plan;
  Estimate estimate;
};

/// The outcome of planning one operation.
struct Choice {
  Ranked best;
  /// The fastest plan with another macro or micro tile; none if there is no other.
  std::optional<Ranked> runnerUp;
  int64_t weighed = 0;  ///< Candidates that were priced.
  int64_t rejected = 0; ///< Candidates that do not fit (spills, shared memory, ...).
};

/// Weighs all candidates. Deterministic; ties go to the earlier candidate.
/// Nothing if no candidate fits the target.
std::optional<Choice> choose(const Problem &problem, blas::TargetAttr target);

/// Every candidate that fits, the fastest first; ties keep the order of the candidates, so that
/// the first is choose()'s best. For measuring how good the choice is.
std::vector<Ranked> rankAll(const Problem &problem, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_CHOOSE_H
