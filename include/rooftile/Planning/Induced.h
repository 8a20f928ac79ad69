//===- Induced.h - Complex products as real ones ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_INDUCED_H
#define ROOFTILE_PLANNING_INDUCED_H

#include "rooftile/Planning/Estimate.h"

namespace rooftile::planning {

/// The product of the 2 M x 2 N real numbers that complex A and B consist of, which complex =
/// induced takes; its sums are slices of a workspace.
Problem toInduced(Problem problem);

/// (C29) Adds to the price of toInduced(problem) what the complex one takes beside it: a second sum
/// of slices.
void addInducedCost(Estimate &estimate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_INDUCED_H
