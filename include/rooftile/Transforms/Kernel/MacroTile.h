//===- MacroTile.h - One kernel per operation -------------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_MACROTILE_H
#define ROOFTILE_TRANSFORMS_KERNEL_MACROTILE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Transforms/Kernel/KernelInterface.h"

namespace rooftile {

/// Replaces a planned product on memrefs by a gpu.launch_func of a new kernel
/// in a new gpu.module of `module`. Errors are located on the operation, which
/// then stays as it was.
llvm::LogicalResult macroTile(blas::ProductOpInterface op, mlir::ModuleOp module);

/// Makes the kernel of a planned blas.reduce, and of a planned blas.pack.
llvm::LogicalResult macroTile(blas::ReduceOp op, mlir::ModuleOp module);
llvm::LogicalResult macroTile(blas::PackOp op, mlir::ModuleOp module);

/// An operand and the name it has in messages.
using NamedOperand = std::pair<llvm::StringRef, mlir::Value>;

/// Success if a kernel can be launched where `op` stands, on its operands: by sequential code of
/// the host, in the default memory space; else a located error.
llvm::LogicalResult checkPlace(mlir::Operation *op, mlir::ModuleOp module,
                               llvm::ArrayRef<NamedOperand> operands);

/// Success if the addresses of each batch by pointers are those of the blas.batch that makes it.
llvm::LogicalResult checkPointers(mlir::Operation *op, llvm::ArrayRef<NamedOperand> operands);

/// Success if a unit accumulates in type `sum` and rounds that to `c` in one step; else an error in
/// which the texts stand before the types.
llvm::LogicalResult checkRounding(mlir::Operation *op, mlir::Type sum, mlir::Type c,
                                  llvm::StringRef sumText, llvm::StringRef cText);

/// Sizes that determine the number of workgroups.
struct Grid {
  llvm::ArrayRef<int64_t> sizes;                        ///< Output: [batch,] rows, columns.
  llvm::ArrayRef<int64_t> tile;                         ///< Rows and columns of it per workgroup.
  int64_t splits = 1;                                   ///< Workgroups for one tile.
  blas::Structure structure = blas::Structure::General; ///< Part of it that is covered.
  int64_t matrices = 1;                                 ///< Matrices of a batch in one workgroup.
};

/// The grid of a product: slices of partial sums are its splits.
Grid gridOf(blas::ProductOpInterface op, llvm::ArrayRef<int64_t> tile, int64_t splits);

/// Success if `grid` has fewer than 2^31 workgroups, else an error in which `whose` stands before
/// the tiles. Where sizes are dynamic the launch checks it.
llvm::LogicalResult checkGrid(mlir::Operation *op, llvm::StringRef whose, const Grid &grid);

/// Success if a workgroup of the module's target, or where there is none of any launch, can have
/// `bytes` of shared memory; else an error in which `whose` stands before them.
llvm::LogicalResult checkShared(mlir::Operation *op, llvm::StringRef whose, int64_t bytes);

/// Success if macroTile can lower `op`, else located errors that name operand and values.
llvm::LogicalResult checkMacroTile(blas::ProductOpInterface op, mlir::ModuleOp module);

/// Shared memory of one workgroup of a planned operation, in bytes.
int64_t sharedBytesOf(blas::ProductOpInterface op);

/// The operands of a product as seen from inside its kernel, and the sizes of the product.
struct ProductKernel {
  ProductKernel(mlir::OpBuilder &builder, blas::ProductOpInterface op,
                const KernelInterface::Arguments &arguments);

  const KernelInterface::Arguments &arguments;
  KernelInterface::Matrix a, b, c;
  mlir::OpFoldResult m, n, k;
  mlir::Value alpha, beta; // null when absent
};

/// Writes the tile program of `op`, whose operands are `arguments`, where `builder` stands.
void emitTileProgram(mlir::OpBuilder &builder, blas::ProductOpInterface op,
                     const KernelInterface::Arguments &arguments);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_MACROTILE_H
