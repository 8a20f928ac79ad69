//===- KernelPreparation.h - What both vendors' lowerings change -*- C++ -*-===//
//
// Upstream's conversions to NVVM and ROCDL lower almost all of a kernel as it
// should be. What they would not is prepared here, once for both.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOGPU_KERNELPREPARATION_H
#define ROOFTILE_LIB_CONVERSION_LANETOGPU_KERNELPREPARATION_H

#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// The target of the chip that `kernels` are for, which is on the module around them. One that is
/// missing or of the other vendor is an error at `kernels` for the pass of this name.
llvm::FailureOr<blas::TargetAttr> targetOf(mlir::gpu::GPUModuleOp kernels, blas::Vendor vendor,
                                           llvm::StringRef pass);

/// An error at the first lane.mma, or lane.async_mma, of `module` whose instruction `target` does
/// not have.
llvm::LogicalResult checkInstructions(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

/// The contract of a kernel; null where it has none.
blas::ContractAttr contractOf(mlir::gpu::GPUFuncOp kernel);

/// An external array of no size in shared memory, which the launch provides.
/// Upstream's lowering of gpu.dynamic_shared_memory is a static variable of one
/// byte, which would lie over static buffers.
mlir::LLVM::GlobalOp declareShared(mlir::gpu::GPUModuleOp module);

/// The pointer of `memref`, of rank 1, in an address space of LLVM: upstream's conversion makes its
/// descriptor afterwards.
mlir::Value flatPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref,
                        unsigned space);

/// The pointer of element `index` of `memref`, of rank 1: in shared memory, or generic.
mlir::Value elementPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref,
                           mlir::Value index);

/// An instruction as the text of assembly, for which there is no operation: it has an effect, and
/// no result.
void createText(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange operands,
                llvm::StringRef text, llvm::StringRef constraints);

/// The fields of a value of LLVM's struct type.
llvm::SmallVector<mlir::Value> fieldsOf(mlir::OpBuilder &builder, mlir::Location loc,
                                        mlir::Value structure);

/// As createText, with a result in the register of each of `tied`, operands after the others, of
/// the given constraint.
llvm::SmallVector<mlir::Value> createTied(mlir::OpBuilder &builder, mlir::Location loc,
                                          mlir::ValueRange operands, llvm::StringRef constraints,
                                          mlir::ValueRange tied, llvm::StringRef constraint,
                                          llvm::StringRef text);

/// A memref of rank 1 that begins at `pointer`. Nobody asks for its size, which is 0.
mlir::Value flatMemref(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type,
                       mlir::Value pointer);

/// Replaces `op` by memref<?xi8, workgroup> over `array`.
void lowerShared(mlir::gpu::DynamicSharedMemoryOp op, mlir::LLVM::GlobalOp array);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOGPU_KERNELPREPARATION_H
