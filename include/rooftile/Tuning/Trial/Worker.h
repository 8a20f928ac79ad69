//===- Worker.h - A process that tries candidates ---------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_TRIAL_WORKER_H
#define ROOFTILE_TUNING_TRIAL_WORKER_H

#include "rooftile/Runtime/Process.h"
#include "rooftile/Tuning/Store/Measurement.h"
#include "rooftile/Tuning/Trial/Job.h"

namespace rooftile::tuning {

/// Result of one kernel of a job.
struct KernelResult {
  Outcome outcome = Outcome::Refused;
  std::string reason;          ///< Message of all but Right.
  std::vector<double> samples; ///< Milliseconds.
  DeviceState device = {};     ///< While they were taken.
};

/// Seconds that a worker may run.
struct Limits {
  double start = 120;    ///< To open the device, and check the baseline.
  double least = 10;     ///< To check another kernel, at least,
  double baselines = 20; ///< and this many times as long as the baseline took.
};

/// Runs jobs in a process of its own, which is started again where it ends.
class Worker {
public:
  /// `command`: the program and its arguments.
  Worker(std::vector<std::string> command, Limits limits)
      : command(std::move(command)), limits(limits) {}

  /// The results of all kernels. A kernel that ends or blocks the process is left out of another
  /// run of the others. An error where not even the baseline runs.
  llvm::Expected<std::vector<KernelResult>> run(const Job &job);

private:
  struct Attempt;
  llvm::Error attempt(const Job &job, Attempt &attempt);

  std::vector<std::string> command;
  Limits limits;
  Process process;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_WORKER_H
