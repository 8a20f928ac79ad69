//===- Exact.h - Whether integers stay integers -----------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_EXACT_H
#define ROOFTILE_TOOLS_GEMM_RUN_EXACT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace rooftile::run {

/// Whether every float that `function` computes from arguments that are integers of at most `range`
/// in magnitude is an integer that its type has: then nothing is rounded, sums are the same in any
/// order, and two right results are equal. Sums and products are followed through linalg
/// operations on static tensors by bounds on magnitudes; whatever else computes floats makes the
/// answer no.
bool staysExact(mlir::func::FuncOp function, double range);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_EXACT_H
