//===- PlanSet.h - Plans for sizes that are not known -----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_PLANSET_H
#define ROOFTILE_PLANNING_SEARCH_PLANSET_H

#include "rooftile/Operation/Text.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::planning {

/// One plan of a set, and when it is the one to run.
struct PlanCase {
  std::string name;     ///< "narrow", "aligned", ..., "any"; "tiles.txt:3" of a listed plan.
  blas::GivenAttr when; ///< Null for the last, which serves what is left.
  Problem problem;      ///< The shape that stands for the case.
  Ranked ranked;
  blas::PriceAttr price; ///< Null where the case runs whatever the time of others.
};

/// True if M, N or K is unknown, or accesses could be wider if more were known.
bool needsSet(const Problem &problem);

/// A small set of plans for a problem of unknown sizes, in the order in which they are tried
/// (docs/CostModel.md, "Sets of plans"). Deterministic. Empty if no plan fits the target.
std::vector<PlanCase> chooseSet(const Problem &problem, blas::TargetAttr target);

/// Bounds of M, N and K for conditions; null of sizes that are known or have none.
std::array<blas::ExtentAttr, 3> extentsOf(const operation::SizeRanges &ranges,
                                          const Problem &problem, mlir::MLIRContext *context);

/// The cases in which a plan runs for sizes in `ranges`: one, or one for each order that strides
/// may turn out to have, with the wide accesses that the plan needs. Where it fits in none,
/// nothing, and `why` has the rule that it breaks. Sizes that are known must be in their ranges.
std::vector<PlanCase> casesFor(const operation::SizeRanges &ranges, const Plan &plan,
                               const Problem &problem, blas::TargetAttr target,
                               std::optional<Violation> &why);

/// Adds `later` after the cases of `set`, of which none holds always, but for those that never
/// run.
void append(std::vector<PlanCase> &set, std::vector<PlanCase> later);

/// One reason for each case: its condition, plan and prediction.
llvm::SmallVector<Reason> explain(const std::vector<PlanCase> &set, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_PLANSET_H
