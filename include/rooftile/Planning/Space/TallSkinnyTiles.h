//===- TallSkinnyTiles.h - Tiles of TSMM, block vectors times a small matrix *- C++ -* -===//
//
// Private to Planning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_TALLSKINNYTILES_H
#define ROOFTILE_PLANNING_SPACE_TALLSKINNYTILES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Candidates.h"

namespace rooftile::planning {

/// Tiles of multiply-adds that hold whole rows of C and of A (or whole columns of C and of B), and
/// all of the small matrix, of a product with few columns and a short K.
void forEachTallSkinnyTile(const Problem &problem, blas::TargetAttr target,
                           llvm::function_ref<void(const Tile &)> visit);

/// The same for a tile of matrix instructions.
void evaluateTallSkinny(const Problem &problem, Plan plan, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> evaluate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_TALLSKINNYTILES_H
