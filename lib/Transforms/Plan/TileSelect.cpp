//===- TileSelect.cpp - Choose a plan for every blas operation ------------===//
//
// Decides, with plan-parts: raises linalg, so that it can be given what other compilers emit, and
// attaches a target; SelectPlans asks for plans. All later passes carry out.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Plan/TileSelect.h"
#include "rooftile/Planning/Search/LeastEnergy.h"
#include "rooftile/Planning/Search/PlanList.h"
#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "rooftile/Transforms/Raise/ConvertLinalgToBlas.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tile-select"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_TILESELECT
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct TileSelectPass : impl::TileSelectBase<TileSelectPass> {
  using TileSelectBase::TileSelectBase;
  TileSelectPass(TileSelectOptions options, SharedPlanList list)
      : TileSelectBase(std::move(options)), given(std::move(list)) {}

  void runOnOperation() override {
    if (failed(raiseLinalgToBlas(getOperation())))
      return signalPassFailure();
    FailureOr<blas::TargetAttr> target = attachTarget(getOperation(), chip);
    FailureOr<SharedPlanList> list = listOfUser();
    if (failed(target) || failed(list))
      return signalPassFailure();
    std::optional<planning::Objective> wanted = planning::parseObjective(objective);
    if (!wanted) {
      getOperation().emitError("objective = ") << objective << "; expected time or energy";
      return signalPassFailure();
    }
    if (failed(selectPlans(getOperation(), *target, PlannedOps::User, *list, {}, *wanted)))
      return signalPassFailure();
    getOperation().walk([&](blas::Level3OpInterface op) {
      ++numOperations;
      LDBG() << op->getName() << " at " << op->getLoc();
    });
  }

private:
  /// The list that was given, else that of the option.
  FailureOr<SharedPlanList> listOfUser() {
    if (given || plans.empty())
      return given;
    return planning::PlanList::read(plans, &getContext());
  }

  SharedPlanList given;
};
} // namespace

std::unique_ptr<Pass> createTileSelect(StringRef chip, SharedPlanList list) {
  TileSelectOptions options;
  options.chip = chip.str();
  if (list)
    options.plans = list->file();
  return std::make_unique<TileSelectPass>(std::move(options), std::move(list));
}
} // namespace rooftile
