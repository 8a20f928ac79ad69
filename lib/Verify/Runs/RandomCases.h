//===- RandomCases.h - Cases at random --------------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_RUNS_RANDOMCASES_H
#define ROOFTILE_VERIFY_RUNS_RANDOMCASES_H

#include "Operands/Draw.h"
#include "rooftile/Verify/Runs/Runner.h"

namespace rooftile::verify {

/// A kernel with a plan at random (or the planner's own) and the cases that it serves: one, or
/// several sizes and scalars where these are given at run time. The plan need not be legal.
Kernel drawKernel(Draw &draw, const std::string &name);

/// Cases simpler than `single` in one way each: smaller, without a scalar, with a plainer layout or
/// plan. The simplest come first.
std::vector<Case> simplerCases(const Case &single);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_RUNS_RANDOMCASES_H
