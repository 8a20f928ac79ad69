//===- Plan.h - The plan of a case ------------------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_PLAN_H
#define ROOFTILE_VERIFY_CASES_PLAN_H

#include "rooftile/Verify/Cases/Case.h"

namespace rooftile::verify {

/// plan(<...>), plans([#blas.case<...>, ...]), or nothing when the planner decides.
std::string planClause(const Case &single);

/// The case with a plan whose subgroups are of `subgroup` threads in place of 32, where it leaves
/// that open (`lanes=auto`).
Case withLanesOf(int64_t subgroup, Case single);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_PLAN_H
