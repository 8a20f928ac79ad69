//===- Plan.h - The plan of a case ------------------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_PLAN_H
#define ROOFTILE_VERIFY_CASES_PLAN_H

#include "rooftile/Verify/Cases/Case.h"

namespace rooftile::verify {

/// plan(<...>), plans([#blas.case<...>, ...]), or nothing when the planner decides.
std::string planClause(const Case &single);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_PLAN_H
