//===- Induced.h - Complex products as real ones ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PROBLEM_INDUCED_H
#define ROOFTILE_PLANNING_PROBLEM_INDUCED_H

#include "rooftile/Planning/Problem/Problem.h"

namespace rooftile::planning {

/// The product of the 2 M x 2 N real elements of complex A and B, which complex =
/// induced needs; its accumulators are slices of a workspace.
Problem toInduced(Problem problem);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_INDUCED_H
