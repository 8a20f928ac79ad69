//===- Measurement.h - One candidate that was tried -------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_STORE_MEASUREMENT_H
#define ROOFTILE_TUNING_STORE_MEASUREMENT_H

#include "rooftile/Runtime/Device/DeviceState.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace rooftile::tuning {

/// Result of a trial.
enum class Outcome {
  Right,    ///< Its result was verified, and it was timed.
  Wrong,    ///< Its result was not that of the reference.
  Refused,  ///< The compiler or the driver made no kernel of it.
  Crashed,  ///< Its process ended, by a signal or an error of the device.
  TimedOut, ///< It took longer than its limit.
};

llvm::StringRef nameOf(Outcome outcome);
/// "wrong: row 0 of matrix 0: ..": an outcome and its message.
std::string whyFailed(Outcome outcome, const std::string &reason);

/// The machine, and the program that compiled a candidate. Measurements with equal environments
/// compare.
struct Environment {
  std::string chip;        ///< Name of the #blas.target, "h200".
  std::string device;      ///< As the driver calls it, "NVIDIA H200".
  std::string driver;      ///< "CUDA 12.8".
  std::string compiler;    ///< "Rooftile 0.9.0, LLVM 22.1.8".
  std::string target;      ///< Hash of the target's figures and of its calibration, 16 hex digits.
  int64_t planVersion = 0; ///< Version of the text of plans.

  bool operator==(const Environment &other) const;
};

/// A candidate for an operation, as it was tried once. Times are milliseconds of one call; NaN
/// where there is none.
struct Measurement {
  std::string operation; ///< Canonical line (rooftile/Operation/Text.h).
  /// Text of the #blas.plan or #blas.blocks; of a routine that is split, of all its operations,
  /// joined by " + ".
  std::string plan;
  Environment environment;
  Outcome outcome = Outcome::Right;
  std::string reason;     ///< Message of an outcome that is not Right.
  std::string binary;     ///< Hash of the machine code, 16 hex digits; empty: there is none.
  double predicted = NAN; ///< By the model.
  /// Rank among the plans that the planner listed for the search, 0 for its pick; none: not
  /// listed.
  std::optional<int64_t> rank;
  /// Predicted time that each resource alone would need.
  std::vector<std::pair<std::string, double>> resources;
  std::vector<double> samples; ///< Each of many calls, in the order in which they were taken.
  /// Times of the model's own plan, right before and after the samples.
  double baselineBefore = NAN, baselineAfter = NAN;
  DeviceState state; ///< State of the device, while samples were taken.
  int64_t trial = 0; ///< Earlier trials of the candidate in the search that this one is of.
  std::string date;  ///< UTC, "2026-11-27T13:05:00Z".

  /// Median of the samples.
  double milliseconds() const;
  /// Mean of the baseline before and after.
  double baseline() const { return (baselineBefore + baselineAfter) / 2; }
  /// Samples over the baseline.
  std::vector<double> ratios() const;
  /// Time of the baseline over that of the candidate: above 1, the candidate is faster.
  double gain() const;
};

/// Median of `values`; NaN of none.
double median(std::vector<double> values);

/// The measurements in the environment of the latest one.
std::vector<Measurement> inLatestEnvironment(llvm::ArrayRef<Measurement> all);

/// One line of JSON, with keys in a fixed order: equal measurements have equal lines.
std::string toJson(const Measurement &measurement);

/// Reads such a line. An error names the key and what is expected of it.
llvm::Expected<Measurement> fromJson(llvm::StringRef line);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_STORE_MEASUREMENT_H
