//===- Footprint.h - Memory that an operation needs -------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PROBLEM_FOOTPRINT_H
#define ROOFTILE_PLANNING_PROBLEM_FOOTPRINT_H

#include "mlir/IR/Operation.h"

namespace rooftile::planning {

/// Bytes of memory in which the operands of `op` lie, each counted once: at least, where sizes or
/// strides are dynamic. A view counts as what it shows, at most as what it is a view of.
double operandBytes(mlir::Operation *op);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_FOOTPRINT_H
