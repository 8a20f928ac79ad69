//===- Instrument.h - Calls around every blas operation ---------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_INSTRUMENT_H
#define ROOFTILE_VERIFY_ENGINE_INSTRUMENT_H

#include "rooftile/Verify/Engine/Session.h"

#include "rooftile/Dialect/Blas/Blas.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace rooftile::verify {

/// Inserts `rooftileBefore*(id, A, B, C, alpha, beta)` before and `rooftileAfter*` after every
/// blas operation on memrefs that has no such calls yet (in place B is C, beta is 0 where it is
/// none) and appends what the new ids stand for to `sites`. Fails, with an error at the operation,
/// on what cannot be verified.
///
/// Called twice: before planning for the input on memrefs (so that folding is verified too), after
/// it for what comes from tensors and linalg, and for what sites need to know of chosen plans.
mlir::LogicalResult instrument(mlir::ModuleOp module, std::vector<Site> &sites);

/// Gives every public function a C interface. Fails, with an error at the function, on names that
/// are the runtime's.
mlir::LogicalResult exposeFunctions(mlir::ModuleOp module);

/// Inserts `rooftileRuns(plan)` before every planned blas.gemm of host code and appends what the
/// indices stand for to `plans`. After all splitting, so that each call reports which plans ran.
void markPlans(mlir::ModuleOp module, std::vector<RunPlan> &plans);

/// The figures of the module's #blas.target; zeros when it has none.
Roofline rooflineOf(mlir::ModuleOp module);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_INSTRUMENT_H
