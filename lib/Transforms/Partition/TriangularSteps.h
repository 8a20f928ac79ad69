//===- TriangularSteps.h - Triangular operations as products ----*- C++ -*-===//
//
// Steps of triangular-split for blas.trmm and blas.trsm beside the kernels of
// one block, after the method of #blas.blocks.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PARTITION_TRIANGULARSTEPS_H
#define ROOFTILE_LIB_TRANSFORMS_PARTITION_TRIANGULARSTEPS_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Triangle of op(A) that may differ from 0: lower or upper.
blas::Structure structureOfEntering(blas::TriangularOpInterface op);

/// Copies one matrix to another one of its sizes. `roles`: what messages call them.
void copyMatrix(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from, mlir::Value to,
                std::array<blas::Role, 2> roles);

/// In the body of a linalg.generic of `rank` loops: one value on the diagonal of the last two.
mlir::Value chooseOnDiagonal(mlir::OpBuilder &builder, mlir::Location loc, int64_t rank,
                             mlir::Value onDiagonal, mlir::Value beside);

/// Makes identities of a batch of square matrices.
void fillWithIdentity(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrices);

/// Memory of the sizes of `matrix` and its order of rows and columns; to be freed by the caller
/// as `memory`.
struct MatrixCopy {
  mlir::Value memory; ///< The allocation.
  mlir::Value matrix; ///< It, in the sizes asked for.
};
MatrixCopy allocateLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix);
/// allocateLike for other sizes, and perhaps another rank, than those of `matrix`.
MatrixCopy allocateLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix,
                        llvm::SmallVector<mlir::OpFoldResult> sizes);

/// Scaling of the diagonal of a block on the way to a copy.
enum class Scaling { None, Rows, Columns };
/// Copies square blocks to `to`, and makes as many identities: by rows, or by columns where
/// `byColumns` is set, as `to` is in memory. Rows, or columns, are multiplied by powers of 2 so
/// that no reciprocal of their diagonals overflows.
void copyScaled(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value blocks,
                std::array<mlir::Value, 2> toAndIdentities, bool byColumns, Scaling scaling);
/// Multiplies rows, or columns, of what `gemm` writes by the powers of 2 of a block.
void scaleResult(mlir::OpBuilder &builder, blas::GemmOp gemm, mlir::Value block, bool byRows);

/// Submatrices of a matrix as a batch: so many, from each to the next of which so many matrices of
/// its last batch dimension, rows and columns are stepped over.
struct Submatrices {
  llvm::SmallVector<int64_t> counts; ///< Sizes of further dimensions of the batch.
  llvm::SmallVector<std::array<int64_t, 3>> steps;
  int64_t row, column;   ///< Offsets of the first matrix.
  int64_t rows, columns; ///< Sizes of each; kWhole: all.
  static constexpr int64_t kWhole = -1;
};
mlir::Value viewSubmatrices(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix,
                            const Submatrices &blocks);

/// blas.trmm as one product, of the triangle as it is, masked, or of a copy with zeros beside it:
///
///   W = triangle of A, in the order in which a product reads it    C = alpha op(W) B
///
/// With blocks on the diagonal only these are masked or copied, and what is beside them is
/// multiplied where it lies. In place B is copied first.
void emitTriangularProduct(mlir::OpBuilder &builder, blas::TriangularOpInterface op);

/// blas.trsm and blas.trmm as blocks on the diagonal, one by one, and products beside it.
void emitTriangularBlocks(mlir::OpBuilder &builder, blas::TriangularOpInterface op);

/// Inverses of blocks on the diagonal of A, as stored.
class DiagonalInverses {
public:
  /// `base`: order of the blocks that are inverted by substitution.
  DiagonalInverses(mlir::OpBuilder &builder, blas::TriangularOpInterface op, int64_t base)
      : builder(builder), loc(op.getLoc()), op(op), base(base) {}

  /// `count` blocks, one after the other from element `start` on.
  struct Run {
    int64_t start, count;
  };
  /// Emits the inverses of all blocks of `runs`, of order `width`, base times a power of 2, scaled
  /// where they would overflow (DiagonalScales). Returns them: the batch of A, blocks, rows and
  /// columns.
  mlir::Value invert(llvm::ArrayRef<Run> runs, int64_t width);
  /// Frees the memory of all of them.
  void free();

private:
  mlir::Value allocate(llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value blocksOfA(Run run, int64_t width);
  mlir::Value copyRuns(llvm::ArrayRef<Run> runs, mlir::Value inverses);
  /// Solves a batch of matrices of order `width`, which are `a` and `inverses`.
  void solveBase(mlir::Value a, mlir::Value inverses, int64_t count, int64_t width);
  void join(mlir::Value a, mlir::Value inverses, int64_t count, int64_t width, int64_t half);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  blas::TriangularOpInterface op;
  int64_t base;
  llvm::SmallVector<mlir::Value> memory;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PARTITION_TRIANGULARSTEPS_H
