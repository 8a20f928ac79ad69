//===- Reduction.h - Sharing out K, and what it costs -----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_REDUCTION_H
#define ROOFTILE_PLANNING_SPACE_REDUCTION_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// Whether C is so narrow and K so long that the threads of a workgroup, as well as all workgroups,
/// are worth spreading along K: TSMTTSM (A^T B of block vectors).
bool isTallSkinny(const Problem &problem);
/// isTallSkinny with both operands contiguous along K.
inline bool isColumnMajorTallSkinny(const Problem &problem) {
  return isTallSkinny(problem) && problem.a.alongK() && problem.b.alongK();
}

/// C = A B of block vectors (TSMM; Ernst et al., section 4): many rows of a few elements times a
/// small matrix, N and K of at most 64; or the transpose of that, many columns.
bool isTsmm(const Problem &problem);
/// Whether `plan` has one step for such a product.
inline bool holdsAllOfK(const Problem &problem, const Plan &plan) {
  return isTsmm(problem) && plan.macroK >= problem.k;
}

/// Whether no thread stands idle where partial sums of a cluster or of groups are added up.
bool dividesExchange(const Plan &plan);

/// K steps of a share of a tile at least: fewer do not fill the pipeline that a workgroup starts
/// for them.
inline constexpr int64_t kLeastSteps = 8;

/// Workgroups for all tiles of C, without splits.
double tilesOf(const Problem &problem, const Plan &plan);

/// Calls `evaluate` for `plan`, which has no splits, with its K steps shared out in every way
/// worth evaluating when its tiles leave half of the `resident` workgroup slots of the chip
/// empty: over a cluster, a workspace, with atomic additions where any order will do.
/// For the partial sums of a problem: with its number of slices, and nothing else.
void forEachSplit(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                  int64_t resident, llvm::function_ref<void(const Plan &)> evaluate);

/// Bytes of workspace that the plan needs, 0 for other reductions.
double workspaceBytes(const Problem &problem, const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_REDUCTION_H
