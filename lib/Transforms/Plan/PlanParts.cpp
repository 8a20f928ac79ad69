//===- PlanParts.cpp - Plans for what passes make of an operation ---------===//

#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "rooftile/Transforms/Plan/SelectPlans.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_PLANPARTS
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct PlanPartsPass : impl::PlanPartsBase<PlanPartsPass> {
  using PlanPartsBase::PlanPartsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<blas::BlasDialect>();
  }

  void runOnOperation() override {
    FailureOr<blas::TargetAttr> target = attachTarget(getOperation(), chip);
    if (failed(target) || failed(selectPlans(getOperation(), *target, PlannedOps::Parts)))
      return signalPassFailure();
    getOperation().walk([&](blas::Level3OpInterface) { ++numOperations; });
  }
};
} // namespace
} // namespace rooftile
