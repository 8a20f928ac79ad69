//===- Depths.h - K steps, copies and groups of a tile ----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_PLANNING_DEPTHS_H
#define ROOFTILE_LIB_PLANNING_DEPTHS_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// All K steps, copies and slots for fixed macro M, macro N and micro tile, by one group, and by
/// several where a unit would get few threads.
void forEachDepth(const Problem &problem, Plan plan, blas::TargetAttr target,
                  llvm::function_ref<void(const Plan &)> weigh);

/// The asynchronous copy of a plan whose macro K, groups and `ahead` are stated; all copies where
/// there is none.
void forEachStream(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                   llvm::function_ref<void(const Plan &)> weigh);

/// A tile whose only K step is that of `plan`, in one slot.
void weighOnce(const Problem &problem, const Plan &plan, blas::TargetAttr target,
               llvm::function_ref<void(const Plan &)> weigh);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_DEPTHS_H
