//===- Calibrations.cpp - Finding the calibration of a chip ---------------===//

#include "rooftile/Target/Calibrations.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"

using namespace rooftile;

#define COEFFICIENT(NAME, VALUE, ERROR) calibration.NAME = VALUE;

/// H100 and H200 have the same multiprocessors: fitted to the samples of both.
static blas::CalibrationData hopper() {
  blas::CalibrationData calibration;
#include "Calibrations/Hopper.inc"
  return calibration;
}

#undef COEFFICIENT

namespace {
/// A calibration that ships, and what its chip has in common with relatives.
struct Calibrated {
  llvm::StringLiteral chip;
  blas::Vendor vendor;
  bool bulkCopy;
  int64_t asyncCopyBytes;
  blas::CalibrationData data;
};
} // namespace

static llvm::ArrayRef<Calibrated> calibrations() {
  static const Calibrated known[] = {{"h100", blas::Vendor::Nvidia, true, 16, hopper()},
                                     {"h200", blas::Vendor::Nvidia, true, 16, hopper()}};
  return known;
}

/// Difference of a chip from one that is calibrated: who makes it, then how it copies.
static int distance(const Calibrated &known, blas::TargetAttr target) {
  return 4 * (known.vendor != target->vendor) + 2 * (known.bulkCopy != target->bulkCopy) +
         (known.asyncCopyBytes != target->asyncCopyBytes);
}

/// That of the chip, else of its nearest relative.
static const Calibrated &nearest(blas::TargetAttr target) {
  const Calibrated *found = nullptr;
  for (const Calibrated &known : calibrations()) {
    if (known.chip == target->chip)
      return known;
    if (!found || distance(known, target) < distance(*found, target))
      found = &known;
  }
  return *found;
}

const blas::CalibrationData &target::calibrationOf(blas::TargetAttr target) {
  if (target->calibration)
    return *target->calibration;
  return nearest(target).data;
}

llvm::StringRef target::relativeOf(blas::TargetAttr target) {
  if (target->calibration)
    return {};
  const Calibrated &known = nearest(target);
  return known.chip == target->chip ? llvm::StringRef() : llvm::StringRef(known.chip);
}
