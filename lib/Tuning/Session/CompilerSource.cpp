//===- CompilerSource.cpp - Candidates of the planner ---------------------===//

#include "rooftile/Tuning/Session/CompilerSource.h"
#include "rooftile/Target/Calibrations.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace rooftile;
using namespace rooftile::tuning;

/// Version of the text of plans.
static constexpr int64_t kPlanVersion = 1;

namespace {
class CompiledKernels : public KernelSource {
public:
  CompiledKernels(const bench::Shape &shape, std::unique_ptr<mlir::MLIRContext> context,
                  const bench::KernelOptions &options)
      : shape(shape), context(std::move(context)), options(options) {
    this->options.load = false;
  }

  llvm::Expected<PlanKernel> kernelOf(const std::string &plan) override {
    bench::Kernel kernel = bench::compile(shape, plan, *context, options);
    return PlanKernel{std::move(kernel.bytes), std::move(kernel.error)};
  }

private:
  const bench::Shape &shape;
  std::unique_ptr<mlir::MLIRContext> context;
  bench::KernelOptions options;
};
} // namespace

CompilerSource::CompilerSource(std::string chip, bench::PlanQuery plans) : plans(plans) {
  bench::prepareCompiler(registry);
  options.chip = std::move(chip);
}

std::unique_ptr<mlir::MLIRContext> CompilerSource::newContext() const {
  return std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
}

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

/// Text of the figures and the calibration that plans follow from.
static std::string targetText(blas::TargetAttr target) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << mlir::Attribute(target) << blas::textOf(target::calibrationOf(target));
  return text;
}

llvm::Expected<blas::TargetAttr> CompilerSource::targetIn(mlir::MLIRContext &context) const {
  std::string why;
  mlir::ScopedDiagnosticHandler handler(&context, bench::errorsInto(why));
  auto module = mlir::OwningOpRef(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  llvm::FailureOr<blas::TargetAttr> target = attachTarget(*module, options.chip);
  if (failed(target))
    return llvm::createStringError(why);
  return *target;
}

llvm::Expected<Environment> CompilerSource::environment() const {
  std::unique_ptr<mlir::MLIRContext> context = newContext();
  llvm::Expected<blas::TargetAttr> target = targetIn(*context);
  if (!target)
    return target.takeError();
  Environment environment;
  environment.chip = (*target)->chip;
  environment.compiler = bench::compilerVersion();
  environment.target = llvm::utohexstr(llvm::xxh3_64bits(targetText(*target)), true, 16);
  environment.planVersion = kPlanVersion;
  return environment;
}

llvm::Expected<std::string> CompilerSource::architecture() const {
  std::unique_ptr<mlir::MLIRContext> context = newContext();
  llvm::Expected<blas::TargetAttr> target = targetIn(*context);
  if (!target)
    return target.takeError();
  return (*target)->arch;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static std::vector<Candidate> inMilliseconds(llvm::ArrayRef<bench::Candidate> all) {
  std::vector<Candidate> candidates;
  for (const bench::Candidate &each : all) {
    Candidate &candidate = candidates.emplace_back();
    candidate = {each.plan, each.seconds * 1e3, each.resources};
    for (auto &resource : candidate.resources)
      resource.second *= 1e3;
  }
  return candidates;
}

llvm::Expected<Candidates> CompilerSource::candidatesOf(const bench::Shape &shape) const {
  std::unique_ptr<mlir::MLIRContext> context = newContext();
  auto neighbours = [&shape, &options = options, &context = *context](const std::string &plan) {
    return inMilliseconds(bench::neighboursOf(shape, plan, context, options));
  };
  std::string why;
  std::vector<bench::Candidate> planned = bench::candidatesOf(shape, plans, *context, options, why);
  if (planned.empty())
    return llvm::createStringError(why);
  std::vector<Candidate> listed = inMilliseconds(planned);
  for (auto [candidate, own] : llvm::zip_equal(listed, planned))
    candidate.rank = own.rank;
  return Candidates{Space(std::move(listed), neighbours),
                    std::make_unique<CompiledKernels>(shape, std::move(context), options)};
}

std::unique_ptr<KernelSource> CompilerSource::kernelsOf(const bench::Shape &shape) const {
  return std::make_unique<CompiledKernels>(shape, newContext(), options);
}
