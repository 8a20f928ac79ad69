//===- Strategy.h - Which candidate is tried next ---------------*- C++ -*-===//
//
// A strategy is asked for trials and told their results, so that whoever runs them decides where:
// on a device, on several, or in a store of earlier measurements. The same results in the same
// order give the same trials.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_SEARCH_STRATEGY_H
#define ROOFTILE_TUNING_SEARCH_STRATEGY_H

#include "rooftile/Tuning/Search/Space.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cmath>
#include <memory>
#include <optional>

namespace rooftile::tuning {

/// A request for so many samples of a candidate, more than it has.
struct Trial {
  size_t candidate = 0;
  int samples = 0;
};

/// Result of a trial.
struct TrialResult {
  TrialResult() = default;
  /// `samples`: in milliseconds, and longer there than this.
  TrialResult(llvm::ArrayRef<double> samples, double baselineMs)
      : samples(samples), baselineMs(baselineMs) {}
  explicit TrialResult(std::string why) : why(std::move(why)) {}

  llvm::ArrayRef<double> samples; ///< None: the candidate failed.
  double baselineMs = NAN;        ///< Time of the model's plan on the device.
  std::string why;                ///< Message of one that failed.
  /// Plan of another candidate that has the same executable, and is timed for both.
  std::string sameAs;
};

/// Samples of all candidates so far.
class History {
public:
  explicit History(size_t candidates) : samples(candidates), failed(candidates) {}

  /// For so many candidates, which are at least as many as before.
  void resize(size_t candidates) { samples.resize(candidates), failed.resize(candidates); }
  /// Adds samples, in milliseconds; none: the candidate failed.
  void add(size_t candidate, llvm::ArrayRef<double> milliseconds);
  bool isTried(size_t candidate) const { return failed[candidate] || count(candidate) > 0; }
  int count(size_t candidate) const { return int(samples[candidate].size()); }
  /// Median of the samples.
  double milliseconds(size_t candidate) const;
  /// Variance of the logarithm of that median.
  double noise(size_t candidate) const;
  /// Candidates that have samples, fastest first.
  std::vector<size_t> ranked() const;
  /// Candidates that were tried.
  size_t tried() const { return order.size(); }

private:
  std::vector<std::vector<double>> samples;
  std::vector<bool> failed;
  std::vector<size_t> order; ///< Candidates as they were first tried.
};

struct StrategyOptions {
  int start = 12;       ///< Candidates of the first round.
  int round = 6;        ///< New candidates of every other.
  int fewSamples = 5;   ///< Samples of a new candidate.
  int manySamples = 20; ///< Samples of one that stays among the fastest.
  /// Expected gain, of the time of the fastest, below which a search ends.
  double worthwhile = 0.002;
  uint64_t seed = 1; ///< Draws candidates at random.
};

class Strategy {
public:
  Strategy(Space &space) : space(space), history(space.size()) {}
  virtual ~Strategy() = default;

  /// The trials that come next; none: the search is done.
  virtual std::vector<Trial> ask() = 0;
  virtual void tell(size_t candidate, const TrialResult &result) {
    history.add(candidate, result.samples);
  }

  const History &results() const { return history; }

protected:
  Space &space;
  History history;
};

/// Makes a strategy by its name: `guided` (a Gaussian process on the residuals of the model, with
/// more and more samples for fewer and fewer candidates; it adds those beside the best to `space`),
/// `ranked` (by predicted time), `random` or `exhaustive`. An error lists the names.
llvm::Expected<std::unique_ptr<Strategy>> makeStrategy(llvm::StringRef name, Space &space,
                                                       const StrategyOptions &options);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_STRATEGY_H
