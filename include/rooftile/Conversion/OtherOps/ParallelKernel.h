//===- ParallelKernel.h - Parallel loops of host code as kernels -*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_OTHEROPS_PARALLELKERNEL_H
#define ROOFTILE_CONVERSION_OTHEROPS_PARALLELKERNEL_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rooftile {

/// Replaces `loop` (of host code, without a reduction) by a gpu.launch whose threads each run one
/// iteration. Memrefs cross as pointers and indices.
void parallelToKernel(mlir::scf::ParallelOp loop);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_OTHEROPS_PARALLELKERNEL_H
