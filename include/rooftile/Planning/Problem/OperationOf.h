//===- OperationOf.h - The operation that IR states -------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PROBLEM_OPERATIONOF_H
#define ROOFTILE_PLANNING_PROBLEM_OPERATIONOF_H

#include "mlir/IR/Operation.h"
#include "rooftile/Operation/Operation.h"

namespace rooftile::planning {

/// The call of BLAS that `op` stands for, in canonical form; the inverse of compiler::moduleOf. A
/// tensor counts as contiguous, row-major and aligned. Nothing for what a line cannot state: other
/// operations, a product that is part of another one, a triangular operation out of place, other
/// epilogues, mixed types, a workspace.
std::optional<operation::Operation> operationOf(mlir::Operation *op);

/// The value for all operations that IR does not distinguish: addresses are multiples of an element
/// at least, and choices that a routine lacks have their defaults.
operation::Operation asInIR(const operation::Operation &operation);

/// Part of an operation in IR that a line can state.
struct StatedOperation {
  /// In the order that C has in IR, which plans refer to; conjugations of real matrices are
  /// dropped.
  operation::Operation operation;
  bool isWhole = false; ///< Nothing else decides the result: operationOf has it.
};
/// Nothing for operations that are no routine of BLAS.
std::optional<StatedOperation> statedOperationOf(mlir::Operation *op);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_OPERATIONOF_H
