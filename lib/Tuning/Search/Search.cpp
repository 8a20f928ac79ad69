//===- Search.cpp - The search for the fastest plan -----------------------===//

#include "rooftile/Tuning/Search/Search.h"
#include "llvm/ADT/STLExtras.h"

using namespace rooftile::tuning;

/// Drops new candidates beyond the budget.
static void cut(std::vector<Trial> &trials, const History &history, const Budget &budget) {
  size_t left = budget.candidates - std::min(budget.candidates, history.tried());
  llvm::erase_if(trials, [&](const Trial &trial) {
    if (history.isTried(trial.candidate))
      return false;
    bool fits = left > 0;
    left -= fits;
    return !fits;
  });
}

std::vector<Progress> rooftile::tuning::search(Strategy &strategy, Trials &trials,
                                               const Budget &budget) {
  std::vector<Progress> progress;
  const History &history = strategy.results();
  for (bool goesOn = true; goesOn;) {
    std::vector<Trial> next = strategy.ask();
    cut(next, history, budget);
    if (next.empty())
      break;
    goesOn = trials.run(next, [&](const Trial &trial, const TrialResult &result) {
      strategy.tell(trial.candidate, result);
    });
    std::vector<size_t> ranked = history.ranked();
    if (!ranked.empty())
      progress.push_back({history.tried(), ranked.front(), history.milliseconds(ranked.front())});
  }
  return progress;
}
