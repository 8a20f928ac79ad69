//===- TriangleWaves.h - Workgroups with more and fewer steps ---*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_COST_TRIANGLEWAVES_H
#define ROOFTILE_PLANNING_COST_TRIANGLEWAVES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// The steps of a workgroup in the mean, as a share of all steps, where op(A) or op(B) is a
/// triangle (C14).
double workOfTriangle(const Problem &problem, const Plan &plan);

/// The time of `waves` waves of such workgroups, as a share of that of as many with all steps, in
/// whole waves (C14).
double shareOfTriangle(const Problem &problem, const Plan &plan, double waves);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_TRIANGLEWAVES_H
