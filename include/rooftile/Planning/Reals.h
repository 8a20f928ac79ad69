//===- Reals.h - Complex products as real ones ------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_REALS_H
#define ROOFTILE_PLANNING_REALS_H

#include "rooftile/Planning/Estimate.h"

namespace rooftile::planning {

/// The product of the 2 M x 2 N real numbers that complex A and B consist of, which numbers = real
/// takes; its sums are slices of a workspace.
Problem ofReals(Problem problem);
/// The same plan for that product.
Plan ofReals(Plan plan);

/// (C29) Adds to the price of ofReals(problem) what the complex one takes beside it: a second sum
/// of slices.
void addReals(Estimate &estimate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_REALS_H
