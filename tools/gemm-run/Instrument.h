//===- Instrument.h - Calls around every blas operation ---------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_INSTRUMENT_H
#define ROOFTILE_TOOLS_GEMM_RUN_INSTRUMENT_H

#include "Session.h"

#include "mlir/IR/BuiltinOps.h"

namespace rooftile::run {

/// Inserts `rooftileBefore*(id, A, B, C, alpha, beta)` before and `rooftileAfter*` after every
/// planned blas.gemm on memrefs and gives every public function a C interface. Returns what the
/// ids stand for. Fails, with an error at the operation, on element types other than f32 and f64.
mlir::FailureOr<std::vector<Site>> instrument(mlir::ModuleOp module);

/// The figures of the module's #blas.target; zeros when it has none.
Roofline rooflineOf(mlir::ModuleOp module);

/// "main.mlir:3:5"
std::string locationText(mlir::Location location);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_INSTRUMENT_H
