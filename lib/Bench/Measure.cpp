//===- Measure.cpp - Times of kernels and of the vendor -------------------===//

#include "rooftile/Bench/Measure.h"
#include "rooftile/Bench/Check.h"
#include "rooftile/Runtime/Runtime.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace rooftile;
using namespace rooftile::bench;

/// A sample is at least so long, or so many calls, that the clock of events does not matter.
static constexpr double kSampleMs = 1.5;
static constexpr int kMaxCalls = 400, kMaxGraphCalls = 4000;
/// Work before the first sample of all, and of each job, so that clocks are at their height.
static constexpr double kWarmMs = 500, kWarmJobMs = 20;
static constexpr int kLeastSamples = 5;

Measurement::Measurement(const Driver &driver, const Vendor &vendor, const MeasureOptions &options)
    : driver(driver), vendor(vendor), options(options), data(driver), watch(driver) {}

double Measurement::timed(Subject &subject, void *stream, llvm::function_ref<void()> work) {
  rooftileClearError();
  double milliseconds = watch.milliseconds(stream, work, [&] { observe(subject); });
  std::string error = rooftileLastError();
  subject.failed |= !error.empty();
  if (subject.row && !error.empty())
    subject.row->status = error;
  return subject.failed ? std::nan("") : milliseconds;
}

void Measurement::observe(Subject &subject) const {
  if (options.observe && isSampling && subject.row)
    subject.states.push_back(driver.state(driver.device()));
}

void Measurement::callAll(Subject &subject, int calls) {
  for (int i = 0; i < calls && !subject.failed; ++i)
    subject.failed = !subject.call(nextSet++ % sets);
}

double Measurement::sample(Subject &subject, int calls) {
  return timed(subject, nullptr, [&] { callAll(subject, calls); }) / calls;
}

double Measurement::replay(Subject &subject) {
  auto launch = [&] { subject.failed |= !subject.graph->launch(); };
  return timed(subject, subject.graph->stream(), launch) / subject.calls;
}

void Measurement::useStream(void *stream) {
  vendor.useStream(stream);
  if (algorithms)
    algorithms->useStream(stream);
}

void Measurement::capture(Subject &subject) {
  // All copies of the operands, so that none is in the cache when its turn comes again.
  subject.calls = std::clamp<int64_t>(sets, subject.calls, kMaxGraphCalls);
  subject.graph = driver.makeCallGraph();
  subject.failed |= !subject.graph;
  if (subject.graph) {
    useStream(subject.graph->stream());
    subject.failed |= !subject.graph->capture([&] { callAll(subject, subject.calls); });
    useStream(nullptr);
  }
  if (!subject.failed)
    replay(subject); // brings it to the device
  std::string why = rooftileLastError();
  if (subject.failed && subject.row)
    subject.row->status = "cannot be captured: " + why;
  else if (subject.failed)
    llvm::errs() << "the vendor's calls cannot be captured: " << why << '\n';
}

void Measurement::chooseCalls(Subject &subject) {
  sample(subject, 1); // a library may load its kernel in the first call
  double once = sample(subject, 1);
  if (once < kSampleMs / 10)
    once = sample(subject, 10); // one call between two events: mostly the events
  if (subject.failed)
    return; // there is no time
  subject.calls = std::clamp<double>(kSampleMs / std::max(once, 1e-4), 1, kMaxCalls);
}

void Measurement::warm(Subject &subject, double milliseconds) {
  for (double spent = 0; spent < milliseconds && !subject.failed;)
    spent += std::max(1e-3, sample(subject, subject.calls)) * subject.calls;
}

/// A call of the kernel's host function on copy `set` of the operands.
static llvm::unique_function<bool(size_t)> callOf(const Kernel &kernel, const Shape &shape,
                                                  const Operands &operands) {
  return
      [arguments = argumentsOf(shape, operands), executable = kernel.executable.get()](size_t set) {
        std::string why = executable->run(/*function=*/0, arguments[set].data());
        if (!why.empty())
          recordError(why);
        return why.empty();
      };
}

void Measurement::check(Job &job, const Operands &operands, Subject &subject,
                        const Pattern &pattern) {
  rooftileClearError();
  void *c = reinterpret_cast<void *>(operands.sets[0][2]);
  std::vector<char> host(operands.bytesC);
  if (job.shape.readsC())
    driver.copy(c, reinterpret_cast<void *>(operands.initialC), operands.bytesC);
  else
    driver.fill(c, 0xffffffffu, 4, llvm::divideCeil(operands.bytesC, 4), nullptr); // NaN
  subject.call(0);
  if (driver.waitForDevice())
    driver.copy(host.data(), c, operands.bytesC);
  std::string error = rooftileLastError();
  if (error.empty())
    error = checkResult(job.shape, operands, pattern, host);
  subject.row->verified = error.empty() ? "yes" : "NO";
  if (!error.empty())
    subject.row->status = error;
}

std::vector<Measurement::Subject> Measurement::subjects(Job &job, const Operands &operands,
                                                        std::vector<Row> &rows) {
  std::vector<Subject> all;
  for (auto [kernel, row] : llvm::zip(job.kernels, rows)) {
    if (!kernel.executable)
      continue;
    all.emplace_back();
    all.back().row = &row;
    all.back().call = callOf(kernel, job.shape, operands);
  }
  size_t count = algorithms ? algorithms->list(job.shape) : 0;
  for (size_t algorithm = 0; algorithm < count; ++algorithm) {
    all.emplace_back();
    all.back().call = [this, algorithm, &job, &operands](size_t set) {
      return algorithms->call(job.shape, operands, set, algorithm);
    };
  }
  if (vendor && count == 0) {
    all.emplace_back();
    all.back().call = [this, &job, &operands](size_t set) {
      return vendor.call(job.shape, operands, set);
    };
  }
  return all;
}

/// Samples in turn, there and back, so that what drifts meets all of them.
void Measurement::alternate(std::vector<Subject> &subjects) {
  double slowest = 0;
  for (Subject &subject : subjects) {
    chooseCalls(subject);
    if (options.graph && !subject.failed)
      capture(subject);
    if (!subject.failed)
      slowest = std::max(slowest, time(subject) * subject.calls);
  }
  int rounds = std::clamp<double>(options.seconds * 1e3 / std::max(slowest, 1e-3), kLeastSamples,
                                  std::max(options.samples, kLeastSamples));
  std::vector<Subject *> order;
  for (Subject &subject : subjects)
    order.push_back(&subject);
  isSampling = true;
  for (int round = 0; round < rounds; ++round) {
    for (Subject *subject : order)
      if (!subject->failed)
        subject->times.push_back(time(*subject));
    std::reverse(order.begin(), order.end());
  }
  isSampling = false;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? std::nan("") : values[values.size() / 2];
}

/// Medians, and whether the device ever throttled.
static DeviceState summaryOf(const std::vector<DeviceState> &states) {
  DeviceState summary;
  for (double DeviceState::*value :
       {&DeviceState::clockMHz, &DeviceState::memoryMHz, &DeviceState::watts}) {
    std::vector<double> known;
    for (const DeviceState &state : states)
      if (!std::isnan(state.*value))
        known.push_back(state.*value);
    summary.*value = median(std::move(known));
  }
  summary.throttled =
      llvm::any_of(states, [](const DeviceState &state) { return state.throttled; });
  return summary;
}

std::vector<Row> Measurement::run(Job &job) {
  std::vector<Row> rows;
  for (auto [kernel, plan] : llvm::zip(job.kernels, job.plans)) {
    rows.push_back(rowOf(job.shape, kernel, plan.rank));
  }
  llvm::Expected<Operands> operands = data.place(job.shape);
  if (!operands) {
    std::string error = llvm::toString(operands.takeError());
    for (Row &row : rows)
      row.status = error;
    return rows;
  }
  sets = operands->sets.size();
  std::vector<Subject> all = subjects(job, *operands, rows);
  for (Subject &subject : all) {
    if (!subject.row || !options.check)
      continue;
    if (options.beforeCheck)
      options.beforeCheck(size_t(subject.row - rows.data()));
    check(job, *operands, subject, data.pattern(job.shape.element()));
  }
  if (options.beforeTiming)
    options.beforeTiming();
  if (!all.empty())
    warm(all.front(), isWarm ? kWarmJobMs : kWarmMs);
  isWarm = true;
  alternate(all);
  double vendorMs = std::nan("");
  for (const Subject &subject : all)
    if (!subject.row && !subject.failed)
      vendorMs = std::fmin(vendorMs, median(subject.times)); // NaN: the other
  for (Subject &subject : all)
    if (subject.row && !subject.failed) {
      subject.row->oursMs = median(subject.times);
      subject.row->samples = std::move(subject.times);
      subject.row->device = summaryOf(subject.states);
    }
  for (Row &row : rows)
    row.vendorMs = vendorMs;
  all.clear();
  job.kernels.clear();
  return rows;
}
