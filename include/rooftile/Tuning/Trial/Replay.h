//===- Replay.h - A store in place of a device ------------------*- C++ -*-===//
//
// Every candidate of an operation that a store has is tried by giving its samples again, so that
// strategies are compared, and tested, without a GPU: the same store gives the same answers.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_TRIAL_REPLAY_H
#define ROOFTILE_TUNING_TRIAL_REPLAY_H

#include "rooftile/Tuning/Search/Search.h"
#include "rooftile/Tuning/Store/Store.h"

namespace rooftile::tuning {

/// The measurements of one operation in one environment, that of the latest.
class Recording {
public:
  /// `all`: of one operation, in any environment.
  explicit Recording(llvm::ArrayRef<Measurement> all);

  /// Its candidates, with the model's predictions.
  const Space &space() const { return candidates; }
  /// Samples of a candidate over the time of the baseline in the same job; none: it failed.
  const std::vector<double> &samples(size_t candidate) const { return ratios[candidate]; }
  /// Why a candidate has no samples.
  const std::string &whyNot(size_t candidate) const { return reasons[candidate]; }
  /// Median of the baseline's times, in milliseconds.
  double baselineMs() const { return baseline; }
  /// Median of all samples of a candidate; NaN of one that failed.
  double time(size_t candidate) const;
  /// The least of all.
  double best() const;

private:
  Space candidates;
  std::vector<std::vector<double>> ratios;
  std::vector<std::string> reasons;
  double baseline = NAN;
};

/// Gives the samples of a recording, as DeviceTrials does, from the first on; those of a candidate
/// that has no more are given once more.
class Replay : public Trials {
public:
  explicit Replay(const Recording &recording)
      : recording(recording), given(recording.space().size()) {}
  bool run(llvm::ArrayRef<Trial> trials, Report report) override;

private:
  const Recording &recording;
  std::vector<size_t> given;
};

/// Result of a strategy in a store, when it may try a share of the candidates of each operation.
struct Regret {
  std::string strategy;
  double share = 0; ///< Allowed candidates, over all of an operation.
  double tried = 0; ///< Candidates on average.
  double found = 0; ///< Time of the best of all over that of the plan found, geometric mean.
  double worst = 1; ///< The least of the operations.
  size_t operations = 0;
};

/// Compares strategies on all operations of a store with at least `least` candidates.
llvm::Expected<std::vector<Regret>> compareStrategies(const Store &store,
                                                      llvm::ArrayRef<std::string> strategies,
                                                      llvm::ArrayRef<double> shares, size_t least);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_REPLAY_H
