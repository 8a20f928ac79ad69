//===- FitPlans.cpp - The next plan where a kernel does not fit -----------===//
//
// Planning estimates the registers of a kernel, an assembler counts them: ptxas, or LLVM's for AMD
// GPUs. The driver fitPlans compiles on trial: the result stays where every kernel fits, which is
// nearly always, and nothing is compiled twice. Else the module is put back, with what was refused
// as an attribute; planning counts by that, and kernels that stay the same keep their binaries.
// The pass is the way of textual pipelines to the driver.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/Passes.h"
#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace rooftile;
using planning::kernelPlan;

namespace rooftile {
#define GEN_PASS_DEF_FITPLANS
#include "rooftile/Pipelines/Passes.h.inc"
} // namespace rooftile

static constexpr llvm::StringLiteral kRefusedName = blas::BlasDialect::kRefusedName;
/// Trials at most: a plan is refused once for each number of workgroups of a unit, mostly once, and
/// a triangular operation has a plan for each of its products.
static constexpr int kMostTrials = 12;

/// The plans that are written in `module`, by the user, as their kernels have them.
static llvm::DenseSet<Attribute> writtenPlans(ModuleOp module) {
  llvm::DenseSet<Attribute> plans;
  MLIRContext *context = module.getContext();
  auto addProduct = [&](blas::PlanAttr plan) {
    plans.insert(blas::PlanAttr::get(context, kernelPlan(*plan)));
  };
  module.walk([&](blas::ProductOpInterface op) {
    if (blas::PlanAttr plan = op.getPlanAttr())
      addProduct(plan);
    if (ArrayAttr cases = op.getPlansAttr())
      for (auto each : cases.getAsRange<blas::CaseAttr>())
        addProduct(each.getPlan());
  });
  module.walk([&](blas::TriangularOpInterface op) {
    if (blas::BlocksAttr blocks = op.getPlanAttr())
      plans.insert(blas::BlocksAttr::get(context, blocks->ofBlock()));
  });
  return plans;
}

/// Collects refusals from the binaries of `module`.
static std::vector<blas::RefusalAttr> takeRefused(ModuleOp module) {
  std::vector<blas::RefusalAttr> refused;
  module.walk([&](gpu::BinaryOp binary) {
    if (auto list = dyn_cast_or_null<ArrayAttr>(binary->removeAttr(kRefusedName)))
      llvm::append_range(refused, list.getAsRange<blas::RefusalAttr>());
  });
  return refused;
}

/// Adds what is new and of plans that planning chose; false where nothing is.
static bool addNew(std::vector<blas::RefusalAttr> &refusals, ArrayRef<blas::RefusalAttr> found,
                   const llvm::DenseSet<Attribute> &written) {
  size_t before = refusals.size();
  for (blas::RefusalAttr each : found) {
    Attribute plan = each.getKernelPlan();
    auto isOfPlan = [&](blas::RefusalAttr other) { return other.getKernelPlan() == plan; };
    if (!written.contains(plan) && !llvm::any_of(refusals, isOfPlan))
      refusals.push_back(each);
  }
  return refusals.size() > before;
}

/// Makes `module` what `stated` is, with what was refused since on its list.
static void putBack(ModuleOp module, ModuleOp stated, ArrayRef<blas::RefusalAttr> refusals) {
  OwningOpRef<ModuleOp> copy = stated.clone();
  module.getBodyRegion().takeBody(copy->getBodyRegion());
  module->setAttrs(copy->getOperation()->getAttrDictionary());
  SmallVector<Attribute> list;
  if (auto before = module->getAttrOfType<ArrayAttr>(kRefusedName))
    llvm::append_range(list, before);
  llvm::append_range(list, refusals);
  module->setAttr(kRefusedName, ArrayAttr::get(module.getContext(), list));
}

/// Launches of kernels in the module of this name that add shared memory to that of the binary.
static SmallVector<gpu::LaunchFuncOp> launchesWithMemory(ModuleOp module, StringRef name) {
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() == name && launch.getDynamicSharedMemorySize())
      launches.push_back(launch);
  });
  return launches;
}

namespace {
/// Tile programs of a trial and their binaries: what the next trial writes once more is not lowered
/// again, where the binary lists what spills (kernels with plans do): warnings are emitted again.
class KnownPrograms {
public:
  /// Keeps the programs of `module` that are still to be lowered.
  void keepPrograms(ModuleOp module) {
    auto hasPlan = [](gpu::GPUFuncOp kernel) {
      return kernel->hasAttr(blas::BlasDialect::kKernelPlanName);
    };
    for (auto program : module.getOps<gpu::GPUModuleOp>()) {
      known.erase(program.getName());
      if (llvm::all_of(program.getOps<gpu::GPUFuncOp>(), hasPlan))
        known[program.getName()] = {program.clone(), nullptr, false};
    }
  }
  void keepBinaries(ModuleOp module) {
    for (auto binary : module.getOps<gpu::BinaryOp>())
      if (auto found = known.find(binary.getName());
          found != known.end() && !binary->hasAttr(kRefusedName)) {
        found->second.binary = binary.clone();
        found->second.hasAllMemory = launchesWithMemory(module, binary.getName()).empty();
      }
  }
  /// Puts binaries in place of the programs of `module` that they were made of.
  void reuse(ModuleOp module) {
    for (auto program : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
      auto found = known.find(program.getName());
      if (found == known.end() || !found->second.binary ||
          !OperationEquivalence::isEquivalentTo(program, *found->second.program,
                                                OperationEquivalence::None))
        continue;
      // As lowering it would, where the binary has the shared memory.
      if (found->second.hasAllMemory)
        for (gpu::LaunchFuncOp launch : launchesWithMemory(module, program.getName()))
          launch.getDynamicSharedMemorySizeMutable().clear();
      OpBuilder(program).insert(found->second.binary->clone());
      program.erase();
    }
  }

private:
  struct Kernel {
    OwningOpRef<gpu::GPUModuleOp> program;
    OwningOpRef<gpu::BinaryOp> binary;
    bool hasAllMemory = false; ///< Launches add none.
  };
  llvm::StringMap<Kernel> known;
};
} // namespace

/// Compiles, and keeps diagnostics of passes until it is known whether their result stays.
static LogicalResult compileOnce(ModuleOp module, const FittedSteps &steps, KnownPrograms &known,
                                 std::vector<Diagnostic> &said) {
  said.clear();
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    said.push_back(std::move(diagnostic));
    return success();
  });
  if (failed(steps.plan()))
    return failure();
  known.reuse(module);
  known.keepPrograms(module);
  if (failed(steps.finish()))
    return failure();
  known.keepBinaries(module);
  return success();
}

/// Emits the diagnostics of compiling to `result`. On trial it went on after an error,
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

FailureOr<int64_t> rooftile::fitPlans(ModuleOp module, bool counted, const FittedSteps &steps) {
  MLIRContext *context = module.getContext();
  if (counted && !module->hasAttr(kRefusedName))
    module->setAttr(kRefusedName, ArrayAttr::get(context, {}));
  OwningOpRef<ModuleOp> stated = module.clone();
  llvm::DenseSet<Attribute> written = writtenPlans(*stated);
  std::vector<blas::RefusalAttr> refusals;
  std::vector<Diagnostic> said;
  KnownPrograms known;
  int64_t trials = 1;
  LogicalResult result = compileOnce(module, steps, known, said);
  while (succeeded(result) && addNew(refusals, takeRefused(module), written) &&
         trials < kMostTrials) {
    putBack(module, *stated, refusals);
    result = compileOnce(module, steps, known, said);
    ++trials;
  }
  module->removeAttr(kRefusedName);
  if (failed(emitAll(context, said, result)))
    return failure();
  return trials;
}

/// The rest of a pipeline fails on tensors, sometimes without an error.
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
  explicit FitPlansPass(const FitPlansOptions &options = {}) : FitPlansBase(options) {
    if (failed(addSteps()))
      llvm::report_fatal_error("fit-plans: its own steps are no pipeline");
  }

  LogicalResult initializeOptions(StringRef text,
                                  function_ref<LogicalResult(const Twine &)> error) override {
    plan = finish = "";
    if (failed(FitPlansBase::initializeOptions(text, error)))
      return failure();
    return addSteps();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    toPrograms.getDependentDialects(registry);
    toBinaries.getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(checkBuffers(getOperation())))
      return signalPassFailure();
    bool counted = vendor == blas::Vendor::Amd || countsRegisters(format);
    FailureOr<int64_t> trials = fitPlans(getOperation(), counted,
                                         {[&] { return runPipeline(toPrograms, getOperation()); },
                                          [&] { return runPipeline(toBinaries, getOperation()); }});
    if (failed(trials))
      return signalPassFailure();
    numTrials += *trials;
  }

private:
  /// The steps as passes and as text, each by the other where that is given.
  LogicalResult addSteps();
  /// From tile-select to macro-tile.
  OpPassManager programs() const;
  /// All passes after these.
  OpPassManager binaries() const;

  OpPassManager toPrograms, toBinaries;
};
} // namespace

/// The passes that `text` names, else `passes` and their text.
static FailureOr<OpPassManager> stepsOf(Pass::Option<std::string> &text, OpPassManager passes) {
  if (!text.empty())
    return parsePassPipeline(text);
  std::string all;
  llvm::raw_string_ostream out(all);
  passes.printAsTextualPipeline(out);
  text = all;
  return passes;
}

LogicalResult FitPlansPass::addSteps() {
  FailureOr<OpPassManager> first = stepsOf(plan, programs()), rest = stepsOf(finish, binaries());
  if (failed(first) || failed(rest))
    return failure();
  toPrograms = std::move(*first);
  toBinaries = std::move(*rest);
  return success();
}

OpPassManager FitPlansPass::programs() const {
  OpPassManager pm(ModuleOp::getOperationName());
  buildSelectPipeline(pm, chip, plans);
  buildSplitPipeline(pm);
  buildProgramPipeline(pm);
  return pm;
}

OpPassManager FitPlansPass::binaries() const {
  OpPassManager pm(ModuleOp::getOperationName());
  buildThreadPipeline(pm);
  if (kernelsOnly)
    buildKernelsOnly(pm, format);
  else if (vendor == blas::Vendor::Amd)
    buildRocdlPipeline(pm, format, /*trial=*/true);
  else
    buildNvvmPipeline(pm, format, sourceLines);
  return pm;
}
