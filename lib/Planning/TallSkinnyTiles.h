//===- TallSkinnyTiles.h - Tiles of TSMM, block vectors times a small matrix *- C++ -* -===//
//
// Private to Planning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_TALLSKINNYTILES_H
#define ROOFTILE_LIB_PLANNING_TALLSKINNYTILES_H

#include "Step.h"
#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// Tiles of multiply-adds that hold whole rows of C and of A (or whole columns of C and of B), and
/// all of the small matrix, of a product with few columns and a short K.
void forEachTallSkinnyTile(const Problem &problem, blas::TargetAttr target,
                           llvm::function_ref<void(const Plan &)> evaluate);

/// The same for a tile of matrix instructions.
void evaluateTallSkinny(const Problem &problem, Plan plan, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> evaluate);

/// (C28) What is resident of one step by real multiply-adds, which takes fewer registers than (C3)
/// counts; of others what is `modelled`.
Occupancy tsmmOccupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                        const Occupancy &modelled);

/// (C28) Seconds of a wave of `blocks` workgroups on each unit, `active` in all, that read,
/// multiply and write rows of block vectors, K not shared out: in one step, or in several, which
/// are predicted to take `several` as those of other products. (C10) has them read `fromDram`
/// bytes.
double tsmmSeconds(const Problem &problem, const Plan &plan, const Step &step, int64_t blocks,
                   int64_t active, double fromDram, double several, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_TALLSKINNYTILES_H
