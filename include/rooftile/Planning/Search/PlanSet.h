//===- PlanSet.h - Plans for sizes that are not known -----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_PLANSET_H
#define ROOFTILE_PLANNING_SEARCH_PLANSET_H

#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"

#include <vector>

namespace rooftile::planning {

/// One plan of a set, and when it is the one to run.
struct PlanCase {
  llvm::StringLiteral name; ///< "narrow", "aligned", ..., "any".
  blas::GivenAttr when;     ///< Null for the last, which serves what is left.
  Problem problem;          ///< The shape that stands for the case.
  Ranked ranked;
  blas::PriceAttr price; ///< Null where the case runs whatever the time of others.
};

/// True if M, N or K is unknown, or accesses could be wider if more were known.
bool needsSet(const Problem &problem);

/// A small set of plans for a problem of unknown sizes, in the order in which they are tried
/// (docs/CostModel.md, "Sets of plans"). Deterministic. Empty if no plan fits the target.
std::vector<PlanCase> chooseSet(const Problem &problem, blas::TargetAttr target);

/// One reason for each case: its condition, plan and prediction.
llvm::SmallVector<Reason> explain(const std::vector<PlanCase> &set, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_PLANSET_H
