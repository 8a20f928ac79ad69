//===- Predictions.h - A calibration against measurements -------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_PREDICTIONS_H
#define ROOFTILE_BENCH_PREDICTIONS_H

#include "rooftile/Bench/Results.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"

#include <memory>

namespace rooftile::bench {

/// The plans of result files, counted once, so that many calibrations can be tried on them.
class Predictions {
public:
  Predictions();
  ~Predictions();

  /// Adds the rows of `results` that were verified, on `chip`. An error names the row that cannot
  /// be planned.
  llvm::Error add(const Results &results, llvm::StringRef chip, mlir::MLIRContext &context);

  /// Writes the table of coefficients as CSV: name, unit, the value that counts for the first chip
  /// now, bounds, meaning.
  void writeCoefficients(llvm::raw_ostream &out) const;

  /// Writes a line of CSV for each row: class, type, shape, milliseconds measured,
  /// registers of a thread by the model and by the assembler, bytes spilled, plan.
  void writeRows(llvm::raw_ostream &out) const;

  /// Seconds of each by `calibration`, in the order of the rows.
  std::vector<double> predict(const blas::CalibrationData &calibration) const;

private:
  struct Timed;
  std::vector<std::unique_ptr<Timed>> rows;
  blas::CalibrationData present;
};

/// Answers calibrations: of each line of `in`, values in the order of the table of coefficients,
/// the predictions of all rows as one line of `out`.
void answerCalibrations(const Predictions &predictions, std::FILE *in, llvm::raw_ostream &out);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_PREDICTIONS_H
