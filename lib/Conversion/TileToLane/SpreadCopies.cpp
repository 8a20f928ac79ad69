//===- SpreadCopies.cpp - Asynchronous copies among multiplications -------===//
//
// A step of the pipelined K loop starts with the copies of a later one. Issued together they hold
// up what comes after them: a subgroup issues a copy in about seven clocks. So they are spread:
//
//   copy x 3, commit, multiply x 12   ->   multiply x 3, copy, multiply x 3, copy, ... commit, ...
//
// up to the next wait or barrier, which belong to steps. The condition around the copies of a step
// that may not exist becomes one of each copy, which then reads nothing: a branch would keep
// multiplications apart, and copies that are not issued at all without it cost registers (measured:
// 8 % slower).
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Conversion/TileToLane/TileToLane.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "spread-copies"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_SPREADCOPIES
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// A condition around copies and arithmetic alone.
static bool guardsCopies(Operation &op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && branch.getNumResults() == 0 && !branch.elseBlock() &&
         llvm::all_of(branch.thenBlock()->without_terminator(), [](Operation &inner) {
           return isa<lane::CopyOp>(inner) || isMemoryEffectFree(&inner);
         });
}

/// Puts the condition of `branch` on each of its copies, and these before it. Where it does
/// not hold zeros arrive in a stage that no step reads any more.
static void flatten(scf::IfOp branch) {
  Value condition = branch.getCondition();
  for (Operation &op : llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
    op.moveBefore(branch);
    auto copy = dyn_cast<lane::CopyOp>(op);
    if (!copy)
      continue;
    OpBuilder builder(copy);
    Value inside = copy.getInside();
    copy.getInsideMutable().assign(
        inside ? arith::AndIOp::create(builder, copy.getLoc(), inside, condition) : condition);
  }
  branch.erase();
}

namespace {
/// The copies of one step, and the multiplications after them.
struct Step {
  SmallVector<lane::CopyOp> copies;
  lane::CommitOp commit;
  SmallVector<Operation *> multiplications;
};
} // namespace

static bool isMultiplication(Operation &op) { return isa<lane::MmaOp, math::FmaOp>(op); }

/// Operations that end a step: another step's synchronization or copies, branches, loops.
static bool endsStep(Operation &op) {
  return isa<lane::WaitOp, lane::CommitOp, lane::CopyOp, gpu::BarrierOp>(op) ||
         op.getNumRegions() > 0;
}

/// The steps of a loop body.
static SmallVector<Step> stepsOf(Block *body) {
  SmallVector<Step> steps;
  Step step;
  for (Operation &op : body->without_terminator()) {
    if (step.commit && endsStep(op)) {
      steps.push_back(std::move(step));
      step = Step();
    }
    if (auto copy = dyn_cast<lane::CopyOp>(op))
      step.copies.push_back(copy);
    else if (auto commit = dyn_cast<lane::CommitOp>(op))
      step.commit = commit;
    else if (step.commit && isMultiplication(op))
      step.multiplications.push_back(&op);
    else if (endsStep(op))
      step.copies.clear();
  }
  if (step.commit)
    steps.push_back(std::move(step));
  return steps;
}

/// Spreads the copies of `step`, where there are enough multiplications; returns how many.
static int64_t spread(Step &step) {
  size_t copies = step.copies.size(), count = step.multiplications.size();
  if (copies == 0 || count < copies)
    return 0;
  for (auto [index, copy] : llvm::enumerate(step.copies))
    copy->moveAfter(step.multiplications[(index + 1) * count / (copies + 1)]);
  step.commit->moveAfter(step.copies.back());
  return copies;
}

/// A loop of few steps is bound by the latency of its copies, which then come first.
static bool hasFewSteps(scf::ForOp loop, const blas::CalibrationData &bounds) {
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  return count && count->slt(bounds.leastSpreadSteps);
}

/// Spreads the copies of the body of `loop`; returns how many.
static int64_t spreadCopies(scf::ForOp loop, const blas::CalibrationData &bounds) {
  int64_t multiplyAdds =
      llvm::count_if(*loop.getBody(), [](Operation &op) { return isa<math::FmaOp>(op); });
  if (llvm::none_of(*loop.getBody(), isMultiplication) || hasFewSteps(loop, bounds) ||
      multiplyAdds > bounds.mostSpreadMultiplyAdds)
    return 0;
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody()))
    if (guardsCopies(op))
      flatten(cast<scf::IfOp>(op));
  int64_t copies = 0;
  for (Step &step : stepsOf(loop.getBody()))
    copies += spread(step);
  return copies;
}

int64_t rooftile::spreadCopies(gpu::GPUFuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  blas::TargetAttr target;
  if (auto module = kernel->getParentOfType<ModuleOp>())
    target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName);
  const blas::CalibrationData bounds =
      target ? target::calibrationOf(target) : blas::CalibrationData();
  int64_t copies = 0;
  for (scf::ForOp loop : loops)
    copies += ::spreadCopies(loop, bounds);
  return copies;
}

namespace {
struct SpreadCopiesPass : rooftile::impl::SpreadCopiesBase<SpreadCopiesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t copies = rooftile::spreadCopies(kernel);
      numCopies += copies;
      LDBG() << kernel.getName() << ": " << copies << " copies";
    }
  }
};
} // namespace
