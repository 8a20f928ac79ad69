//===- Neighbours.h - Plans beside a plan -----------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_NEIGHBOURS_H
#define ROOFTILE_PLANNING_SEARCH_NEIGHBOURS_H

#include "rooftile/Planning/Search/Choose.h"

namespace rooftile::planning {

/// The plans that differ from `plan` in one value, and fit `problem` and the target, also by the
/// registers that the model expects, the fastest first. A number becomes the next, or is doubled or
/// halved; a word becomes each of the others. The space that is searched for a choice has only some
/// of them.
std::vector<Ranked> neighboursOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_NEIGHBOURS_H
