//===- DeviceTrials.h - Candidates of one operation on a device -*- C++ -*-===//
#ifndef ROOFTILE_TUNING_TRIAL_DEVICETRIALS_H
#define ROOFTILE_TUNING_TRIAL_DEVICETRIALS_H

#include "rooftile/Bench/Shape.h"
#include "rooftile/Tuning/Search/Search.h"
#include "rooftile/Tuning/Store/Store.h"
#include "rooftile/Tuning/Trial/KernelSource.h"
#include "rooftile/Tuning/Trial/Worker.h"

#include <chrono>
#include <map>
#include <mutex>

namespace rooftile::tuning {

/// A worker, and the store that its results go to, for the searches of several operations, each on
/// a thread of its own.
struct SharedWorker {
  Worker worker;
  Store store;
  Environment environment;
  std::string folder;                             ///< For kernels on their way to the worker.
  std::chrono::steady_clock::time_point deadline; ///< No job begins later.
  std::mutex mutex;                               ///< For worker and store.

  bool isLate() const { return std::chrono::steady_clock::now() > deadline; }
};

/// Has the worker of a device try candidates, whose kernels come from a source. Samples are
/// those of a candidate over the baseline's median in the same job, so that clocks that drift do
/// not matter, times the predicted time of the baseline. Measurements of the store from an equal
/// environment count, and are not repeated. Candidates with the same machine code are timed once.
class DeviceTrials : public Trials {
public:
  /// Candidate 0 of `space` is the baseline.
  DeviceTrials(const bench::Shape &shape, const Space &space, KernelSource &source,
               SharedWorker &shared);
  ~DeviceTrials() override;

  bool run(llvm::ArrayRef<Trial> trials, Report report) override;
  /// An error of the device, of the store or of the source; empty for none.
  const std::string &whyNot() const { return error; }
  /// Milliseconds of the baseline in the last job, or measurement of the store; NaN before.
  double baselineMs() const { return baseline; }
  /// Whether the device lowered its clocks while it was measured here.
  bool wasThrottled() const { return throttled; }

private:
  /// The kernel of a candidate, on its way to the worker.
  struct Ready {
    std::string file, binary; ///< The executable, and its hash.
    std::string reason;       ///< Why there is none.
    bool isRepeated = false;  ///< Another plan that was tried has the same executable.
  };
  /// Null after an error.
  const Ready *ready(size_t candidate);
  /// Writes a kernel to a file of its own.
  llvm::Expected<std::string> write(const std::string &kernel);
  /// Reports the next trial of an earlier run, if there is one.
  bool isRemembered(const Trial &trial, Report report);
  bool runJob(llvm::ArrayRef<Trial> trials, Report report);
  void record(size_t candidate, const KernelResult &result, const KernelResult &baseline);
  void keep(Measurement measurement);

  std::string line; ///< Canonical line of the operation.
  const Space &space;
  KernelSource &source;
  SharedWorker &shared;
  std::map<size_t, Ready> kernels;
  std::map<std::string, std::string> byBinary; ///< The first plan with an executable.
  struct Earlier {
    std::vector<double> ratios; ///< Samples over the baseline.
    double baselineMs = NAN;
  };
  struct Known {
    std::vector<Earlier> trials; ///< The last one first.
    std::string failure;         ///< Empty: it never failed.
  };
  std::map<std::string, Known> known; ///< By plan.
  std::map<size_t, int64_t> trialsOf; ///< Counts for each candidate.
  std::string error;
  double baseline = NAN;
  bool throttled = false;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_DEVICETRIALS_H
