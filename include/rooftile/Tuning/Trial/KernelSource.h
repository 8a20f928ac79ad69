//===- KernelSource.h - Kernels of the plans of one operation ---*- C++ -*-===//
#ifndef ROOFTILE_TUNING_TRIAL_KERNELSOURCE_H
#define ROOFTILE_TUNING_TRIAL_KERNELSOURCE_H

#include "llvm/Support/Error.h"

#include <string>

namespace rooftile::tuning {

/// The executable of a plan.
struct PlanKernel {
  std::string bytes;  ///< As a worker reads it (Runtime/Executable/Executable.h).
  std::string reason; ///< Why there is none; empty where there is one.

  /// Hash of the executable, 16 hex digits; empty: there is none.
  std::string hash() const;
};

/// Kernels of the plans of one operation, for one thread at a time.
class KernelSource {
public:
  virtual ~KernelSource() = default;
  /// The kernel of a plan, as far as there is one. An error is none of the plan: the source
  /// itself fails.
  virtual llvm::Expected<PlanKernel> kernelOf(const std::string &plan) = 0;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_KERNELSOURCE_H
