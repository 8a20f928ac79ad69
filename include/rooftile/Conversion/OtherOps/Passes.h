//===- Passes.h - Operations that stand around products ---------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_OTHEROPS_PASSES_H
#define ROOFTILE_CONVERSION_OTHEROPS_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace rooftile {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "rooftile/Conversion/OtherOps/Passes.h.inc"

/// Makes what only `module` needs internal; `ownRuntime`: and calls the runtime by its own names.
llvm::LogicalResult separateModule(mlir::ModuleOp module, bool ownRuntime);

/// Gives functions of the C interface the calling convention of C for complex values.
void passComplexAsC(mlir::ModuleOp module);
} // namespace rooftile

#endif // ROOFTILE_CONVERSION_OTHEROPS_PASSES_H
