//===- Runner.cpp - Compiles and verifies lists of cases ------------------===//
//
// Cases that share a kernel share a function; functions are compiled in
// modules of a few dozen, so that a failure to compile costs little.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Runs/Runner.h"
#include "../Cases/Plan.h"
#include "Errors.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "rooftile/Verify/Model/OperationModel.h"
#include "rooftile/Verify/Operands/Memory.h"
#include "rooftile/Verify/Runs/Progress.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rooftile::verify;

namespace {
class Runner {
public:
  Runner(MLIRContext &context, const CaseOptions &options, Report &report, Progress progress)
      : context(context), options(options), report(report), progress(std::move(progress)) {}

  /// Runs the kernels begin .. end; kernels that do not compile are counted one by one.
  void run(llvm::ArrayRef<Kernel> kernels);

  /// Leaves out those whose plans break a rule.
  void leaveOutUnfit(std::vector<Kernel> &kernels);

  void printSummary(llvm::StringRef file, size_t kernels);

  int64_t failed = 0, done = 0, leftOut = 0;

private:
  bool tryRun(llvm::ArrayRef<Kernel> kernels);
  bool doesNotFit(const Kernel &kernel);
  void leaveOut(size_t cases);
  void printReproducer(const Case &single);

  MLIRContext &context;
  const CaseOptions &options;
  Report &report;
  Progress progress;
};

} // namespace

std::string rooftile::verify::reproducer(const Case &single, const CaseOptions &options) {
  std::string command =
      "gemm-run --case='" + single.text() + "' --device=" +
      (options.compile.isEmulated ? "amd-emulator" : nameOf(options.compile.device)) +
      " --seed=" + std::to_string(options.invoke.seed);
  if (options.compile.form == Form::Executable)
    command += " --form=executable";
  if (!options.compile.chip.empty())
    command += " --chip=" + options.compile.chip;
  if (std::isfinite(options.invoke.work))
    command += " --work=" + std::to_string(int64_t(options.invoke.work));
  return command;
}

void Runner::printReproducer(const Case &single) {
  std::string command = reproducer(single, options);
  if (report.isJson())
    llvm::outs() << llvm::json::Value(llvm::json::Object{{"reproduce", command}}) << '\n';
  else
    llvm::outs() << "     reproduce: " << command << '\n';
}

void Runner::printSummary(llvm::StringRef file, size_t kernels) {
  if (report.isJson())
    llvm::outs() << llvm::json::Value(llvm::json::Object{{"file", file},
                                                         {"cases", done},
                                                         {"kernels", int64_t(kernels)},
                                                         {"leftOut", leftOut},
                                                         {"failed", failed}})
                 << '\n';
  else
    llvm::outs() << file << ": " << done << " cases, " << kernels << " kernels, " << failed
                 << " failed"
                 << (options.onlyFitting
                         ? ", plans of " + std::to_string(leftOut) + " cases do not fit the chip"
                         : "")
                 << '\n';
}

static void runCase(const Program &program, const Kernel &kernel, const Case &single,
                    const InvokeOptions &options, OnCase onCase) {
  for (const Signature &signature : program.functions) {
    if (signature.name != kernel.name)
      continue;
    Session session(options.device, program.sites, program.plans, options.seed);
    Call call = modelOf(single).callOf(single, kernel.name);
    invoke(program, signature, call, options, session);
    if (session.getOutcomes().empty() && session.getFailures().empty())
      session.fail("the case has no blas operation left to verify");
    onCase(single, program, call, session);
  }
}

bool rooftile::verify::runKernels(MLIRContext &context, llvm::ArrayRef<Kernel> kernels,
                                  const CaseOptions &options, OnCase onCase) {
  std::string text;
  for (const Kernel &kernel : kernels)
    text += modelOf(kernel.cases[0]).functionOf(kernel.cases[0], kernel.name);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context, "<cases>");
  if (!module)
    return false;
  FailureOr<std::unique_ptr<Program>> program = compile(*module, options.compile);
  if (mlir::failed(program))
    return false;
  for (const Kernel &kernel : kernels)
    for (const Case &single : kernel.cases) {
      sayRunning(reproducer(single, options));
      runCase(**program, kernel, single, options.invoke, onCase);
    }
  return true;
}

bool rooftile::verify::planFits(MLIRContext &context, const Case &single,
                                const CaseOptions &options) {
  auto module =
      parseSourceString<ModuleOp>(modelOf(single).functionOf(single, "f"), &context, "<case>");
  if (!module)
    return false;
  auto target = attachTarget(*module, options.compile.chip);
  bool fits = succeeded(target);
  module->walk([&](mlir::Operation *op) {
    const OperationModel *model = modelOf(op);
    fits = fits && (!model || model->plansFit(op, *target));
  });
  return fits;
}

void Runner::leaveOutUnfit(std::vector<Kernel> &kernels) {
  llvm::erase_if(kernels, [&](const Kernel &kernel) {
    Errors errors(context);
    bool fits = planFits(context, kernel.cases[0], options);
    leaveOut(fits ? 0 : kernel.cases.size());
    return !fits;
  });
}

void Runner::leaveOut(size_t cases) { done += cases, leftOut += cases; }

bool Runner::tryRun(llvm::ArrayRef<Kernel> kernels) {
  return runKernels(
      context, kernels, options,
      [&](const Case &single, const Program &program, const Call &call, const Session &session) {
        ++done;
        if (!report.add(program, call, session, options.quiet)) {
          ++failed;
          printReproducer(single);
        }
        progress.show(done, failed, [] { return std::string(); });
      });
}

/// Passes and assemblers have rules of their own for plans that fit the chip; their errors say so.
/// The picks of planning must fit.
bool Runner::doesNotFit(const Kernel &kernel) {
  Errors errors(context);
  auto nothing = [](const Case &, const Program &, const Call &, const Session &) {};
  bool compiled = runKernels(context, Kernel{kernel.name, {kernel.cases[0]}}, options, nothing);
  llvm::StringRef error = errors.first;
  bool picked = kernel.cases[0].plan.empty() && kernel.cases[0]["macro"] == "auto";
  return !compiled && (error.contains("op plan does not fit") || error.contains("op plan: ") ||
                       (!picked && error.contains("registers that do not fit")));
}

void Runner::run(llvm::ArrayRef<Kernel> kernels) {
  if (kernels.size() > 1) {
    // Silent: kernels that fail are compiled again alone, and their errors printed then.
    ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
    if (tryRun(kernels))
      return;
    rooftileClearError();
  }
  for (const Kernel &kernel : kernels) {
    if (kernels.size() > 1)
      run(kernel);
    else if (options.onlyFitting && doesNotFit(kernel))
      leaveOut(kernel.cases.size());
    else if (!tryRun(kernels)) {
      rooftileClearError();
      failed += kernel.cases.size();
      done += kernel.cases.size();
      if (!report.isJson())
        llvm::outs() << "FAIL does not compile: " << kernel.cases[0].text() << '\n';
      printReproducer(kernel.cases[0]);
    }
  }
}

/// Begin of the line that names the chip whose plans a list has.
static constexpr llvm::StringLiteral kListChip = "chip=";
/// Threads of a subgroup that `lanes=auto` means.
static constexpr int64_t kUsualSubgroup = 32;

/// The chip that a list names; empty for none.
static std::string chipOf(llvm::StringRef text) {
  for (llvm::StringRef line : llvm::split(text, '\n'))
    if (line.consume_front(kListChip))
      return line.trim().str();
  return "";
}

/// Reads all lines; false, with an error on stderr, when one cannot be read.
static bool readKernels(llvm::StringRef file, llvm::StringRef text, const CaseOptions &options,
                        int64_t subgroup, std::vector<Kernel> &kernels) {
  std::map<std::string, size_t> byKey;
  bool readable = true;
  int number = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    ++number;
    if (line.starts_with(kListChip))
      continue;
    auto cases = expandCases(line, options.sample);
    if (!cases) {
      llvm::errs() << file << ':' << number << ": error: " << llvm::toString(cases.takeError())
                   << '\n';
      readable = false;
      continue;
    }
    for (Case &single : *cases) {
      if (subgroup != kUsualSubgroup)
        single = withLanesOf(subgroup, std::move(single));
      auto [entry, isNew] = byKey.try_emplace(single.kernelKey(), kernels.size());
      if (isNew)
        kernels.push_back({"case" + std::to_string(kernels.size()), {}});
      kernels[entry->second].cases.push_back(std::move(single));
    }
  }
  return readable;
}

FailureOr<rooftile::blas::TargetAttr> rooftile::verify::targetOf(MLIRContext &context,
                                                                 llvm::StringRef chip) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  return rooftile::attachTarget(*module, chip);
}

int rooftile::verify::runCases(MLIRContext &context, llvm::StringRef file, llvm::StringRef text,
                               const CaseOptions &stated, Report &report) {
  CaseOptions options = stated;
  if (options.compile.chip.empty())
    options.compile.chip = chipOf(text);
  std::vector<Kernel> kernels;
  FailureOr<rooftile::blas::TargetAttr> target = targetOf(context, options.compile.chip);
  if (mlir::failed(target) || !readKernels(file, text, options, (*target)->subgroup, kernels))
    return 1;
  bool any = !kernels.empty();
  int64_t index = 0;
  llvm::erase_if(kernels, [&](const Kernel &) { return index++ % options.parts != options.part; });
  int64_t total = 0;
  for (const Kernel &kernel : kernels)
    total += kernel.cases.size();
  Runner runner(context, options, report, {file, total});
  if (options.onlyFitting)
    runner.leaveOutUnfit(kernels);
  llvm::ArrayRef<Kernel> rest = kernels;
  while (!rest.empty()) {
    size_t count = std::min(rest.size(), kFunctionsPerModule);
    runner.run(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  runner.printSummary(file, kernels.size());
  if (!any)
    llvm::errs() << file << ": error: no cases\n";
  return runner.failed || !any;
}
