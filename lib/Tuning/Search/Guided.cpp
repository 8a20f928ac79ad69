//===- Guided.cpp - A search that a model guides --------------------------===//

#include "Guided.h"
#include "rooftile/Tuning/Search/GaussianProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

#include <cmath>
#include <map>

using namespace rooftile::tuning;

/// Predicted time, over the first candidate's, of the slowest that a search begins with.
static constexpr double kReach = 1.5;
/// Candidates of which the improvement is computed: the fastest by the corrected model.
static constexpr size_t kMostCompared = 2000;

/// The fastest by the model and those that differ most, by turns.
std::vector<size_t> Guided::first() const {
  std::vector<size_t> chosen, spread = space.spread(size_t(options.start), kReach);
  auto add = [&](size_t candidate) {
    if (chosen.size() < size_t(options.start) && !llvm::is_contained(chosen, candidate))
      chosen.push_back(candidate);
  };
  for (size_t next = 0; chosen.size() < size_t(options.start) && next < space.size(); ++next) {
    add(next);
    if (next < spread.size())
      add(spread[next]);
  }
  return chosen;
}

/// New candidates one after the other: after each, its predicted time counts as measured, so that
/// the next is another one.
std::vector<size_t> Guided::promising() {
  std::vector<Residual> residuals;
  auto log = [&](size_t candidate) { return std::log(space[candidate].predicted); };
  for (size_t candidate : history.ranked())
    residuals.push_back({candidate, std::log(history.milliseconds(candidate)) - log(candidate),
                         history.noise(candidate)});
  auto distance = [&](size_t left, size_t right) { return space.distance(left, right); };
  double best = std::log(history.milliseconds(history.ranked().front()));
  std::vector<size_t> chosen;
  std::vector<std::pair<double, size_t>> improvements;
  for (int added = 0; added < options.round; ++added) {
    GaussianProcess process(residuals, distance);
    std::pair<double, size_t> most{0, space.size()};
    std::vector<std::pair<double, size_t>> next;
    size_t limit = std::min(space.size(), kMostCompared);
    auto consider = [&](size_t candidate) {
      if (history.isTried(candidate) || llvm::is_contained(chosen, candidate))
        return;
      Posterior posterior = process.at(candidate);
      posterior.mean += log(candidate);
      double improvement = expectedImprovement(best, posterior);
      next.push_back({improvement, candidate});
      if (improvement > most.first)
        most = {improvement, candidate};
    };
    if (improvements.empty()) // All, then those that were most promising.
      for (size_t candidate = 0; candidate < limit; ++candidate)
        consider(candidate);
    for (const auto &[improvement, candidate] : improvements)
      consider(candidate);
    if (added == 0)
      gain = most.first;
    if (most.second == space.size() || most.first < options.worthwhile)
      break;
    chosen.push_back(most.second);
    residuals.push_back({most.second, process.at(most.second).mean, 0});
    llvm::sort(next, std::greater<>());
    next.resize(std::min<size_t>(next.size(), 16 * size_t(options.round)));
    improvements = std::move(next);
  }
  return chosen;
}

/// Asks for as many samples again of the fastest third of each group that has equally many.
void Guided::addFinalists(std::vector<Trial> &trials) const {
  std::map<int, std::vector<size_t>> groups;
  for (size_t candidate : history.ranked()) // The fastest first.
    groups[history.count(candidate)].push_back(candidate);
  std::vector<size_t> ranked = history.ranked();
  size_t finalists = std::max<size_t>(ranked.size() / 3, 1);
  for (const auto &[count, group] : groups) {
    if (count >= options.manySamples)
      continue;
    for (size_t candidate : llvm::ArrayRef(group).take_front((group.size() + 2) / 3))
      if (llvm::find(ranked, candidate) < ranked.begin() + finalists)
        trials.push_back({candidate, std::min(count, options.manySamples - count)});
  }
}

std::vector<Trial> Guided::ask() {
  std::vector<Trial> trials;
  bool isFirst = history.tried() == 0;
  if (!isFirst && history.ranked().empty())
    return trials; // Nothing runs.
  if (!isFirst)
    addFinalists(trials);
  for (size_t candidate : isFirst ? first() : promising())
    trials.push_back({candidate, options.fewSamples});
  return trials;
}
