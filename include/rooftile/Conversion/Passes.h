//===- Passes.h - From tile programs to threads and binaries ----*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_PASSES_H
#define ROOFTILE_CONVERSION_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "rooftile/Conversion/Format.h"
#include "rooftile/Dialect/Lane/Lane.h"

namespace rooftile {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "rooftile/Conversion/Passes.h.inc"

/// Whether ptxas counts the registers of kernels in this format, for fitPlans.
bool countsRegisters(Format format);

/// Replaces `module`, which has one #rocdl.target, by a gpu.binary: a linked code
/// object, or with `binary` false its ISA. Fails with an error at the kernel where
/// it needs scratch memory, else at the module; then nothing is changed. On `trial` it goes on
/// after the error of a kernel with a plan. The binary lists such kernels as
/// `blas.refused`.
mlir::LogicalResult rocdlToBinary(mlir::gpu::GPUModuleOp module, bool binary, bool trial = false);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_PASSES_H
