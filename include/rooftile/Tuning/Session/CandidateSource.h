//===- CandidateSource.h - Where candidates come from -----------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SESSION_CANDIDATESOURCE_H
#define ROOFTILE_TUNING_SESSION_CANDIDATESOURCE_H

#include "rooftile/Bench/Shape.h"
#include "rooftile/Runtime/Device/DeviceFacts.h"
#include "rooftile/Tuning/Search/Space.h"
#include "rooftile/Tuning/Store/Measurement.h"
#include "rooftile/Tuning/Trial/KernelSource.h"

#include <memory>

namespace rooftile::tuning {

/// Plans of one operation, at least one, and their kernels.
struct Candidates {
  Space space;
  std::unique_ptr<KernelSource> kernels;
};

/// Candidates of operations: planned and compiled when they are needed (CompilerSource), or read
/// from a file (Pack).
class CandidateSource {
public:
  virtual ~CandidateSource() = default;
  /// The environment of measurements on `device`; those who measure there add its name and that of
  /// its driver. An error where kernels are for another device.
  virtual llvm::Expected<Environment> environmentOn(const DeviceFacts &device) const = 0;
  /// The candidates of an operation; several threads may ask at once. `shape` outlives them.
  virtual llvm::Expected<Candidates> candidatesOf(const bench::Shape &shape) const = 0;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SESSION_CANDIDATESOURCE_H
