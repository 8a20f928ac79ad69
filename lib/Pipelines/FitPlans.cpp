//===- FitPlans.cpp - The next plan where a kernel does not fit -----------===//
//
// Planning estimates the registers of a kernel, LLVM's assembler for AMD GPUs counts them. So the
// rest of the pipeline runs on trial: its result stays where every kernel fits, which is nearly
// always, and nothing is compiled twice. Else the module is put back, and says what was refused;
// planning then counts by that. The trials know plans from attributes alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/Passes.h"
#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

namespace rooftile {
#define GEN_PASS_DEF_FITPLANS
#include "rooftile/Pipelines/Passes.h.inc"
} // namespace rooftile

/// Trials at most: a plan is refused once for each number of workgroups of a unit, mostly once.
static constexpr int kMostTrials = 8;

/// tile-select and all behind it. On `trial` a kernel that does not fit is no error.
static OpPassManager lineOf(StringRef chip, Format format, bool trial) {
  OpPassManager line(ModuleOp::getOperationName());
  TileSelectOptions select;
  select.chip = chip.str();
  line.addPass(createTileSelect(select));
  buildKernelPipeline(line);
  buildRocdlPipeline(line, format, trial);
  return line;
}

/// The kernels of `module` that need scratch memory beside their registers.
static std::vector<Refusal> refusedKernels(ModuleOp module) {
  std::vector<Refusal> refused;
  auto readObject = [&](gpu::ObjectAttr object) {
    for (gpu::KernelMetadataAttr kernel : object.getKernels()) {
      auto number = [&](StringRef name) {
        auto value = kernel.getAttr<IntegerAttr>(name);
        return value ? value.getInt() : 0;
      };
      if (auto plan = kernel.getAttr<blas::PlanAttr>(kRefusedPlanName))
        refused.push_back({plan, kernel.getName().str(), number(kScratchName),
                           number(kRegistersName) + number(kSpillsName)});
    }
  };
  module.walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      if (object.getKernels())
        readObject(object);
  });
  return refused;
}

/// Whether a plan that is written in `stated`, by the user, is that of a kernel which was refused.
static bool refusesWritten(ModuleOp stated, ArrayRef<Refusal> refused) {
  auto isRefused = [&](blas::PlanAttr plan) {
    return llvm::any_of(refused,
                        [&](const Refusal &each) { return *each.plan == kernelPlan(*plan); });
  };
  WalkResult result = stated.walk([&](blas::ProductOpInterface op) {
    if (blas::PlanAttr plan = op.getPlanAttr(); plan && isRefused(plan))
      return WalkResult::interrupt();
    if (ArrayAttr plans = op.getPlansAttr())
      for (auto each : plans.getAsRange<blas::CaseAttr>())
        if (isRefused(each.getPlan()))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Adds what is new; false where nothing is.
static bool addAll(std::vector<Refusal> &refusals, ArrayRef<Refusal> found) {
  size_t before = refusals.size();
  for (const Refusal &each : found)
    if (!llvm::is_contained(refusals, each))
      refusals.push_back(each);
  return refusals.size() > before;
}

/// Makes `module` what `stated` is, with what was refused since on its list.
static void putBack(ModuleOp module, ModuleOp stated, ArrayRef<Refusal> refusals) {
  OwningOpRef<ModuleOp> copy = stated.clone();
  module.getBodyRegion().takeBody(copy->getBodyRegion());
  module->setAttrs(copy->getOperation()->getAttrDictionary());
  SmallVector<Attribute> list;
  if (auto before = module->getAttrOfType<ArrayAttr>(kRefusedName))
    llvm::append_range(list, before);
  for (const Refusal &each : refusals)
    list.push_back(each.toAttr());
  module->setAttr(kRefusedName, ArrayAttr::get(module.getContext(), list));
}

namespace {
struct FitPlansPass : rooftile::impl::FitPlansBase<FitPlansPass> {
  using FitPlansBase::FitPlansBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    lineOf(chip, format, /*trial=*/true).getDependentDialects(registry);
  }
  void runOnOperation() override;

private:
  /// Runs the pipeline, and keeps what passes say until it is known whether their result stays.
  LogicalResult run(bool trial, std::vector<Diagnostic> &said);
};
} // namespace

LogicalResult FitPlansPass::run(bool trial, std::vector<Diagnostic> &said) {
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    said.push_back(std::move(diagnostic));
    return success();
  });
  OpPassManager line = lineOf(chip, format, trial);
  return runPipeline(line, getOperation());
}

void FitPlansPass::runOnOperation() {
  ModuleOp module = getOperation();
  OwningOpRef<ModuleOp> stated = module.clone();
  std::vector<Refusal> refusals;
  std::vector<Diagnostic> said;
  LogicalResult result = run(/*trial=*/true, said);
  for (int trials = 1; succeeded(result); ++trials) {
    std::vector<Refusal> found = refusedKernels(module);
    if (found.empty())
      break;
    bool isNew = addAll(refusals, found);
    bool goOn = isNew && trials < kMostTrials && !refusesWritten(*stated, found);
    putBack(module, *stated, refusals);
    said.clear();
    result = run(goOn, said);
  }
  for (Diagnostic &diagnostic : said)
    getContext().getDiagEngine().emit(std::move(diagnostic));
  module->removeAttr(kRefusedName);
  if (failed(result))
    signalPassFailure();
}
