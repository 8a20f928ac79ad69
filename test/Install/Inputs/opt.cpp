// A tool of somebody else: a pipeline of its own around Rooftile's line, with a pass of its own in
// it.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/InitAll.h"
#include "rooftile/Pipelines/Pipelines.h"

using namespace mlir;

/// Reads what tile-select decided.
struct LookAtPlans : PassWrapper<LookAtPlans, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LookAtPlans)
  StringRef getArgument() const override { return "look-at-plans"; }
  void runOnOperation() override {
    getOperation().walk([](rooftile::blas::GemmOp op) {
      auto plan = op.getPlanAttr();
      op->emitRemark("downstream saw a macro tile of ") << plan->macroM << " rows";
    });
  }
};

int main(int argc, char **argv) {
  DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  rooftile::registerAllPasses();
  PassPipelineRegistration<> line("downstream-line", "planned, looked at, lowered to the CPU",
                                  [](OpPassManager &pm) {
                                    rooftile::buildPlanPipeline(pm, "h200");
                                    pm.addNestedPass<func::FuncOp>(std::make_unique<LookAtPlans>());
                                    rooftile::buildKernelPipeline(pm);
                                    rooftile::buildCpuPipeline(pm);
                                  });
  return asMainReturnCode(MlirOptMain(argc, argv, "downstream\n", registry));
}
