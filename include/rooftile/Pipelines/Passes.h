//===- Passes.h - Passes that run pipelines ---------------------*- C++ -*-===//
#ifndef ROOFTILE_PIPELINES_PASSES_H
#define ROOFTILE_PIPELINES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Conversion/Format.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {
/// Runs `passes` on the host code of a module (set-aside).
std::unique_ptr<mlir::Pass> createSetAside(const mlir::OpPassManager &passes);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "rooftile/Pipelines/Passes.h.inc"
} // namespace rooftile

#endif // ROOFTILE_PIPELINES_PASSES_H
