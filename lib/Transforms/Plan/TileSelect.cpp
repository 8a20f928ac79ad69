//===- TileSelect.cpp - Choose a plan for every blas operation ------------===//
//
// Decides, with plan-parts: raises linalg, so that it can be given what other compilers emit, and
// attaches a target; SelectPlans asks for plans. All later passes carry out.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "rooftile/Transforms/Plan/SelectPlans.h"
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

  void runOnOperation() override {
    if (failed(raiseLinalgToBlas(getOperation())))
      return signalPassFailure();
    FailureOr<blas::TargetAttr> target = attachTarget(getOperation(), chip);
    if (failed(target) || failed(selectPlans(getOperation(), *target, PlannedOps::User, plans)))
      return signalPassFailure();
    getOperation().walk([&](blas::Level3OpInterface op) {
      ++numOperations;
      LDBG() << op->getName() << " at " << op->getLoc();
    });
  }
};
} // namespace
} // namespace rooftile
