//===- Guided.cpp - A search that a model guides --------------------------===//

#include "Guided.h"
#include "rooftile/Tuning/Search/GaussianProcess.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>

using namespace rooftile::tuning;

/// Listed candidates of which the improvement is computed: the fastest by the model.
static constexpr size_t kMostCompared = 2000;

/// New candidates one after the other: after each, its predicted time counts as measured, so that
/// the next is another one.
std::vector<size_t> Guided::promising() const {
  auto log = [&](size_t candidate) { return std::log(space[candidate].predicted); };
  std::vector<size_t> ranked = history.ranked(), chosen;
  std::vector<Residual> residuals;
  for (size_t candidate : ranked)
    residuals.push_back({candidate, std::log(history.milliseconds(candidate)) - log(candidate),
                         history.noise(candidate)});
  auto distance = [&](size_t left, size_t right) { return space.distance(left, right); };
  double best = std::log(history.milliseconds(ranked.front()));
  std::vector<size_t> pool; // All, then those that were most promising.
  for (size_t candidate = 0; candidate < space.size(); ++candidate)
    if (!history.isTried(candidate) && (candidate < kMostCompared || candidate >= space.listed()))
      pool.push_back(candidate);
  while (!pool.empty() && int(chosen.size()) < options.round) {
    GaussianProcess process(residuals, distance);
    std::vector<std::pair<double, size_t>> improvements;
    for (size_t candidate : pool) {
      Posterior posterior = process.at(candidate);
      posterior.mean += log(candidate);
      improvements.push_back({expectedImprovement(best, posterior), candidate});
    }
    // Among equal ones the candidate that comes first.
    auto [most, next] = *llvm::max_element(improvements, llvm::less_first());
    if (most < options.worthwhile)
      break;
    chosen.push_back(next);
    residuals.push_back({next, process.at(next).mean, 0});
    llvm::sort(improvements, std::greater<>());
    improvements.resize(std::min(improvements.size(), 16 * size_t(options.round)));
    pool.clear();
    for (const auto &[improvement, candidate] : improvements)
      if (candidate != next)
        pool.push_back(candidate);
  }
  return chosen;
}

/// Asks for as many samples again of the fastest third of each group that has equally many.
void Guided::addFinalists(std::vector<Trial> &trials) const {
  std::vector<size_t> ranked = history.ranked(); // The fastest first.
  std::map<int, std::vector<size_t>> groups;
  for (size_t candidate : ranked)
    groups[history.count(candidate)].push_back(candidate);
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
  if (!isFirst) {
    addFinalists(trials);
    space.growAt(history.ranked().front());
    history.resize(space.size());
  }
  for (size_t candidate : isFirst ? space.mixture(size_t(options.start)) : promising())
    trials.push_back({candidate, options.fewSamples});
  return trials;
}
