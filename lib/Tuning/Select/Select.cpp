//===- Select.cpp - From a store to a list of plans -----------------------===//

#include "rooftile/Tuning/Select/Select.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Planning/Search/PlanList.h"
#include "rooftile/Tuning/Search/Strategy.h"
#include "rooftile/Tuning/Select/Ranges.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace rooftile;
using namespace rooftile::tuning;

/// Standard deviations by which a plan must be faster: it is the best of dozens, some by chance.
static constexpr double kDeviations = 3;
/// Samples of a plan that is selected: the fastest of few is so by chance.
static constexpr int kLeastSamples = 10;

namespace {
/// Jobs of a worker, each by the times of the baseline before and after the candidates.
using Jobs = std::set<std::pair<double, double>>;

/// The measurements of one operation in one environment.
struct Measured {
  std::vector<std::string> plans;
  std::vector<Jobs> jobs;                  ///< One entry for each plan.
  std::vector<std::vector<double>> ratios; ///< Samples of each over the baseline's time.
  std::vector<std::vector<double>> samples;
  Environment environment;
  std::string date;
  std::set<std::string> bad; ///< Plans that once were wrong, or did not run.
};
} // namespace

static Measured collect(llvm::ArrayRef<Measurement> all) {
  Measured result;
  std::map<std::string, size_t> index;
  for (const Measurement &each : inLatestEnvironment(all)) {
    if (each.date >= result.date)
      result.date = each.date, result.environment = each.environment;
    if (each.outcome != Outcome::Right)
      result.bad.insert(each.plan);
    auto [entry, isNew] = index.try_emplace(each.plan, result.plans.size());
    if (isNew) {
      result.plans.push_back(each.plan), result.jobs.emplace_back();
      result.ratios.emplace_back(), result.samples.emplace_back();
    }
    if (std::vector<double> ratios = each.ratios(); !ratios.empty()) {
      llvm::append_range(result.ratios[entry->second], ratios);
      result.jobs[entry->second].insert({each.baselineBefore, each.baselineAfter});
    }
    llvm::append_range(result.samples[entry->second], each.samples);
  }
  return result;
}

/// Variance of the logarithm of a kernel's time from one measurement in a job to the next: the
/// baseline is measured twice in each. Short kernels differ by more than their samples tell.
static double varianceInJobs(const Measured &measured) {
  Jobs all;
  for (const Jobs &jobs : measured.jobs)
    all.insert(jobs.begin(), jobs.end());
  double sum = 0;
  for (auto [before, after] : all)
    sum += std::pow(std::log(after / before), 2) / 2;
  return sum / double(std::max<size_t>(all.size(), 1));
}

static std::optional<Selected> selectOne(const std::string &operation, const Measured &measured) {
  History history(measured.plans.size());
  for (size_t plan = 0; plan < measured.plans.size(); ++plan)
    if (!measured.bad.count(measured.plans[plan]) && !measured.ratios[plan].empty())
      history.add(plan, measured.ratios[plan]);
  for (size_t plan : history.ranked()) {
    if (history.count(plan) < kLeastSamples)
      continue;
    double gain = 1 / history.milliseconds(plan);
    // The plan was measured once in each job, the baseline twice.
    double ofJobs = 1.5 * varianceInJobs(measured) / double(measured.jobs[plan].size());
    if (std::log(gain) <= kDeviations * std::sqrt(history.noise(plan) + ofJobs))
      return std::nullopt;
    const std::vector<double> &samples = measured.samples[plan];
    return Selected{operation,      measured.plans[plan],
                    /*pattern=*/"", measured.environment, median(samples),
                    gain,           samples.size(),       measured.date.substr(0, 10)};
  }
  return std::nullopt;
}

/// The attribute of its plans in lists.
static llvm::StringRef attributeOf(const std::string &line) {
  operation::Parsed parsed = parseLine(line).parsed;
  return parsed ? planning::attributeInLists(parsed.operation.routine) : "";
}

/// Why no line of a list names the plan of an operation; empty where one does.
static std::string whyUnnamed(const std::string &line) {
  auto [parsed, isDynamic] = parseLine(line);
  if (!parsed)
    return parsed.error;
  if (isDynamic && parsed.operation.routine != operation::Routine::Gemm)
    return "for all sizes, only products have sets of plans";
  return planning::attributeInLists(parsed.operation.routine).empty()
             ? "is split into products, whose plans no list names yet"
             : "";
}

/// Pattern of all operations with the times of one: alpha may be any.
static std::string patternOf(const std::string &line) {
  operation::Parsed parsed = operation::parse(line);
  bool hasAlpha = parsed && parsed.operation.info().alpha != operation::ScalarType::None;
  return line + (hasAlpha ? " alpha=*" : "");
}

llvm::Expected<Selection> rooftile::tuning::select(const Store &store, llvm::StringRef chip) {
  Selection selection;
  selection.chip = chip.str();
  Ranges ranges;
  auto add = [&](llvm::ArrayRef<Measurement> all) {
    ++selection.operations;
    const std::string &operation = all.front().operation;
    ranges.add(operation);
    std::optional<Selected> selected = selectOne(operation, collect(all));
    if (!selected)
      return;
    if (std::string why = whyUnnamed(operation); why.empty())
      selection.faster.push_back(std::move(*selected));
    else
      selection.unnamed.push_back({operation, why});
  };
  if (llvm::Error failed = store.forEachOperation({"", chip.str()}, add))
    return failed;
  for (Selected &each : selection.faster)
    each.pattern = parseLine(each.operation).isDynamic ? ranges.patternOf(each.operation)
                                                       : patternOf(each.operation);
  return selection;
}

double Selection::gain() const {
  double sum = 0;
  for (const Selected &each : faster)
    sum += std::log(each.gain);
  return std::exp(sum / double(std::max<size_t>(faster.size(), 1)));
}

void rooftile::tuning::writeList(const Selection &selection, llvm::raw_ostream &out) {
  out << llvm::formatv("# Plans that measured faster than the model's, for {0} of {1} operations",
                       selection.faster.size(), selection.operations);
  if (!selection.faster.empty())
    out << llvm::formatv(", {0:f3} times on average.\n# {1}, {2}, {3}\n", selection.gain(),
                         selection.faster.front().environment.device,
                         selection.faster.front().environment.driver,
                         selection.faster.front().environment.compiler);
  else
    out << ".\n";
  out << "chip " << selection.chip << "\n";
  for (const Selected &each : selection.faster)
    out << llvm::formatv("{0} -> {1}{2} # {3:f3} times as fast, {4:f4} ms, {5} samples, {6}\n",
                         each.pattern, attributeOf(each.operation), each.plan, each.gain,
                         each.milliseconds, each.samples, each.date);
}
