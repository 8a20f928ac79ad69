//===- Report.h - How well the model ranks measured plans -------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_REPORT_REPORT_H
#define ROOFTILE_TUNING_REPORT_REPORT_H

#include "rooftile/Tuning/Store/Store.h"

namespace rooftile::tuning {

/// A plan that ran and never failed. Milliseconds.
struct Compared {
  std::string plan;
  double predicted = NAN;
  double measured = NAN; ///< Median of samples over the baseline, times that of the operation.
  std::string bound;     ///< Resource with the largest predicted time; empty: unknown.
  std::optional<int64_t> rank; ///< Rank among the plans that the planner listed.

  double residual() const { return std::log(measured / predicted); }
};

/// Plans of one operation, from the measurements in the environment of its latest one.
struct OperationReport {
  std::string operation, shapeClass, type;
  /// Two or more: those that the planner listed in their order, then others by predicted time. The
  /// first is the model's pick.
  std::vector<Compared> plans;
  double selectedGain = 1; ///< Time of the model's plan over that of the plan of the list.

  /// Index of the plan that measured fastest of the first `count`.
  size_t best(size_t count = SIZE_MAX) const;
  /// Time of that plan over that of the fastest of all.
  double regret(size_t count) const;
  /// Kendall's tau-b of predicted and measured times; NaN where all of either are equal.
  double correlation() const;
};

/// A resource whose predicted time is wrong beside those of the others.
struct Mispricing {
  std::string resource; ///< Empty: unknown.
  /// exp(median of the residuals of plans that it bounds - median of those of all other plans).
  /// Above 1: it needs more time than predicted. NaN: it bounds all plans.
  double factor = NAN;
};

/// The resource with the factor farthest from 1, of the two that bound the pick and the best plan.
Mispricing mispricingOf(const OperationReport &operation);

/// Plans that failed in one way.
struct Failures {
  Outcome outcome = Outcome::Wrong;
  size_t plans = 0, operations = 0;
  std::string reason; ///< That of the first.
};

struct Report {
  Environment environment; ///< That of the latest measurement.
  std::string firstDay, lastDay;
  size_t measurements = 0, throttled = 0;
  std::vector<OperationReport> operations;
  size_t others = 0; ///< Operations with fewer than two plans that ran.
  std::vector<Failures> failures;
};

/// Error: the store cannot be read, or has no measurement of the chip.
llvm::Expected<Report> makeReport(const Store &store, llvm::StringRef chip);

/// Writes tables in Markdown: a row for each class and type, the `worst` operations by the regret
/// of the pick, and failures.
void writeTables(const Report &report, size_t worst, llvm::raw_ostream &out);

/// Writes what scripts/draw_report.py draws, as one object of JSON.
void writeData(const Report &report, llvm::raw_ostream &out);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_REPORT_REPORT_H
