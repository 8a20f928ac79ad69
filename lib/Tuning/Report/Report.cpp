//===- Report.cpp - How well the model ranks measured plans ---------------===//

#include "rooftile/Tuning/Report/Report.h"
#include "rooftile/Tuning/Report/ShapeClass.h"
#include "rooftile/Tuning/Select/Select.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "rooftile/Tuning/Trial/Replay.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace rooftile;
using namespace rooftile::tuning;

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

size_t OperationReport::best(size_t count) const {
  auto end = plans.begin() + ptrdiff_t(std::min(count, plans.size()));
  auto faster = [](const Compared &left, const Compared &right) {
    return left.measured < right.measured;
  };
  return size_t(std::min_element(plans.begin(), end, faster) - plans.begin());
}

double OperationReport::regret(size_t count) const {
  return plans[best(count)].measured / plans[best()].measured;
}

double OperationReport::correlation() const {
  double ordered = 0, predicted = 0, measured = 0; // Pairs: in order less reversed, not tied.
  for (size_t left = 0; left < plans.size(); ++left)
    for (size_t right = 0; right < left; ++right) {
      auto sign = [](double difference) { return (difference > 0) - (difference < 0); };
      int byModel = sign(plans[left].predicted - plans[right].predicted);
      int byDevice = sign(plans[left].measured - plans[right].measured);
      ordered += byModel * byDevice;
      predicted += byModel != 0, measured += byDevice != 0;
    }
  return ordered / std::sqrt(predicted * measured);
}

/// The factor of one resource.
static Mispricing mispricing(const OperationReport &operation, const std::string &resource) {
  std::vector<double> own, others;
  for (const Compared &plan : operation.plans)
    (plan.bound == resource ? own : others).push_back(plan.residual());
  return {resource, std::exp(median(own) - median(others))};
}

Mispricing rooftile::tuning::mispricingOf(const OperationReport &operation) {
  Mispricing pick = mispricing(operation, operation.plans.front().bound);
  Mispricing best = mispricing(operation, operation.plans[operation.best()].bound);
  if (pick.resource.empty() || best.resource.empty())
    return {};
  return std::fabs(std::log(best.factor)) > std::fabs(std::log(pick.factor)) ? best : pick;
}

static std::string boundOf(const Candidate &candidate) {
  auto slower = [](const auto &left, const auto &right) { return left.second < right.second; };
  auto largest = llvm::max_element(candidate.resources, slower);
  return largest == candidate.resources.end() ? "" : largest->first;
}

/// Plans that ran and never failed, with their times.
static std::vector<Compared> compare(llvm::ArrayRef<Measurement> latest) {
  std::set<std::string> failed;
  std::vector<double> baselines;
  for (const Measurement &each : latest) {
    if (each.outcome != Outcome::Right)
      failed.insert(each.plan);
    if (!std::isnan(each.baseline()))
      baselines.push_back(each.baseline());
  }
  Recording recording(latest);
  std::vector<Compared> plans;
  for (size_t index = 0; index < recording.space().size(); ++index) {
    const Candidate &candidate = recording.space()[index];
    double measured = recording.time(index) * median(baselines);
    if (!std::isnan(measured) && !failed.count(candidate.plan))
      plans.push_back(
          {candidate.plan, candidate.predicted, measured, boundOf(candidate), candidate.rank});
  }
  llvm::sort(plans, [](const Compared &left, const Compared &right) {
    auto key = [](const Compared &each) {
      return std::tuple(each.rank.value_or(INT64_MAX), each.predicted, llvm::StringRef(each.plan));
    };
    return key(left) < key(right);
  });
  return plans;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static void countFailures(llvm::ArrayRef<Measurement> latest, std::map<Outcome, Failures> &counts) {
  std::map<Outcome, std::set<std::string>> plans;
  for (const Measurement &each : latest) {
    if (each.outcome == Outcome::Right || !plans[each.outcome].insert(each.plan).second)
      continue;
    Failures &failures = counts[each.outcome];
    if (failures.plans++ == 0)
      failures.outcome = each.outcome, failures.reason = each.reason;
    failures.operations += plans[each.outcome].size() == 1;
  }
}

static void count(const Measurement &measurement, Report &report) {
  std::string day = measurement.date.substr(0, sizeof "2026-11-25" - 1);
  if (report.measurements++ == 0 || day < report.firstDay)
    report.firstDay = day;
  if (day >= report.lastDay)
    report.lastDay = day, report.environment = measurement.environment;
  report.throttled += measurement.state.throttled;
}

llvm::Expected<Report> rooftile::tuning::makeReport(const Store &store, llvm::StringRef chip) {
  llvm::Expected<Selection> selection = select(store, chip);
  if (!selection)
    return selection.takeError();
  std::map<std::string, double> gains;
  for (const Selected &each : selection->faster)
    gains[each.operation] = each.gain;
  Report report;
  std::map<Outcome, Failures> failures;
  auto add = [&](llvm::ArrayRef<Measurement> all) {
    std::vector<Measurement> latest = inLatestEnvironment(all);
    for (const Measurement &each : latest)
      count(each, report);
    countFailures(latest, failures);
    OperationReport own;
    own.operation = all.front().operation, own.plans = compare(latest);
    if (auto gain = gains.find(own.operation); gain != gains.end())
      own.selectedGain = gain->second;
    auto [parsed, isDynamic] = parseLine(own.operation);
    own.shapeClass = parsed ? classOf(parsed.operation) : "unknown";
    own.shapeClass += isDynamic ? ", any sizes" : "";
    own.type = parsed ? nameOf(parsed.operation.c.element) : "";
    if (own.plans.size() >= 2)
      report.operations.push_back(std::move(own));
    else
      ++report.others;
  };
  if (llvm::Error failed = store.forEachOperation({"", chip.str()}, add))
    return failed;
  if (report.measurements == 0)
    return llvm::createStringError("the store has no measurements of '" + chip + "'");
  for (auto &[outcome, counted] : failures)
    report.failures.push_back(std::move(counted));
  return report;
}
