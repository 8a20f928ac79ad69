//===- Session.h - A search over a list of operations -----------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SESSION_SESSION_H
#define ROOFTILE_TUNING_SESSION_SESSION_H

#include "rooftile/Tuning/Search/Strategy.h"
#include "rooftile/Tuning/Session/CandidateSource.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::tuning {

struct SessionOptions {
  std::string store; ///< File of the store, made where there is none.
  std::string strategy = "guided";
  StrategyOptions search;
  /// Makes the strategy of an operation in place of that name.
  std::function<std::unique_ptr<Strategy>(Space &)> outside;
  size_t candidates = 48;          ///< Different ones of each operation, at most.
  double seconds = 1200;           ///< No job begins later.
  std::vector<std::string> worker; ///< Command of a worker (Trial/Worker.h).
};

/// Result of the search for one operation.
struct Found {
  std::string operation;     ///< Key of the shape.
  std::string plan;          ///< The fastest.
  size_t tried = 0, of = 0;  ///< Candidates.
  double milliseconds = NAN; ///< Time of the fastest plan.
  double gain = NAN;         ///< Time of the model's plan over it.
  bool throttled = false;    ///< The device lowered its clocks in some of the samples.
  std::string error;         ///< Why there is none, or the search ended early; empty for none.
};

/// Searches plans of all shapes, which differ, in their order, which decides where time is short.
/// Kernels of several operations are taken from `source` at once, on all cores, while one is
/// measured. `report` is called with each result, and how many there are. An error where nothing
/// can be measured.
llvm::Error searchPlans(llvm::ArrayRef<bench::Shape> shapes, const CandidateSource &source,
                        const SessionOptions &options,
                        llvm::function_ref<void(const Found &, size_t done)> report);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SESSION_SESSION_H
