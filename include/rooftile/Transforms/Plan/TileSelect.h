//===- TileSelect.h - Plans for all blas operations -------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PLAN_TILESELECT_H
#define ROOFTILE_TRANSFORMS_PLAN_TILESELECT_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Raises linalg, attaches a target (see attachTarget), and gives every level-3
/// operation of `module` without a plan the best one; remarks say why. A plan
/// already there is checked, explained and kept; with `newOnly` it is passed over. Fails with an
/// error on each operation that no kernel exists for, or whose plan does not fit the target.
/// `plans` is the path of a user's list of tiles (PlanList.h), empty for none: where
/// its lines apply, plans and kernels come from there.
llvm::LogicalResult selectTiles(mlir::ModuleOp module, llvm::StringRef chip, bool newOnly = false,
                                llvm::StringRef plans = "");

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PLAN_TILESELECT_H
