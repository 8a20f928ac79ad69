//===- Choose.h - The best plan for an operation ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_CHOOSE_H
#define ROOFTILE_PLANNING_SEARCH_CHOOSE_H

#include "rooftile/Planning/Cost/Estimate.h"

#include <optional>
#include <vector>

namespace rooftile::planning {

/// A plan and its predicted time.
struct Ranked {
  Plan plan;
  Estimate estimate;
  int64_t place = 0; ///< Index of its tile in the order of the space: the first of equals counts.
};

/// The outcome of planning one operation.
struct Choice {
  /// The fastest plan; of an edge, the one with the shortest code of those that are nearly as fast
  /// (C23).
  Ranked best;
  /// The fastest plan with another macro or micro tile; none if there is no other.
  std::optional<Ranked> runnerUp;
  int64_t evaluated = 0; ///< Candidates that were priced.
  int64_t rejected = 0;  ///< Candidates that do not fit (spills, shared memory, ...).
};

/// (C23) Seconds that an edge may lose to its fastest plan for shorter code; 0 for other problems.
double edgeSlack(const Problem &problem, blas::TargetAttr target);

/// The best of all candidates. Deterministic; ties go to the earlier candidate. Nothing if no
/// candidate fits the target.
std::optional<Choice> search(const Problem &problem, blas::TargetAttr target);

/// search() with a table of the results of this process; plans with refusals of an assembler
/// (Problem::refusals) are always searched for.
std::optional<Choice> choose(const Problem &problem, blas::TargetAttr target);

/// Every candidate that fits, the fastest first, before them those with packed operands that
/// surely are faster. Ties keep the order of the candidates, so that
/// the first is choose()'s best unless the problem is an edge. For measuring how good the choice
/// is.
std::vector<Ranked> rankAll(const Problem &problem, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_CHOOSE_H
