//===- Tables.cpp - A report as text --------------------------------------===//

#include "rooftile/Tuning/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace rooftile::tuning;
using llvm::formatv;

/// Plans of the model's ranking among which the best measured one may be.
static constexpr size_t kTops[] = {1, 4, 8};

namespace {
/// Operations of one row.
struct Sum {
  size_t operations = 0, plans = 0, correlated = 0;
  double regrets[std::size(kTops)] = {}; ///< Logarithms.
  double worst = 1, gain = 0, correlation = 0;

  void add(const OperationReport &operation) {
    ++operations, plans += operation.plans.size();
    for (auto [sum, top] : llvm::zip(regrets, kTops))
      sum += std::log(operation.regret(top));
    worst = std::max(worst, operation.regret(1));
    gain += std::log(operation.selectedGain);
    if (double tau = operation.correlation(); !std::isnan(tau))
      correlation += tau, ++correlated;
  }
};
} // namespace

static std::string number(double value) {
  return std::isnan(value) ? "" : formatv("{0:f3}", value).str();
}

static void writeSum(llvm::StringRef shapeClass, llvm::StringRef type, const Sum &sum,
                     llvm::raw_ostream &out) {
  auto mean = [&](double logarithms) { return std::exp(logarithms / double(sum.operations)); };
  out << formatv("| {0} | {1} | {2} | {3} | {4:f3} | {5:f3} | {6:f3} | {7:f3} | {8:f3} | {9} |\n",
                 shapeClass, type, sum.operations, sum.plans, mean(sum.regrets[0]), sum.worst,
                 mean(sum.regrets[1]), mean(sum.regrets[2]), mean(sum.gain),
                 number(sum.correlation / double(sum.correlated)));
}

static void writeClasses(const Report &report, llvm::raw_ostream &out) {
  std::map<std::pair<std::string, std::string>, Sum> sums;
  Sum all;
  for (const OperationReport &each : report.operations) {
    sums[{each.shapeClass, each.type}].add(each);
    all.add(each);
  }
  out << "\n| class | type | operations | plans | pick / best | worst | top 4 | top 8 | gain of "
         "the "
         "list | Kendall |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto &[key, sum] : sums)
    writeSum(key.first, key.second, sum, out);
  if (all.operations > 0)
    writeSum("all", "", all, out);
}

static void writePlan(const char *which, const Compared &plan, llvm::raw_ostream &out) {
  out << formatv(" {0} | `{1}` | {2:f4} | {3:f4} | {4} |\n", which, plan.plan, plan.predicted,
                 plan.measured, plan.bound);
}

static void writeWorst(const Report &report, size_t worst, llvm::raw_ostream &out) {
  std::vector<const OperationReport *> order;
  for (const OperationReport &each : report.operations)
    if (each.best() != 0)
      order.push_back(&each);
  llvm::sort(order, [](const OperationReport *left, const OperationReport *right) {
    return std::pair(-left->regret(1), left->operation) <
           std::pair(-right->regret(1), right->operation);
  });
  order.resize(std::min(order.size(), worst));
  if (order.empty())
    return;
  out << "\n## Worst operations\n\n| operation | pick / best | mispriced | | plan | predicted, ms "
         "| "
         "measured, ms | bound by |\n|---|---|---|---|---|---|---|---|\n";
  for (const OperationReport *each : order) {
    Mispricing mispriced = mispricingOf(*each);
    std::string factor = number(mispriced.factor);
    out << formatv("| `{0}` | {1:f3} | {2}{3}{4} |", each->operation, each->regret(1),
                   mispriced.resource, factor.empty() ? "" : " ", factor);
    writePlan("pick", each->plans.front(), out);
    out << "| | | |";
    writePlan("best", each->plans[each->best()], out);
  }
}

/// Text in a cell of a table.
static std::string cell(std::string text) {
  for (const auto &[from, to] : {std::pair('\n', ' '), std::pair('|', '/')})
    llvm::replace(text, from, to);
  return text;
}

static void writeFailures(const Report &report, llvm::raw_ostream &out) {
  if (report.failures.empty())
    return;
  out << "\n## Failures\n\n| outcome | plans | operations | the first |\n|---|---|---|---|\n";
  for (const Failures &each : report.failures)
    out << formatv("| {0} | {1} | {2} | {3} |\n", nameOf(each.outcome), each.plans, each.operations,
                   cell(each.reason));
}

void rooftile::tuning::writeTables(const Report &report, size_t worst, llvm::raw_ostream &out) {
  const Environment &where = report.environment;
  out << formatv("# Plans measured on {0}\n\n{1}, {2}, {3}; {4} measurements, {5}", where.chip,
                 where.device, where.driver, where.compiler, report.measurements, report.firstDay);
  out << (report.lastDay == report.firstDay ? "" : " to " + report.lastDay) << ".\n";
  if (report.throttled > 0)
    out << formatv("The device had lowered its clocks in {0} of them.\n", report.throttled);
  if (report.others > 0)
    out << formatv("{0} operations with fewer than two plans that ran are left out.\n",
                   report.others);
  writeClasses(report, out);
  writeWorst(report, worst, out);
  writeFailures(report, out);
}

void rooftile::tuning::writeData(const Report &report, llvm::raw_ostream &out) {
  llvm::json::OStream json(out);
  auto writeOne = [&](const OperationReport &each) {
    json.attribute("operation", each.operation);
    json.attribute("class", each.shapeClass);
    json.attribute("type", each.type);
    json.attribute("regret", each.regret(1));
    json.attributeArray("plans", [&] {
      for (const Compared &plan : each.plans)
        json.value(llvm::json::Array{plan.predicted, plan.measured});
    });
  };
  json.object([&] {
    json.attribute("chip", report.environment.chip);
    json.attribute("day", report.lastDay);
    json.attributeArray("operations", [&] {
      for (const OperationReport &each : report.operations)
        json.object([&] { writeOne(each); });
    });
  });
  out << '\n';
}
