//===- AlignmentTests.h - Pointers are tested before launches ---*- C++ -*-===//
//
// A kernel with wide accesses is launched only where its pointers are aligned. An
// operation that becomes several kernels is launched as a whole or not at all:
// passes that cut it leave its parts in one scf.execute_region, and macro-tile
// tests all pointers in front of it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_ALIGNMENTTESTS_H
#define ROOFTILE_TRANSFORMS_ALIGNMENTTESTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Emits a call of the runtime: whether `pointer`, a memref, lies at a multiple of `bytes`. Where
/// it does not, the runtime keeps an error that names the operand `role`.
mlir::Value createAlignmentTest(mlir::OpBuilder &builder, mlir::ModuleOp module,
                                mlir::Value pointer, int64_t bytes, blas::Role role);

/// Creates the region for the parts of `op` in front of it, and goes on inside.
mlir::scf::ExecuteRegionOp beginParts(mlir::OpBuilder &builder, mlir::Operation *op);

/// Ends the region: a single part needs none.
void endParts(mlir::OpBuilder &builder, mlir::scf::ExecuteRegionOp parts);

/// Moves the alignment tests of each such region in front of it, and puts what it holds under the
/// condition that all pass. No such region is left.
void testBeforeParts(mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_ALIGNMENTTESTS_H
