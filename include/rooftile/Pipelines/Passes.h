//===- Passes.h - Passes that run pipelines ---------------------*- C++ -*-===//
#ifndef ROOFTILE_PIPELINES_PASSES_H
#define ROOFTILE_PIPELINES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "rooftile/Conversion/Format.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "rooftile/Pipelines/Passes.h.inc"
} // namespace rooftile

#endif // ROOFTILE_PIPELINES_PASSES_H
