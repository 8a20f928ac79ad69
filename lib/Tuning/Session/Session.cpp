//===- Session.cpp - A search over a list of operations -------------------===//

#include "rooftile/Tuning/Session/Session.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Threads.h"
#include "rooftile/Tuning/Trial/DeviceTrials.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::tuning;

/// The environment of measurements on the present device.
static llvm::Expected<Environment> presentEnvironment(const CandidateSource &source) {
  const Driver &driver = Driver::of(DeviceKind::Cuda);
  std::string why;
  DeviceFacts facts;
  if (!driver.open(why))
    return llvm::createStringError("no GPU to measure on: " + why);
  driver.ask(driver.device(), facts);
  llvm::Expected<Environment> environment = source.environmentOn(facts);
  if (environment)
    environment->device = facts.name, environment->driver = driver.version();
  return environment;
}

static Found searchOne(const bench::Shape &shape, const CandidateSource &source,
                       const SessionOptions &options, SharedWorker &shared) {
  Found found;
  found.operation = shape.key();
  if (shared.isLate())
    return found; // To plan an operation lasts seconds.
  llvm::Expected<Candidates> candidates = source.candidatesOf(shape);
  if (!candidates) {
    found.error = llvm::toString(candidates.takeError());
    return found;
  }
  Space &space = candidates->space;
  found.of = space.size();
  using Made = llvm::Expected<std::unique_ptr<Strategy>>;
  Made strategy = options.outside ? Made(options.outside(space))
                                  : makeStrategy(options.strategy, space, options.search);
  if (!strategy) {
    found.error = llvm::toString(strategy.takeError());
    return found;
  }
  DeviceTrials trials(shape, space, *candidates->kernels, shared);
  std::vector<Progress> progress = search(**strategy, trials, {options.candidates});
  found.error = trials.whyNot(), found.throttled = trials.wasThrottled();
  found.tried = (*strategy)->results().tried();
  if (progress.empty()) {
    if (found.tried > 0 && found.error.empty())
      found.error = llvm::formatv("none of the {0} plans that were tried runs", found.tried);
    return found;
  }
  found.plan = space[progress.back().best].plan;
  found.gain = space[0].predicted / progress.back().milliseconds;
  found.milliseconds = trials.baselineMs() / found.gain;
  return found;
}

llvm::Error rooftile::tuning::searchPlans(llvm::ArrayRef<bench::Shape> shapes,
                                          const CandidateSource &source,
                                          const SessionOptions &options,
                                          llvm::function_ref<void(const Found &, size_t)> report) {
  if (shapes.empty())
    return llvm::Error::success();
  llvm::Expected<Environment> environment = presentEnvironment(source);
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
    Found found = searchOne(shapes[size_t(index)], source, options, shared);
    std::lock_guard lock(reporting);
    report(found, ++done);
  });
  llvm::sys::fs::remove_directories(folder);
  return llvm::Error::success();
}
