//===- KSteps.h - K steps, copies and sliced K of a tile --------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_KSTEPS_H
#define ROOFTILE_PLANNING_SPACE_KSTEPS_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// States along which dimension the lines of both operands lie in the tile of `plan`.
void chooseLines(const Problem &problem, Plan &plan, blas::TargetAttr target);

/// All K steps, copies and stages for fixed macro M, macro N and micro tile, by one group, and by
/// several where a unit would get few threads.
void forEachKStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                  llvm::function_ref<void(const Plan &)> evaluate);

/// The asynchronous copy of a plan whose macro K, sliced K and prefetch are stated; all copies
/// where there is none.
void forEachStream(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                   llvm::function_ref<void(const Plan &)> evaluate);

/// A tile whose only K step is that of `plan`, in one stage.
void evaluateSingleStep(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> evaluate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_KSTEPS_H
