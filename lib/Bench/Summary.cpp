//===- Summary.cpp - One page from many rows ------------------------------===//

#include "rooftile/Bench/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace rooftile::bench;
using llvm::formatv;
using llvm::StringRef;

static constexpr size_t kWorst = 8;
/// A plan within this share of the best counts as the best: times repeat no better.
static constexpr double kSame = 0.01;

namespace {
/// The geometric mean of what is a number and above 0.
struct GeoMean {
  double logs = 0, least = INFINITY, most = 0;
  int64_t count = 0;

  void add(double value) {
    if (!(value > 0) || std::isinf(value))
      return;
    logs += std::log(value);
    least = std::min(least, value);
    most = std::max(most, value);
    ++count;
  }
  double mean() const { return count ? std::exp(logs / count) : NAN; }
};

/// Values by name, in the order in which names came.
template <typename Value> class Named {
public:
  Value &operator[](const std::string &name) {
    auto [found, isNew] = places.insert({name, values.size()});
    if (isNew)
      values.push_back({name, Value()});
    return values[found->second].second;
  }
  auto begin() { return values.begin(); }
  auto end() { return values.end(); }

private:
  std::map<std::string, size_t> places;
  std::vector<std::pair<std::string, Value>> values;
};

/// The rows of one class and type.
struct Group {
  GeoMean ratio, predicted;
  int64_t cases = 0, right = 0, wrong = 0, withoutKernel = 0;
};

/// How the model's choice stands among the plans of one shape.
struct Contest {
  const Row *pick = nullptr, *best = nullptr;
  int64_t plans = 0;
  double regret() const { return pick->oursMs / best->oursMs - 1; }
};
} // namespace

static std::string fixed(double value, const char *format) {
  return std::isnan(value) ? "-" : formatv(format, value).str();
}

static void add(Group &group, const Row &row) {
  ++group.cases;
  group.right += row.verified == "yes";
  group.wrong += row.failed();
  group.withoutKernel += row.status == "no kernel";
  group.ratio.add(row.ratio());
  group.predicted.add(row.predictedMs / row.oursMs);
}

static void printGroups(llvm::raw_ostream &out, const Results &results) {
  Named<Group> groups;
  for (const Row &row : results.rows)
    if (row.rank == 0)
      for (auto &name : {row.group, std::string("all")})
        add(groups[name + " | " + row.type], row);
  out << "| class | type | cases | ratio to vendor | least | most | right | wrong | no kernel | "
         "predicted / measured |\n|---|---|---|---|---|---|---|---|---|---|\n";
  auto line = [&](bool all) {
    for (auto &[name, group] : groups)
      if (StringRef(name).starts_with("all |") == all)
        out << formatv("| {0} | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} |\n", name,
                       group.cases, fixed(group.ratio.mean(), "{0:f3}"),
                       group.ratio.count ? fixed(group.ratio.least, "{0:f2}") : "-",
                       group.ratio.count ? fixed(group.ratio.most, "{0:f2}") : "-", group.right,
                       group.wrong, group.withoutKernel, fixed(group.predicted.mean(), "{0:f2}"));
  };
  line(false);
  line(true);
}

static void printWorst(llvm::raw_ostream &out, const Results &results) {
  std::vector<const Row *> rows;
  for (const Row &row : results.rows)
    if (row.rank == 0 && row.ratio() > 0)
      rows.push_back(&row);
  llvm::sort(rows, [](const Row *left, const Row *right) {
    return std::pair(left->ratio(), left) < std::pair(right->ratio(), right);
  });
  if (rows.size() > kWorst)
    rows.resize(kWorst);
  if (!rows.empty())
    out << "\nWorst against the vendor:\n\n";
  for (const Row *row : rows)
    out << formatv("- {0:f2}  {1}: {2:f4} ms, {3:f1} TFLOP/s, {4:f0} GB/s; vendor {5:f4} ms; {6}\n",
                   row->ratio(), row->key(), row->oursMs, row->tflops(row->oursMs),
                   row->gbytesPerSecond(row->oursMs), row->vendorMs, row->plan);
}

static void printFailures(llvm::raw_ostream &out, const Results &results) {
  bool first = true;
  for (const Row &row : results.rows) {
    if (!row.failed())
      continue;
    out << (first ? "\nWrong, or not run:\n\n" : "");
    first = false;
    out << formatv("- {0}: {1} {2}\n", row.key(), row.status, row.plan);
  }
}

/// Shapes of which more than one plan was timed, the model's choice among them.
static std::vector<Contest> contests(const Results &results) {
  Named<Contest> byShape;
  for (const Row &row : results.rows) {
    Contest &contest = byShape[row.group + " " + row.key()];
    if (!(row.oursMs > 0) || row.failed())
      continue;
    ++contest.plans;
    if (row.rank == 0 && !contest.pick)
      contest.pick = &row;
    if (!contest.best || row.oursMs < contest.best->oursMs)
      contest.best = &row;
  }
  std::vector<Contest> all;
  for (auto &[shape, contest] : byShape)
    if (contest.pick && contest.plans > 1)
      all.push_back(contest);
  return all;
}

static void printContests(llvm::raw_ostream &out, const Results &results) {
  std::vector<Contest> all = contests(results);
  if (all.empty())
    return;
  Named<std::vector<Contest>> groups;
  for (const Contest &contest : all)
    groups[contest.pick->group + " | " + contest.pick->type].push_back(contest);
  out << "\nThe model's choice against the plans that were timed (regret: how much longer it takes "
         "than the best; as good: within 1 %):\n\n"
         "| class | type | shapes | plans | as good | mean regret | worst |\n|---|---|---|---|---|"
         "---|---|\n";
  for (auto &[name, group] : groups) {
    double sum = 0, worst = 0;
    int64_t good = 0, plans = 0;
    for (const Contest &contest : group) {
      sum += contest.regret();
      worst = std::max(worst, contest.regret());
      good += contest.regret() <= kSame;
      plans += contest.plans;
    }
    out << formatv("| {0} | {1} | {2} | {3} | {4:f1} % | {5:f1} % |\n", name, group.size(), plans,
                   good, 100 * sum / group.size(), 100 * worst);
  }
  out << '\n';
  for (const Contest &contest : all)
    if (contest.regret() > kSame)
      out << formatv("- {0}: {1:f4} ms, best {2:f4} ms (rank {3} of {4}): {5}\n",
                     contest.pick->key(), contest.pick->oursMs, contest.best->oursMs,
                     contest.best->rank, contest.plans, contest.best->plan);
}

void rooftile::bench::printSummary(llvm::raw_ostream &out, const Results &results) {
  out << "# gemm-bench\n\n";
  for (auto &[name, value] : results.header)
    out << name << ": " << value << "  \n";
  out << '\n';
  printGroups(out, results);
  printWorst(out, results);
  printFailures(out, results);
  printContests(out, results);
}

int64_t rooftile::bench::printComparison(llvm::raw_ostream &out, const Results &results,
                                         const Results &old, double threshold) {
  // The model's choice is one thing whatever its plan is; alternatives are told apart by plan.
  auto keyOf = [](const Row &row) { return row.key() + (row.rank ? " " + row.plan : ""); };
  std::map<std::string, const Row *> before;
  for (const Row &row : old.rows)
    before.insert({keyOf(row), &row});
  int64_t slower = 0, matched = 0;
  GeoMean change;
  for (const Row &row : results.rows) {
    auto found = before.find(keyOf(row));
    if (found == before.end() || !(found->second->oursMs > 0))
      continue;
    const Row &was = *found->second;
    ++matched;
    change.add(was.oursMs / row.oursMs);
    bool lost = row.failed() || !(row.oursMs > 0);
    if (!lost && row.oursMs <= was.oursMs * (1 + threshold))
      continue;
    ++slower;
    out << formatv("slower: {0}: {1:f4} ms, was {2:f4} ms", row.key(), row.oursMs, was.oursMs);
    out << (lost ? " (" + row.status + ")"
                 : formatv(" (+{0:f1} %)", 100 * (row.oursMs / was.oursMs - 1)).str());
    out << (row.plan == was.plan ? "\n"
                                 : formatv("\n  plan {0}\n  was  {1}\n", row.plan, was.plan).str());
  }
  out << formatv("{0} of {1} results have an earlier one; {2} are slower by more than {3:f1} %; "
                 "speed against then {4}\n",
                 matched, results.rows.size(), slower, 100 * threshold,
                 fixed(change.mean(), "{0:f3}"));
  return slower;
}
