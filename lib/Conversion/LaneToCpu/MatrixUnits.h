//===- MatrixUnits.h - Matrix instructions, on the host ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOCPU_MATRIXUNITS_H
#define ROOFTILE_LIB_CONVERSION_LANETOCPU_MATRIXUNITS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Dialect/Lane/Lane.h"

namespace rooftile {

/// An error at the first lane.mma of `kernel` that the runtime does not support.
llvm::LogicalResult checkMatrixUnits(mlir::gpu::GPUFuncOp kernel);

/// The description of an instruction for the runtime (MatrixInstruction), a constant of the module
/// around `builder`.
mlir::Value descriptionOf(mlir::OpBuilder &builder, mlir::Location loc,
                          tile::InstructionAttr instruction);

/// Where threads wait: at barriers, matrix instructions and for bulk copies, which are numbered
/// from 1 in the order of the program.
llvm::SmallVector<mlir::Operation *> collectivesOf(mlir::LLVM::LLVMFuncOp function);

/// Where `builder` stands, before the thread is suspended: hands the registers of `op`, which is
/// number `place` of the collectives of the kernel, to the runtime.
void offerRegisters(mlir::OpBuilder &builder, lane::MmaOp op, mlir::Value thread, int64_t place);

/// Where `op` stands, after the suspension: its accumulators, from the runtime.
void takeAccumulators(lane::MmaOp op, mlir::Value thread);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOCPU_MATRIXUNITS_H
