//===- Worker.h - A process that tries candidates ---------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_TRIAL_WORKER_H
#define ROOFTILE_TUNING_TRIAL_WORKER_H

#include "rooftile/Tuning/Store/Measurement.h"
#include "rooftile/Tuning/Trial/Job.h"

#include <sys/types.h>

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
  ~Worker() { stop(); }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// The results of all kernels. A kernel that ends or blocks the process is left out of another
  /// run of the others. An error where not even the baseline runs.
  llvm::Expected<std::vector<KernelResult>> run(const Job &job);

private:
  struct Attempt;
  llvm::Error start();
  void stop();
  /// Waits for the process that has closed its output: "ended with status 3", "killed by signal 9".
  std::string wait();
  /// The next line of its output; nothing after `seconds`, or with `hasEnded` at its end.
  bool readLine(double seconds, std::string &line, bool &hasEnded);
  llvm::Error attempt(const Job &job, Attempt &attempt);

  std::vector<std::string> command;
  Limits limits;
  pid_t process = -1;
  int input = -1, output = -1;
  std::string buffer; ///< Output that was read, but no whole line.
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_WORKER_H
