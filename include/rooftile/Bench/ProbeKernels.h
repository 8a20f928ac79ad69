//===- ProbeKernels.h - Kernels that measure a chip -------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_PROBEKERNELS_H
#define ROOFTILE_BENCH_PROBEKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::bench {

/// Matrix instructions of a subgroup in one step of the loops of kernels rate_NAME.
inline constexpr int64_t kMatricesOfStep = 4;

/// The kernels of ProbeKernels.inc, and rate_NAME for each matrix instruction of `target`: what
/// measures chips like it, ready for buildNvvmPipeline. Before each lies a host function
/// probe_NAME, which launches it: its arguments, all i64, are the workgroups, the threads of one,
/// and those of the kernel.
mlir::OwningOpRef<mlir::ModuleOp> probeModule(blas::TargetAttr target);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_PROBEKERNELS_H
