//===- TileOutput.h - From the sums of a workgroup to C ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_TILEOUTPUT_H
#define ROOFTILE_LIB_TRANSFORMS_TILEOUTPUT_H

#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Transforms/MacroTile.h"

namespace rooftile {

/// Where the tile of one workgroup lies in C.
struct TileOutput {
  tile::CoordOp coord;     ///< Of the workgroup: batch, first row and column, split.
  mlir::Value row, column; ///< Of the tile, which may have been moved back inside the matrix.
  tile::EdgesAttr edges;
  mlir::Value c; ///< What is written: C, or its slice of partial sums, as a rank 2 memref.
};

/// The matrix, or the slice of partial sums, that workgroup `coord` writes.
mlir::Value viewOutput(mlir::OpBuilder &builder, blas::GemmOp op, const GemmKernel &kernel,
                       tile::CoordOp coord);

/// Does with `sum`, what this workgroup has summed, as the plan of `op` says: C, a slice of
/// partial sums, or additions to C.
void writeTile(mlir::OpBuilder &builder, blas::GemmOp op, const GemmKernel &kernel, mlir::Value sum,
               const TileOutput &output);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_TILEOUTPUT_H
