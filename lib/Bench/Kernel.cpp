//===- Kernel.cpp - A shape compiled to a function that launches ----------===//

#include "rooftile/Bench/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/HostEngine.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/InitAll.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;
using Clock = std::chrono::steady_clock;

std::function<LogicalResult(Diagnostic &)> rooftile::bench::errorsInto(std::string &error) {
  return [&error](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && error.empty())
      error = diagnostic.str();
    return success();
  };
}

void rooftile::bench::prepareCompiler(DialectRegistry &registry) {
  registerAllDialects(registry);
  compiler::registerHostEngine(registry);
}

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

namespace {
/// The milliseconds of LLVM's code generator and ptxas.
struct BinaryTimer : PassInstrumentation {
  explicit BinaryTimer(double &milliseconds) : milliseconds(milliseconds) {}

  void runBeforePass(Pass *, Operation *) override { start = Clock::now(); }
  void runAfterPass(Pass *pass, Operation *) override {
    if (pass->getArgument() == "nvvm-to-binary")
      milliseconds += millisecondsSince(start);
  }

  Clock::time_point start;
  double &milliseconds;
};
} // namespace

static LogicalResult runPipeline(ModuleOp module, double &binaryMs,
                                 llvm::function_ref<void(OpPassManager &)> build) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.addInstrumentation(std::make_unique<BinaryTimer>(binaryMs));
  build(passes);
  return passes.run(module);
}

/// Whether the operation runs once in each call: nothing but regions that run once are around it.
static bool runsOnce(Operation *op) {
  Operation *around = op->getParentOp();
  while (isa<scf::ExecuteRegionOp>(around))
    around = around->getParentOp();
  return isa<func::FuncOp>(around);
}

/// The model's seconds for one planned operation that runs once, NaN where it has none.
static double estimateOf(Operation *op) {
  auto target = op->getParentOfType<ModuleOp>()->getAttrOfType<blas::TargetAttr>(
      blas::BlasDialect::kTargetName);
  if (!target || !runsOnce(op))
    return NAN;
  if (auto triangular = dyn_cast<blas::TriangularOpInterface>(op)) {
    auto problem = planning::TriangularProblem::of(triangular);
    blas::BlocksAttr plan = triangular.getPlanAttr();
    if (failed(problem) || !plan)
      return NAN;
    return planning::priced(*problem, planning::Blocks(plan), target).seconds();
  }
  auto gemm = dyn_cast<blas::GemmOp>(op);
  if (!gemm || !gemm.getPlanAttr())
    return NAN;
  FailureOr<planning::Problem> problem = planning::Problem::of(gemm);
  if (failed(problem))
    return NAN;
  return planning::estimate(*problem, *gemm.getPlanAttr(), target).seconds;
}

static void readPlans(ModuleOp module, Kernel &kernel) {
  kernel.predicted = 0;
  kernel.plan.clear();
  module.walk([&](blas::Level3OpInterface op) {
    kernel.predicted += estimateOf(op) * 1e3;
    llvm::raw_string_ostream text(kernel.plan);
    if (Attribute plan = op.getAnyPlan())
      text << (kernel.plan.empty() ? "" : " + ") << plan;
    auto gemm = dyn_cast<blas::GemmOp>(*op);
    if (gemm && gemm.getPlansAttr()) // chosen at run time
      for (auto each : gemm.getPlansAttr().getAsRange<blas::CaseAttr>())
        text << (text.str().empty() ? "" : " | ") << each.getPlan();
  });
}

/// Reads what ptxas states of the kernels; nothing for PTX.
static void readBinaries(ModuleOp module, Kernel &kernel) {
  module.walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      if (!object.getKernels())
        continue;
      for (gpu::KernelMetadataAttr each : object.getKernels()) {
        auto number = [&](StringRef key) { return each.getAttr<IntegerAttr>(key).getInt(); };
        kernel.registers = std::fmax(kernel.registers, number("registers"));
        kernel.spillBytes = std::fmax(kernel.spillBytes, number("spill_bytes"));
      }
    }
  });
}

/// Everything from text to an executable; false with an error in the kernel or as a diagnostic.
static bool compileThroughPipeline(const Shape &shape, const std::string &plan,
                                   MLIRContext &context, const KernelOptions &options,
                                   Kernel &kernel) {
  OwningOpRef<ModuleOp> module = raisedModule(shape, context);
  auto require = [&](OpPassManager &pm) { requireVendor(pm, blas::Vendor::Nvidia, options.chip); };
  if (!module || failed(setPlans(*module, shape, plan)) ||
      (!options.planOnly && failed(runPipeline(*module, kernel.binary, require))))
    return false;
  auto choosePlans = [&]() -> LogicalResult {
    auto select = [&](OpPassManager &pm) { buildSelectPipeline(pm, options.chip); };
    if (failed(runPipeline(*module, kernel.binary, select)))
      return failure();
    readPlans(*module, kernel);
    return success();
  };
  if (options.planOnly)
    return succeeded(choosePlans());
  double compile = 0, binary = 0; // with plans that are given up
  auto toPrograms = [&]() -> LogicalResult {
    if (failed(choosePlans()))
      return failure();
    auto start = Clock::now();
    auto lower = [](OpPassManager &pm) { buildSplitPipeline(pm), buildProgramPipeline(pm); };
    LogicalResult lowered = runPipeline(*module, binary, lower);
    compile += millisecondsSince(start);
    return lowered;
  };
  auto finish = [&]() -> LogicalResult {
    auto start = Clock::now();
    auto toBinaries = [&](OpPassManager &pm) { buildKernelsOnly(pm, options.format); };
    bool lowered = succeeded(runPipeline(*module, binary, buildThreadPipeline)) &&
                   succeeded(compiler::makeElementKernels(*module)) &&
                   succeeded(runPipeline(*module, binary, toBinaries));
    compile += millisecondsSince(start);
    return success(lowered);
  };
  if (failed(fitPlans(*module, countsRegisters(options.format), {toPrograms, finish})))
    return false;
  kernel.compile = compile;
  kernel.binary = binary;
  readBinaries(*module, kernel);
  ExecutableData data;
  if (failed(compiler::takeExecutable(*module, data)))
    return false;
  if (!options.load) {
    kernel.bytes = writeExecutable(data);
    return true;
  }
  kernel.executable = Executable::load(std::move(data), kernel.error);
  return kernel.executable != nullptr;
}

Kernel rooftile::bench::compile(const Shape &shape, const std::string &plan, MLIRContext &context,
                                const KernelOptions &options) {
  Kernel kernel;
  // Known before any text: element types without kernels.
  kernel.unsupported = !hasKernels(shape.operation.info(), shape.element());
  std::string error;
  ScopedDiagnosticHandler handler(&context, errorsInto(error));
  if (!compileThroughPipeline(shape, plan, context, options, kernel) && kernel.error.empty())
    kernel.error = error.empty() ? "does not compile" : error;
  kernel.unsupported &= !kernel.error.empty();
  return kernel;
}

Row rooftile::bench::rowOf(const Shape &shape, const Kernel &kernel, int64_t rank) {
  Row row;
  row.group = shape.group;
  row.type = nameOf(shape.element());
  row.op = shape.op();
  row.sizes = shape.sizes();
  row.modifiers = shape.modifiers();
  row.flops = shape.flops();
  row.bytes = shape.bytes();
  row.predictedMs = kernel.predicted;
  row.compileMs = kernel.compile;
  row.binaryMs = kernel.binary;
  row.registers = kernel.registers;
  row.spillBytes = kernel.spillBytes;
  row.rank = rank;
  row.status = kernel.unsupported ? "no kernel" : kernel.error;
  row.plan = kernel.plan;
  return row;
}

Header rooftile::bench::ceilings(MLIRContext &context, const KernelOptions &options) {
  std::string error;
  ScopedDiagnosticHandler handler(&context, errorsInto(error));
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  FailureOr<blas::TargetAttr> target = attachTarget(*module, options.chip);
  Header header;
  if (failed(target))
    return header;
  for (auto [name, bytes] : {std::pair("f32", 4), std::pair("f64", 8)}) {
    planning::Problem problem;
    problem.elementBytes = problem.realBytes = bytes;
    double flops = planning::roofline(problem, *target).flopsPerSecond;
    header.push_back(
        {std::string("ceiling ") + name, llvm::formatv("{0:f1} TFLOP/s", flops * 1e-12)});
  }
  for (const blas::InstructionRate &rate : (*target)->instructions)
    header.push_back({"ceiling " + rate.instruction->name.str(),
                      llvm::formatv("{0:f1} TFLOP/s", rate.gflops * 1e-3)});
  header.push_back({"ceiling dram", llvm::formatv("{0} GB/s", (*target)->dramReadGBps)});
  header.push_back({"ceiling copy", llvm::formatv("{0} GB/s", (*target)->dramCopyGBps)});
  return header;
}
