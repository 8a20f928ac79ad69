//===- Samples.h - A store as samples of a calibration ----------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_REPORT_SAMPLES_H
#define ROOFTILE_TUNING_REPORT_SAMPLES_H

#include "rooftile/Bench/Results.h"
#include "rooftile/Tuning/Store/Store.h"

namespace rooftile::tuning {

/// Operations that a calibration is fitted to, at least: two for each of five folds.
inline constexpr size_t kLeastFitted = 10;

/// The plans of a report as rows of a result file, as `gemm-tune sample` writes them: of products
/// that are one kernel with its plan, the only ones that a calibration is fitted to. An error where
/// fewer than kLeastFitted operations are such.
llvm::Expected<bench::Results> samplesOf(const Store &store, llvm::StringRef chip);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_REPORT_SAMPLES_H
