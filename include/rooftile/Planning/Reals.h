//===- Reals.h - Complex products as real ones ------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_REALS_H
#define ROOFTILE_PLANNING_REALS_H

#include "rooftile/Planning/Estimate.h"

namespace rooftile::planning {

/// What the kernel of `plan` sees of `problem`: with numbers = real the product of 2 M x 2 N real
/// numbers, whose sums are slices of a workspace; else the same.
Problem seenBy(const Plan &plan, const Problem &problem);
/// The same plan for that product.
Plan ofReals(Plan plan);

/// (C29) Adds to the price of seenBy's product what the complex one takes beside it: a second sum
/// of slices.
void addReals(Estimate &estimate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_REALS_H
