//===- SelectPlans.h - Plans for the operations of a module -----*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PLAN_SELECTPLANS_H
#define ROOFTILE_TRANSFORMS_PLAN_SELECTPLANS_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <memory>

namespace rooftile {
namespace planning {
class PlanList;
enum class Objective;
} // namespace planning

/// A user's list of plans (Planning/Search/PlanList.h); null: none.
using SharedPlanList = std::shared_ptr<const planning::PlanList>;

/// Whose operations are planned.
enum class PlannedOps {
  User, ///< All: what is written is checked and kept, dynamic sizes get a set of plans.
  Parts ///< Operations of other passes that have no plan: each gets one, and none packs.
};

/// Called with each operation that got a plan, plans or a kernel, and the name of their source:
/// "tiles.txt:3", "the model".
using PlanListener = llvm::function_ref<void(mlir::Operation *op, llvm::StringRef source)>;

/// Gives every blas operation of `module` the plan that the first source has which has one: the
/// operation itself, the user's list, what an assembler refused, the cost model. Remarks give the
/// reasons. Fails with an error on each operation that has none.
llvm::LogicalResult selectPlans(mlir::ModuleOp module, blas::TargetAttr target, PlannedOps which,
                                const SharedPlanList &list = nullptr, PlanListener onPlan = {},
                                planning::Objective objective = {});

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PLAN_SELECTPLANS_H
