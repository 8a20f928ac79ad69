//===- TileSelect.h - The pass tile-select ----------------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PLAN_TILESELECT_H
#define ROOFTILE_TRANSFORMS_PLAN_TILESELECT_H

#include "mlir/Pass/Pass.h"
#include "rooftile/Transforms/Plan/SelectPlans.h"

namespace rooftile {

/// The pass tile-select with a list that has been read, in place of the file of its option `plans`.
std::unique_ptr<mlir::Pass> createTileSelect(llvm::StringRef chip, SharedPlanList list);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PLAN_TILESELECT_H
