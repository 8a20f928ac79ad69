//===- AlignmentTests.h - Pointers are tested before launches ---*- C++ -*-===//
//
// A kernel with wide accesses is launched only where its pointers are aligned, and one that
// writes partial sums where the workspace has room for them. An
// operation that becomes several kernels is launched as a whole or not at all:
// passes that cut it leave its parts in one scf.execute_region, and macro-tile
// makes all tests before it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_ALIGNMENTTESTS_H
#define ROOFTILE_TRANSFORMS_KERNEL_ALIGNMENTTESTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// True where it is not known that the base pointer of `memref` is a multiple of `bytes`: more
/// than its elements need, and not allocated here (aligned to 16 bytes at least, by malloc as by
/// the driver of a GPU).
bool needsAlignmentTest(mlir::Value memref, int64_t bytes);

/// Emits a call of the runtime: whether `pointer`, a memref, lies at a multiple of `bytes`. Where
/// it does not, the runtime keeps an error that names the operand: `role` is a blas::Role, or that
/// of an extra operand plus its number.
mlir::Value createAlignmentTest(mlir::OpBuilder &builder, mlir::ModuleOp module,
                                mlir::Value pointer, int64_t bytes, int64_t role);

/// Emits a call of the runtime: whether a workspace of `present` elements holds the `needed` ones,
/// both of type index. Where it does not, the runtime keeps an error with both sizes.
mlir::Value createRoomTest(mlir::OpBuilder &builder, mlir::ModuleOp module, mlir::Value present,
                           mlir::Value needed);

/// Success if the functions of the runtime that these two call have their names to themselves in
/// `module`, else an error at the symbol of that name.
llvm::LogicalResult checkTestNames(mlir::ModuleOp module);

/// Creates the region for the parts of `op` before it, and goes on inside.
mlir::scf::ExecuteRegionOp beginParts(mlir::OpBuilder &builder, mlir::Operation *op);

/// Ends the region: a single part needs none.
void endParts(mlir::OpBuilder &builder, mlir::scf::ExecuteRegionOp parts);

/// Moves the tests of each such region before it, and puts what it holds under the
/// condition that all pass. No such region is left.
void testBeforeParts(mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_ALIGNMENTTESTS_H
