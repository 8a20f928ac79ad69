//===- FitPlans.cpp - The next plan where a kernel does not fit -----------===//
//
// Planning estimates the registers of a kernel, an assembler counts them: ptxas, or LLVM's for AMD
// GPUs. So the rest of the pipeline runs on trial: its result stays where every kernel fits, which
// is nearly always, and nothing is compiled twice. Else the module is put back, and says what was
// refused; planning then counts by that. The trials know plans from attributes alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/Passes.h"
#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// The plans that are written in `module`, by the user, as their kernels have them.
static std::vector<Plan> writtenPlans(ModuleOp module) {
  std::vector<Plan> plans;
  module.walk([&](blas::ProductOpInterface op) {
    if (blas::PlanAttr plan = op.getPlanAttr())
      plans.push_back(kernelPlan(*plan));
    if (ArrayAttr cases = op.getPlansAttr())
      for (auto each : cases.getAsRange<blas::CaseAttr>())
        plans.push_back(kernelPlan(*each.getPlan()));
  });
  return plans;
}

/// Takes what was refused from the binaries of `module`.
static std::vector<Refusal> takeRefused(ModuleOp module) {
  std::vector<Refusal> refused;
  module.walk([&](gpu::BinaryOp binary) {
    if (auto list = dyn_cast_or_null<ArrayAttr>(binary->removeAttr(kRefusedName)))
      for (Attribute each : list)
        if (std::optional<Refusal> refusal = Refusal::of(each))
          refused.push_back(*refusal);
  });
  return refused;
}

/// Adds what is new and of plans that planning chose; false where nothing is.
static bool addNew(std::vector<Refusal> &refusals, ArrayRef<Refusal> found,
                   ArrayRef<Plan> written) {
  size_t before = refusals.size();
  for (const Refusal &each : found)
    if (!llvm::is_contained(written, *each.plan) && !llvm::is_contained(refusals, each))
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

/// Compiles, and keeps what passes say until it is known whether their result stays.
static LogicalResult listen(MLIRContext *context, function_ref<LogicalResult()> compile,
                            std::vector<Diagnostic> &said) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    said.push_back(std::move(diagnostic));
    return success();
  });
  return compile();
}

/// Passes on what was said while compiling came to `result`. On trial it went on behind an error,
/// which all the same ends it.
static LogicalResult emitAll(MLIRContext *context, std::vector<Diagnostic> &said,
                             LogicalResult result) {
  for (Diagnostic &diagnostic : said) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    context->getDiagEngine().emit(std::move(diagnostic));
    if (isError && succeeded(result))
      return failure();
  }
  return result;
}

FailureOr<int64_t> rooftile::fitPlans(ModuleOp module, bool counted,
                                      function_ref<LogicalResult()> compile) {
  MLIRContext *context = module.getContext();
  if (counted && !module->hasAttr(kRefusedName))
    module->setAttr(kRefusedName, ArrayAttr::get(context, {}));
  OwningOpRef<ModuleOp> stated = module.clone();
  std::vector<Plan> written = writtenPlans(*stated);
  std::vector<Refusal> refusals;
  std::vector<Diagnostic> said;
  int64_t trials = 1;
  LogicalResult result = listen(context, compile, said);
  while (succeeded(result) && addNew(refusals, takeRefused(module), written) &&
         trials < kMostTrials) {
    putBack(module, *stated, refusals);
    said.clear();
    result = listen(context, compile, said);
    ++trials;
  }
  module->removeAttr(kRefusedName);
  if (failed(emitAll(context, said, result)))
    return failure();
  return trials;
}

/// The rest of a pipeline fails on tensors, in part without a word.
static LogicalResult checkBuffers(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    bool works = isa<linalg::LinalgOp, scf::ForallOp>(op) ||
                 isa_and_nonnull<blas::BlasDialect>(op->getDialect());
    if (!works || !llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      return WalkResult::advance();
    op->emitOpError("is on tensors: fit-plans compiles operations on memrefs");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct FitPlansPass : rooftile::impl::FitPlansBase<FitPlansPass> {
  using FitPlansBase::FitPlansBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    rest().getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(checkBuffers(getOperation())))
      return signalPassFailure();
    OpPassManager line = rest();
    FailureOr<int64_t> trials =
        fitPlans(getOperation(), vendor == blas::Vendor::Amd || countsRegisters(format),
                 [&] { return runPipeline(line, getOperation()); });
    if (failed(trials))
      return signalPassFailure();
    numTrials += *trials;
  }

private:
  /// tile-select and all behind it.
  OpPassManager rest() const;
};
} // namespace

OpPassManager FitPlansPass::rest() const {
  OpPassManager pm(ModuleOp::getOperationName());
  TileSelectOptions select;
  select.chip = chip;
  select.plans = plans;
  pm.addPass(createTileSelect(select));
  buildKernelPipeline(pm);
  if (kernelsOnly)
    buildKernelsOnly(pm, format);
  else if (vendor == blas::Vendor::Amd)
    buildRocdlPipeline(pm, format, /*trial=*/true);
  else
    buildNvvmPipeline(pm, format, lines);
  return pm;
}
