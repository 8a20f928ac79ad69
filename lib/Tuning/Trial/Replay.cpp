//===- Replay.cpp - A store in place of a device --------------------------===//

#include "rooftile/Tuning/Trial/Replay.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace rooftile::tuning;

//===----------------------------------------------------------------------===//
// Recordings
//===----------------------------------------------------------------------===//

/// A candidate for each plan, without those that have no prediction.
static std::vector<Candidate> candidatesOf(llvm::ArrayRef<Measurement> all) {
  std::map<std::string, const Measurement *> predicted;
  for (const Measurement &each : all)
    if (!std::isnan(each.predicted))
      predicted.try_emplace(each.plan, &each);
  std::vector<Candidate> candidates;
  for (const auto &[plan, first] : predicted)
    candidates.push_back({plan, first->predicted, first->resources, first->rank});
  return candidates;
}

Recording::Recording(llvm::ArrayRef<Measurement> all)
    : candidates(candidatesOf(inLatestEnvironment(all))), ratios(candidates.size()),
      reasons(candidates.size()) {
  std::map<std::string, size_t> numbers;
  for (size_t candidate = 0; candidate < candidates.size(); ++candidate)
    numbers[candidates[candidate].plan] = candidate;
  std::vector<double> baselines;
  for (const Measurement &each : inLatestEnvironment(all)) {
    auto found = numbers.find(each.plan);
    if (found == numbers.end())
      continue;
    if (each.outcome == Outcome::Right) {
      llvm::append_range(ratios[found->second], each.ratios());
      baselines.push_back(each.baseline());
    } else {
      reasons[found->second] = whyFailed(each.outcome, each.reason);
    }
  }
  baseline = median(std::move(baselines));
}

double Recording::time(size_t candidate) const { return median(ratios[candidate]); }

double Recording::best() const {
  double least = INFINITY;
  for (size_t candidate = 0; candidate < candidates.size(); ++candidate)
    least = std::fmin(least, time(candidate));
  return least;
}

bool Replay::run(llvm::ArrayRef<Trial> trials, Report report) {
  for (const Trial &trial : trials) {
    const std::vector<double> &all = recording.samples(trial.candidate);
    if (all.empty()) {
      report(trial, TrialResult(recording.whyNot(trial.candidate)));
      continue;
    }
    std::vector<double> samples;
    while (int(samples.size()) < trial.samples)
      samples.push_back(all[given[trial.candidate]++ % all.size()] *
                        recording.space()[0].predicted);
    report(trial, {samples, recording.baselineMs()});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Strategies
//===----------------------------------------------------------------------===//

/// Adds what a strategy finds for one operation to `regret`, whose mean is of logarithms.
static llvm::Error replayOne(const Recording &recording, Regret &regret) {
  Space space = recording.space();
  auto strategy = makeStrategy(regret.strategy, space, {});
  if (!strategy)
    return strategy.takeError();
  size_t allowed = std::max<size_t>(1, size_t(regret.share * double(recording.space().size())));
  Replay replay(recording);
  std::vector<Progress> progress = search(**strategy, replay, {allowed});
  if (progress.empty())
    return llvm::Error::success();
  double found = recording.best() / recording.time(progress.back().best);
  regret.found += std::log(found), regret.worst = std::min(regret.worst, found);
  regret.tried += double(progress.back().tried);
  ++regret.operations;
  return llvm::Error::success();
}

llvm::Expected<std::vector<Regret>>
rooftile::tuning::compareStrategies(const Store &store, llvm::ArrayRef<std::string> strategies,
                                    llvm::ArrayRef<double> shares, size_t least) {
  std::vector<Recording> recordings;
  auto record = [&](llvm::ArrayRef<Measurement> all) {
    Recording recording(all);
    if (recording.space().size() >= least && std::isfinite(recording.best()))
      recordings.push_back(std::move(recording));
  };
  if (llvm::Error failed = store.forEachOperation({}, record))
    return failed;
  std::vector<Regret> regrets;
  for (const std::string &strategy : strategies)
    for (double share : shares) {
      Regret &regret = regrets.emplace_back();
      regret.strategy = strategy, regret.share = share;
      for (const Recording &recording : recordings)
        if (llvm::Error why = replayOne(recording, regret))
          return why;
      double count = double(std::max<size_t>(regret.operations, 1));
      regret.found = std::exp(regret.found / count), regret.tried /= count;
    }
  return regrets;
}
