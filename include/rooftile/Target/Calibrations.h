//===- Calibrations.h - Costs of kernels on the known chips -----*- C++ -*-===//
//
// A calibration is data: one file of coefficients per chip in lib/Target/Calibrations, as
// `gemm-tune fit` writes them, with their standard errors.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TARGET_CALIBRATIONS_H
#define ROOFTILE_TARGET_CALIBRATIONS_H

#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::target {

/// The calibration that counts for `target`: its own, else what ships for its chip, else for the
/// nearest relative.
const blas::CalibrationData &calibrationOf(blas::TargetAttr target);

/// The chip whose calibration serves `target`, where that is another one: "h100"; else empty.
llvm::StringRef relativeOf(blas::TargetAttr target);

} // namespace rooftile::target

#endif // ROOFTILE_TARGET_CALIBRATIONS_H
