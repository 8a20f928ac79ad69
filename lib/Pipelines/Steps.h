//===- Steps.h - Steps that several pipelines share -------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_PIPELINES_STEPS_H
#define ROOFTILE_LIB_PIPELINES_STEPS_H

#include "mlir/Pass/PassManager.h"
#include "rooftile/Conversion/Format.h"

namespace rooftile {

/// Canonicalization and common subexpressions.
void addCleanUp(mlir::OpPassManager &pm);

/// Operations around the kernels that are not blas become kernels of their own, one
/// GPU thread each; intermediates of host code become memory of the device.
void addElementwiseKernels(mlir::OpPassManager &pm);

/// Host code to the LLVM dialect: launches and allocations as calls of the runtime.
void addHostLowering(mlir::OpPassManager &pm);

/// Kernels of one thread to the LLVM and ROCDL dialects.
void addRocdlKernels(mlir::OpPassManager &pm);

/// These to AMD ISA or code objects; on `trial` as buildRocdlPipeline does.
void addRocdlBinary(mlir::OpPassManager &pm, Format format, bool trial);

} // namespace rooftile

#endif // ROOFTILE_LIB_PIPELINES_STEPS_H
