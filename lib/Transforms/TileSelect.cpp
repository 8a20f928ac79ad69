//===- TileSelect.cpp - Choose a plan for every blas operation ------------===//
//
// The only pass that decides. Raises linalg, so that it can be given what other
// compilers emit; asks lib/Planning, which is pure; writes #blas.plan and says
// why. All later passes carry out. A plan already there is left alone, but it
// must fit: a spilling or oversized plan is an error here, not a slow kernel.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/TileSelect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "rooftile/Planning/Blocks.h"
#include "rooftile/Planning/Check.h"
#include "rooftile/Planning/Tiling.h"
#include "rooftile/Transforms/BlasAttachTarget.h"
#include "rooftile/Transforms/ConvertLinalgToBlas.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile::planning;

namespace rooftile {
#define GEN_PASS_DEF_TILESELECT
#include "rooftile/Transforms/Passes.h.inc"

static constexpr llvm::StringLiteral kCategory = "tile-select";

/// Says why: through the remark engine where it wants this (--remarks-filter and
/// the like), else as one ordinary remark, which every tool shows.
static void remarkOnPlan(Operation *op, StringRef outcome, ArrayRef<Reason> reasons) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto options = remark::RemarkOpts::name(outcome).category(kCategory).function(
      function ? function.getName() : StringRef());
  if (auto remark = remark::passed(op->getLoc(), options)) {
    for (const Reason &reason : reasons)
      remark << remark::metric(reason.key, reason.text);
    return;
  }
  InFlightDiagnostic remark = emitRemark(op->getLoc());
  remark << outcome << " " << reasons.front().text;
  for (const Reason &reason : reasons.drop_front())
    remark << "\n  " << reason.key << ": " << reason.text;
}

/// A plan already there: an error unless it fits.
static LogicalResult keepPlan(blas::GemmOp op, const Problem &problem, blas::TargetAttr target) {
  Plan plan = Plan::of(op.getPlanAttr());
  if (auto misfit = check(problem, plan, target))
    return op->emitOpError("plan does not fit: ") << describe(*misfit, target);
  Ranked ranked{plan, estimate(problem, plan, target)};
  remarkOnPlan(op, "kept plan", explain(problem, ranked, target));
  return success();
}

/// Plans one operation; one that has a plan is checked, or with `newOnly` passed over.
static LogicalResult selectPlan(blas::GemmOp op, blas::TargetAttr target, bool newOnly) {
  if (newOnly && op.getPlanAttr())
    return success();
  FailureOr<Problem> problem = Problem::of(op);
  if (failed(problem))
    return failure();
  if (op.getPlanAttr())
    return keepPlan(op, *problem, target);
  std::optional<Choice> choice = choose(*problem, target);
  if (!choice)
    return op->emitOpError("no plan fits chip '") << target.getChip() << "'";
  op.setPlanAttr(choice->best.plan.toAttr(op->getContext()));
  remarkOnPlan(op, "chose plan", explain(*problem, *choice, target));
  return success();
}

/// Chooses the blocks of a triangular operation, or checks those that are there.
static LogicalResult selectBlocks(blas::TriangularOpInterface op, blas::TargetAttr target,
                                  bool newOnly) {
  blas::BlocksAttr plan = op.getBlocks();
  if (newOnly && plan)
    return success();
  FailureOr<TriangularProblem> problem = TriangularProblem::of(op);
  if (failed(problem))
    return failure();
  if (!plan) {
    Blocks best = chooseBlocks(*problem, target);
    op.setPlanAttr(blas::BlocksAttr::get(op->getContext(), best.diagonal, best.workgroup));
    remarkOnPlan(op, "chose plan", explain(*problem, best));
    return success();
  }
  if (plan.getWorkgroup() > target.getThreadsPerBlock())
    return op->emitOpError("plan does not fit: workgroup: ")
           << plan.getWorkgroup() << " threads, but a workgroup of " << target.getChip()
           << " has at most " << target.getThreadsPerBlock();
  Blocks kept = estimateBlocks(*problem, plan.getDiagonal(), plan.getWorkgroup(), target);
  remarkOnPlan(op, "kept plan", explain(*problem, kept));
  return success();
}

LogicalResult selectTiles(ModuleOp module, StringRef chip, bool newOnly) {
  if (!newOnly && failed(raiseLinalgToBlas(module)))
    return failure();
  FailureOr<blas::TargetAttr> target = attachTarget(module, chip);
  if (failed(target))
    return failure();
  module.walk([&](blas::ReduceOp op) {
    if (!op.getPlanAttr())
      op.setPlanAttr(chooseTiling(op, *target));
  });
  // Every operation is looked at, so that one run reports all errors.
  bool failedAny = false;
  module.walk([&](Operation *op) {
    if (auto gemm = dyn_cast<blas::GemmOp>(op))
      failedAny |= failed(selectPlan(gemm, *target, newOnly));
    else if (auto triangular = dyn_cast<blas::TriangularOpInterface>(op))
      failedAny |= failed(selectBlocks(triangular, *target, newOnly));
  });
  return failure(failedAny);
}

namespace {
struct TileSelectPass : impl::TileSelectBase<TileSelectPass> {
  using TileSelectBase::TileSelectBase;

  void runOnOperation() override {
    if (failed(selectTiles(getOperation(), chip, newOnly)))
      signalPassFailure();
  }
};
} // namespace
} // namespace rooftile
