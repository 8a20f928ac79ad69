//===- RolledLoop.h - Loops that no compiler unrolls -----------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_LANE_ROLLEDLOOP_H
#define ROOFTILE_DIALECT_LANE_ROLLEDLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rooftile {

/// Neither LLVM nor the vendor's assembler unrolls `loop`: metadata of the branch at its end, which
/// lowerings of scf hand on.
void keepRolled(mlir::scf::ForOp loop);

} // namespace rooftile

#endif // ROOFTILE_DIALECT_LANE_ROLLEDLOOP_H
