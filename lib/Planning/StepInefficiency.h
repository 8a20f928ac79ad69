//===- StepInefficiency.h - Inefficiency of the form of a kernel -*- C++ -*-===//
#ifndef ROOFTILE_LIB_PLANNING_STEPINEFFICIENCY_H
#define ROOFTILE_LIB_PLANNING_STEPINEFFICIENCY_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// (C12) Share of the work of `blocks` workgroups on one unit that the form of the plan loses.
double stepInefficiency(const Problem &problem, const Plan &plan, int64_t blocks,
                        blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_STEPINEFFICIENCY_H
