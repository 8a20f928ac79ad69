//===- Explain.h - Why this plan --------------------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_EXPLAIN_H
#define ROOFTILE_PLANNING_SEARCH_EXPLAIN_H

#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Units.h"

#include <string>

namespace rooftile::planning {

/// One reason: a key for machines ("occupancy") and a phrase for people.
struct Reason {
  std::string key;
  std::string text;
};

/// The side of the roofline, occupancy and its limiter, waves, prediction and
/// share of the roofline, what limits, the runner-up; in this order.
llvm::SmallVector<Reason> explain(const Problem &problem, const Choice &choice,
                                  blas::TargetAttr target);

/// Reasons for a plan that was there already: no runner-up.
llvm::SmallVector<Reason> explain(const Problem &problem, const Ranked &ranked,
                                  blas::TargetAttr target);

/// The resource in which `slower` is slower than `faster`, and by how much: "shared memory
/// bandwidth, 3.1 us more". Resources overlap, so it can be more than the difference. Empty where
/// nothing does.
std::string whySlower(const Estimate &slower, const Estimate &faster);

/// A plan in a few words: "128x256x16, micro 8x16, 2 stages".
std::string shortForm(const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_EXPLAIN_H
