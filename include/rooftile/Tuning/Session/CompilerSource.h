//===- CompilerSource.h - Candidates of the planner -------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SESSION_COMPILERSOURCE_H
#define ROOFTILE_TUNING_SESSION_COMPILERSOURCE_H

#include "rooftile/Bench/Candidates.h"
#include "rooftile/Tuning/Session/CandidateSource.h"

namespace rooftile::tuning {

/// Plans that the model evaluates, and those beside them. Kernels are compiled by the thread that
/// asks for them.
class CompilerSource : public CandidateSource {
public:
  /// `chip`: planned for; empty: that of the GPU present, else the default.
  CompilerSource(std::string chip, bench::PlanQuery plans);

  llvm::Expected<Environment> environmentOn(const DeviceFacts &) const override {
    return environment();
  }
  llvm::Expected<Candidates> candidatesOf(const bench::Shape &shape) const override;

  /// The environment, as far as it is known without a device.
  llvm::Expected<Environment> environment() const;
  /// Architecture of the chip, as the assembler names it: "sm_90a".
  llvm::Expected<std::string> architecture() const;
  /// Compiles plans of `shape`, which outlives it, for another thread.
  std::unique_ptr<KernelSource> kernelsOf(const bench::Shape &shape) const;

private:
  llvm::Expected<blas::TargetAttr> targetIn(mlir::MLIRContext &context) const;
  std::unique_ptr<mlir::MLIRContext> newContext() const;

  mlir::DialectRegistry registry;
  bench::KernelOptions options;
  bench::PlanQuery plans;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SESSION_COMPILERSOURCE_H
