//===- Epilogue.h - From the last step to C ---------------------*- C++ -*-===//
//
// Private to Planning: what workgroups do once their sums are complete.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_EPILOGUE_H
#define ROOFTILE_LIB_PLANNING_EPILOGUE_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

#include <array>

namespace rooftile::planning {

/// (C13) Seconds from the last step of `blocks` workgroups a unit, `active` in all, to C; and those
/// of them in which memory is busy.
std::array<double, 2> epilogueSeconds(const Problem &problem, const Plan &plan,
                                      blas::TargetAttr target, int64_t blocks, int64_t active);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_EPILOGUE_H
