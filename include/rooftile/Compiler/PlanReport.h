//===- PlanReport.h - What was planned, for programs ------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_PLANREPORT_H
#define ROOFTILE_COMPILER_PLANREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Compiler/Compiler.h"

#include <string>

namespace rooftile::compiler {

/// Plans the operations of a raised module for a chip, with the list of `options`, and reports them
/// as JSON in one line:
///
///   {"chip": "h200", "operations": [
///     {"operation": "blas.gemm", "source": "the model", "m": 64, "n": 64, "k": 64, "batch": 1,
///      "flops": 524288, "seconds": 4.1e-06,
///      "plans": [{"when": "", "plan": "#blas.plan<...>", "seconds": 4.1e-06,
///                 "bound": "latency"}]}]}
///
/// `source`: where the plans come from, as remarks name it. `when`: sizes and alignments that a
/// plan of a set is for, "" of the only and the last one, whose seconds are the operation's. Sizes
/// that calls state are -1, and seconds are then those of the size that planning assumes for them.
/// Triangular operations have no "k", "flops" and "bound".
llvm::FailureOr<std::string> reportPlans(mlir::ModuleOp module, const CompilerOptions &options);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_PLANREPORT_H
