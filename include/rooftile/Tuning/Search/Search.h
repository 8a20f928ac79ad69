//===- Search.h - The search for the fastest plan ---------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SEARCH_SEARCH_H
#define ROOFTILE_TUNING_SEARCH_SEARCH_H

#include "rooftile/Tuning/Search/Strategy.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::tuning {

/// Whoever tries candidates of one operation: a device, or a store of earlier measurements.
class Trials {
public:
  using Report = llvm::function_ref<void(const Trial &, const TrialResult &)>;

  virtual ~Trials() = default;
  /// Calls `report` for each trial with its result, whose samples are relative to each other: those
  /// of candidate 0 are about its predicted time. False: no trial can be run any more (the device
  /// is lost, or time is up).
  virtual bool run(llvm::ArrayRef<Trial> trials, Report report) = 0;
};

/// Bounds of one search.
struct Budget {
  size_t candidates = SIZE_MAX; ///< Different ones that are tried.
};

/// The candidates of one round, and the fastest afterwards.
struct Progress {
  size_t tried = 0, best = 0;
  double milliseconds = 0; ///< Time of the best.
};

/// Runs a strategy until it is done, or out of its budget. Returns the progress after each round.
std::vector<Progress> search(Strategy &strategy, Trials &trials, const Budget &budget);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_SEARCH_H
