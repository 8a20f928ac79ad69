//===- Session.cpp - A search over a list of operations -------------------===//

#include "rooftile/Tuning/Session/Session.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Bench/Candidates.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Threads.h"
#include "rooftile/Target/Calibrations.h"
#include "rooftile/Tuning/Trial/DeviceTrials.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

using namespace rooftile;
using namespace rooftile::tuning;

/// Version of the text of plans.
static constexpr int64_t kPlanVersion = 1;

/// Text of the figures and the calibration that plans follow from.
static std::string targetText(blas::TargetAttr target) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << mlir::Attribute(target) << blas::textOf(target::calibrationOf(target));
  return text;
}

/// The environment of measurements on the present device.
static llvm::Expected<Environment>
presentEnvironment(const bench::Shape &shape, const std::string &chip, mlir::MLIRContext &context) {
  const Driver &driver = Driver::of(DeviceKind::Cuda);
  std::string why;
  DeviceFacts facts;
  if (!driver.open(why))
    return llvm::createStringError("no GPU to measure on: " + why);
  driver.ask(driver.device(), facts);
  auto asked = bench::askedBy(shape, chip, context, why);
  if (asked.empty())
    return llvm::createStringError(shape.key() + ": " + why);
  blas::TargetAttr target = std::visit([](const auto &each) { return each.target; }, asked.front());
  return Environment{target->chip,
                     facts.name,
                     driver.version(),
                     bench::compilerVersion(),
                     llvm::utohexstr(llvm::xxh3_64bits(targetText(target)), true, 16),
                     kPlanVersion};
}

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

/// The candidates of a shape. An error in `why` where there is none.
static Space spaceOf(const bench::Shape &shape, bench::PlanQuery query,
                     const bench::KernelOptions &options, mlir::MLIRContext &context,
                     std::string &why) {
  auto neighbours = [&shape, &context, options](const std::string &plan) {
    return inMilliseconds(bench::neighboursOf(shape, plan, context, options));
  };
  return Space(inMilliseconds(bench::candidatesOf(shape, query, context, options, why)),
               neighbours);
}

static Found searchOne(const bench::Shape &shape, const SessionOptions &options,
                       SharedWorker &shared, mlir::MLIRContext &context) {
  Found found;
  found.operation = shape.key();
  bench::KernelOptions kernels;
  kernels.chip = options.chip;
  Space space = spaceOf(shape, options.plans, kernels, context, found.error);
  found.of = space.size();
  if (space.size() == 0)
    return found;
  llvm::Expected<std::unique_ptr<Strategy>> strategy =
      makeStrategy(options.strategy, space, options.search);
  if (!strategy) {
    found.error = llvm::toString(strategy.takeError());
    return found;
  }
  DeviceTrials trials(shape, space, shared, context, kernels);
  std::vector<Progress> progress = search(**strategy, trials, {options.candidates});
  found.error = trials.whyNot(), found.throttled = trials.wasThrottled();
  found.tried = (*strategy)->results().tried();
  if (progress.empty())
    return found;
  found.plan = space[progress.back().best].plan;
  found.gain = space[0].predicted / progress.back().milliseconds;
  found.milliseconds = trials.baselineMs() / found.gain;
  return found;
}

llvm::Error rooftile::tuning::searchPlans(llvm::ArrayRef<bench::Shape> shapes,
                                          const SessionOptions &options,
                                          llvm::function_ref<void(const Found &, size_t)> report) {
  if (shapes.empty())
    return llvm::Error::success();
  mlir::DialectRegistry registry;
  bench::prepareCompiler(registry);
  auto newContext = [&] {
    return std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  };
  std::unique_ptr<mlir::MLIRContext> first = newContext();
  llvm::Expected<Environment> environment =
      presentEnvironment(shapes.front(), options.chip, *first);
  if (!environment)
    return environment.takeError();
  llvm::Expected<Store> store = Store::open(options.store, Access::Write);
  if (!store)
    return store.takeError();
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("gemm-tune", folder))
    return llvm::createStringError("cannot make a folder for kernels: " + code.message());
  auto deadline = std::chrono::steady_clock::now() +
                  std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                      std::chrono::duration<double>(options.seconds));
  SharedWorker shared{Worker(options.worker, {}), std::move(*store), *environment,
                      folder.str().str(),         deadline,          {}};
  std::mutex reporting;
  size_t done = 0;
  forEachOnThreads(shapes.size(), [&](int64_t index, unsigned) {
    std::unique_ptr<mlir::MLIRContext> context = newContext();
    Found found = searchOne(shapes[size_t(index)], options, shared, *context);
    std::lock_guard lock(reporting);
    report(found, ++done);
  });
  llvm::sys::fs::remove_directories(folder);
  return llvm::Error::success();
}
