//===- KernelChecks.h - What a path of an operand can be --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_KERNELCHECKS_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_KERNELCHECKS_H

#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// An error where accesses, lines and parts of the path that the plan names for A (or B) cannot be
/// proved right from the operand's type.
llvm::LogicalResult checkPath(blas::GemmOp op, bool isA);

/// An error where the plan has rows of C written as one which cannot be.
llvm::LogicalResult checkFlatOutput(blas::GemmOp op);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_KERNELCHECKS_H
