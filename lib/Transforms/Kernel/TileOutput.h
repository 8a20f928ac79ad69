//===- TileOutput.h - From the accumulators of a workgroup to C -*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEOUTPUT_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEOUTPUT_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"

namespace rooftile {

/// Where the tile of one workgroup lies in C.
struct TileOutput {
  tile::CoordOp coord;     ///< First row and column, and split, of the workgroup.
  mlir::Value batch;       ///< The matrix, of the workgroup or of a thread.
  mlir::Value row, column; ///< First of the tile, which may have been moved back inside the matrix.
  tile::EdgesAttr edges;
  mlir::Value c; ///< Output: C, or its slice of partial sums, as a rank 2 memref.
};

/// The matrix of a batch, and which share of its K; null: all of K.
struct OutputPlace {
  mlir::Value batch, split;
};

/// The matrix, or the slice of partial sums, that is written.
mlir::Value viewOutput(mlir::OpBuilder &builder, blas::ProductOpInterface op,
                       const ProductKernel &kernel, OutputPlace place);

/// Writes `sum`, the accumulators of this workgroup, by the plan of `op`: to C, a slice of
/// partial sums, as additions to C, or by an exchange in the cluster and a share of C.
void writeTile(mlir::OpBuilder &builder, blas::ProductOpInterface op, const ProductKernel &kernel,
               mlir::Value sum, TileOutput output);

//===----------------------------------------------------------------------===//
// Accumulators of shares of K, one above the other
//===----------------------------------------------------------------------===//

/// Partial sums of one tile, which the threads of a workgroup hold for `count` shares of K: a
/// matrix of count * rows x columns elements.
struct PartialSums {
  mlir::Value sums;
  int64_t count = 1, rows = 1, columns = 1;
  int64_t vector = 1;   ///< Elements of one access to the result at most.
  int64_t threads = 1;  ///< Threads of the workgroup.
  bool cluster = false; ///< Others may read them: rows lie without gaps.
  /// Workgroups of the cluster that hold accumulators of the same tile, and which this one is
  /// (null: there is one). It adds up rows split * rows / ranks and following of all of them.
  int64_t ranks = 1;
  mlir::Value split;

  /// Threads, and accesses, of one of so many workgroups that add up the tile.
  blas::ExchangeShare shareOf(int64_t workgroups) const {
    return blas::exchangeShare(rows / workgroups, columns, threads, vector);
  }
  /// Elements of one access to the result.
  int64_t accessVector() const { return shareOf(ranks).vector; }
};

/// Adds up the shares through shared memory, over the rings of A and B, in an order that is always
/// the same: the tile, or this workgroup's rows of it, in rows of neighbouring threads. Where it
/// has fewer elements than there are threads, several hold the same one.
mlir::Value addPartialSums(mlir::OpBuilder &builder, mlir::Location loc, PartialSums stacked);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEOUTPUT_H
