//===- Losses.h - What kernels lose for their form --------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_PLANNING_LOSSES_H
#define ROOFTILE_LIB_PLANNING_LOSSES_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// (C12) Share of the work of `blocks` workgroups on one unit that the form of the plan loses.
double lossOf(const Problem &problem, const Plan &plan, int64_t blocks, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_LOSSES_H
