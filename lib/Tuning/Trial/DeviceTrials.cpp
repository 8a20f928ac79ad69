//===- DeviceTrials.cpp - Candidates of one operation on a device ---------===//

#include "rooftile/Tuning/Trial/DeviceTrials.h"
#include "rooftile/Bench/Results.h"
#include "rooftile/Operation/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace rooftile;
using namespace rooftile::tuning;

/// Kernels of one job beside the baseline: samples of all are taken in turn, within seconds.
static constexpr size_t kKernelsOfJob = 8;
/// Seconds of the device for each sample: one is 1.5 ms, or one call where that lasts longer.
static constexpr double kSecondsOfSample = 0.01;

/// Medians of the first and of the second half of samples.
static std::pair<double, double> halves(llvm::ArrayRef<double> samples) {
  size_t half = (samples.size() + 1) / 2;
  return {median(samples.take_front(half).vec()), median(samples.take_back(half).vec())};
}

std::string PlanKernel::hash() const {
  return bytes.empty() ? "" : llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true, 16);
}

DeviceTrials::DeviceTrials(const bench::Shape &shape, const Space &space, KernelSource &source,
                           SharedWorker &shared)
    : line(lineOf(shape)), space(space), source(source), shared(shared) {
  std::lock_guard lock(shared.mutex);
  auto remember = [&](const Measurement &each) {
    if (!(each.environment == shared.environment))
      return;
    Known &kept = known[each.plan];
    if (each.outcome != Outcome::Right)
      kept.failure = whyFailed(each.outcome, each.reason);
    if (!each.binary.empty())
      byBinary.try_emplace(each.binary, each.plan);
    baseline = std::isnan(each.baseline()) ? baseline : each.baseline();
    kept.trials.push_back({each.ratios(), each.baseline()});
  };
  if (llvm::Error failed = shared.store.forEach({line, shared.environment.chip}, remember))
    error = llvm::toString(std::move(failed));
  for (auto &[plan, kept] : known)
    std::reverse(kept.trials.begin(), kept.trials.end());
}

DeviceTrials::~DeviceTrials() {
  for (const auto &[candidate, kernel] : kernels)
    if (!kernel.file.empty())
      llvm::sys::fs::remove(kernel.file);
}

llvm::Expected<std::string> DeviceTrials::write(const std::string &kernel) {
  int descriptor = -1;
  llvm::SmallString<128> file;
  std::error_code code =
      llvm::sys::fs::createUniqueFile(shared.folder + "/%%%%%%%%.kernel", descriptor, file);
  if (code)
    return llvm::createStringError("cannot make a file in " + shared.folder + ": " +
                                   code.message());
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << kernel;
  out.close();
  code = out.error();
  out.clear_error();
  if (!code)
    return file.str().str();
  llvm::sys::fs::remove(file);
  return llvm::createStringError("cannot write " + file + ": " + code.message());
}

const DeviceTrials::Ready *DeviceTrials::ready(size_t candidate) {
  if (auto found = kernels.find(candidate); found != kernels.end())
    return &found->second;
  const std::string &plan = space[candidate].plan;
  Ready result;
  auto make = [&]() -> llvm::Error {
    llvm::Expected<PlanKernel> kernel = source.kernelOf(plan);
    if (!kernel)
      return kernel.takeError();
    result.reason = kernel->reason, result.binary = kernel->hash();
    if (!result.reason.empty())
      return llvm::Error::success();
    bool isFirst = byBinary.try_emplace(result.binary, plan).first->second == plan;
    result.isRepeated = !isFirst && candidate != 0; // The baseline is in every job.
    if (!result.isRepeated)
      return write(kernel->bytes).moveInto(result.file);
    return llvm::Error::success();
  };
  if (llvm::Error failed = make()) {
    error = llvm::toString(std::move(failed));
    return nullptr;
  }
  return &kernels.emplace(candidate, std::move(result)).first->second;
}

void DeviceTrials::keep(Measurement measurement) {
  measurement.operation = line;
  measurement.environment = shared.environment;
  measurement.date = bench::now();
  llvm::Expected<bool> added = shared.store.add(measurement);
  if (!added)
    error = llvm::toString(added.takeError());
}

void DeviceTrials::record(size_t candidate, const KernelResult &result,
                          const KernelResult &baseline) {
  Measurement measurement;
  measurement.plan = space[candidate].plan;
  measurement.binary = kernels[candidate].binary;
  measurement.predicted = space[candidate].predicted;
  measurement.resources = space[candidate].resources;
  measurement.rank = space[candidate].rank;
  measurement.outcome = result.outcome;
  measurement.reason = result.reason;
  measurement.trial = trialsOf[candidate]++;
  measurement.samples = result.samples;
  measurement.state = result.device;
  throttled |= result.device.throttled;
  std::tie(measurement.baselineBefore, measurement.baselineAfter) = halves(baseline.samples);
  keep(std::move(measurement));
}

bool DeviceTrials::isRemembered(const Trial &trial, Report report) {
  auto found = known.find(space[trial.candidate].plan);
  if (found == known.end() || (found->second.trials.empty() && found->second.failure.empty()))
    return false;
  if (!found->second.failure.empty()) {
    report(trial, TrialResult(found->second.failure));
    return true;
  }
  ++trialsOf[trial.candidate];
  Earlier earlier = std::move(found->second.trials.back());
  found->second.trials.pop_back();
  for (double &ratio : earlier.ratios)
    ratio *= space[0].predicted;
  report(trial, {earlier.ratios, earlier.baselineMs});
  return true;
}

/// Has the worker try candidates, which have kernels, beside the baseline.
bool DeviceTrials::runJob(llvm::ArrayRef<Trial> trials, Report report) {
  const Ready *first = ready(0);
  if (!first)
    return false;
  if (!first->reason.empty()) {
    error = "the model's plan has no kernel: " + first->reason;
    return false;
  }
  Job job{line, {first->file}, 0, 0};
  for (const Trial &trial : trials) {
    job.samples = std::max(job.samples, trial.samples);
    if (trial.candidate != 0)
      job.kernels.push_back(kernels[trial.candidate].file);
  }
  job.seconds = job.samples * kSecondsOfSample;
  std::lock_guard lock(shared.mutex);
  if (shared.isLate())
    return false;
  llvm::Expected<std::vector<KernelResult>> results = shared.worker.run(job);
  if (!results) {
    error = llvm::toString(results.takeError());
    return false;
  }
  const KernelResult own = results->front();
  if (own.outcome != Outcome::Right) {
    error = std::string("the model's plan ") +
            (own.outcome == Outcome::Wrong ? "is wrong: " : "does not run: ") + own.reason;
    return record(0, own, own), false;
  }
  auto [before, after] = halves(own.samples);
  baseline = (before + after) / 2;
  size_t next = 1;
  for (const Trial &trial : trials) {
    KernelResult &result = (*results)[trial.candidate == 0 ? 0 : next++];
    record(trial.candidate, result, own);
    for (double &sample : result.samples)
      sample = sample / baseline * space[0].predicted; // As remembered ones, to the bit.
    if (result.outcome == Outcome::Right)
      report(trial, {result.samples, baseline});
    else
      report(trial, TrialResult(whyFailed(result.outcome, result.reason)));
  }
  return error.empty();
}

bool DeviceTrials::run(llvm::ArrayRef<Trial> trials, Report report) {
  if (!error.empty())
    return false;
  std::vector<Trial> left;
  for (const Trial &trial : trials) {
    if (isRemembered(trial, report))
      continue;
    const Ready *kernel = shared.isLate() ? nullptr : ready(trial.candidate);
    if (!kernel)
      return false;
    if (kernel->reason.empty() && !kernel->isRepeated) {
      left.push_back(trial);
      continue;
    }
    TrialResult result;
    if (kernel->isRepeated) {
      result.sameAs = byBinary[kernel->binary];
    } else {
      std::lock_guard lock(shared.mutex);
      record(trial.candidate, {Outcome::Refused, kernel->reason, {}}, {});
      result.why = whyFailed(Outcome::Refused, kernel->reason);
    }
    report(trial, result);
  }
  for (llvm::ArrayRef<Trial> rest(left); !rest.empty();) {
    llvm::ArrayRef<Trial> part = rest.take_front(kKernelsOfJob);
    rest = rest.drop_front(part.size());
    if (!runJob(part, report))
      return false;
  }
  return true;
}
