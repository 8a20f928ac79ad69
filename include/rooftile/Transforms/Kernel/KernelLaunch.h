//===- KernelLaunch.h - A kernel's function and its launch ------*- C++ -*-===//
//
// Shared by all operations that become kernels: a gpu.func with its contract in a gpu.module of its
// own, and the gpu.launch_func that replaces the operation.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_KERNELLAUNCH_H
#define ROOFTILE_TRANSFORMS_KERNEL_KERNELLAUNCH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Transforms/Kernel/KernelInterface.h"

namespace rooftile {

/// The fixed part of a launch; see #blas.contract.
struct KernelShape {
  std::string name;                ///< Made unique in the module.
  llvm::SmallVector<int64_t> tile; ///< Rows and columns of the output per workgroup.
  int64_t workgroup = 1;           ///< Threads.
  int64_t sharedBytes = 0;         ///< Dynamic shared memory.
  int64_t residency = 1;           ///< Workgroups that are to fit on a unit.
  int64_t splits = 1;              ///< Workgroups for one tile.
  int64_t matrices = 1;            ///< Matrices of a batch in one workgroup.
  int64_t cluster = 1;             ///< Neighbours of the grid that are launched together.
  blas::Structure structure = blas::Structure::General; ///< Part of C that its tiles cover.
};

/// A kernel with the arguments of `interface`, in a new gpu.module of `module`; its body is
/// a lone gpu.return, before which the caller writes. All roles but C are only read.
mlir::gpu::GPUFuncOp createKernel(mlir::ModuleOp module, mlir::Location loc,
                                  const KernelInterface &interface, const KernelShape &shape);

/// Facts of a launch beside its contract.
struct Launch {
  mlir::SymbolRefAttr kernel;
  mlir::ValueRange operands;
  mlir::Value output;     ///< C, a memref; its sizes and the contract make the grid.
  int64_t firstBatch = 0; ///< The first dimension of C that counts: slices are splits.
  mlir::Value condition;  ///< Launches nothing where it is false; null: none.
};

/// Launches ceil(batch / matrices) * ceil(M / tile[0]) * ceil(N / tile[1]) * splits workgroups of
/// `contract`, or of each matrix those of a triangle (tile::tilesOfTriangle); none for an output
/// without elements.
void createLaunch(mlir::OpBuilder &builder, mlir::Location loc, blas::ContractAttr contract,
                  const Launch &launch);

/// Launches `kernel` on what `interface` holds, where its pointers are aligned as it assumes.
void createLaunch(mlir::OpBuilder &builder, mlir::gpu::GPUFuncOp kernel,
                  const KernelInterface &interface, mlir::Value output, int64_t firstBatch = 0);

/// Room for `count` values of `type` on the stack of the host function in which `builder` stands,
/// allocated once a call: a launch may stand in a loop.
mlir::Value reserveOnStack(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                           int64_t count);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_KERNELLAUNCH_H
