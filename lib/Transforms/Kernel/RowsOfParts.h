//===- RowsOfParts.h - Where the parts of elements lie ----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_ROWSOFPARTS_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_ROWSOFPARTS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Transforms/Kernel/KernelInterface.h"

namespace rooftile {

/// Where the rows of a tile lie in a matrix in parts (#blas.parts), whose blocks of all chunks have
/// `rows` rows together. `row`: the first of the tile, which lies in one chunk.
class RowsOfParts {
public:
  RowsOfParts(mlir::OpBuilder &builder, mlir::Location loc, blas::PartsAttr parts,
              mlir::OpFoldResult rows, mlir::Value row);
  int64_t getBlocks() const { return parts.getOrder().size(); }
  /// The first row of the tile in a block.
  mlir::Value getRow() const { return inside; }
  /// A block of the chunk, as a matrix of its own.
  KernelInterface::Matrix blockOf(const KernelInterface::Matrix &all, int64_t block) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  blas::PartsAttr parts;
  mlir::Value begin, inside;
  mlir::OpFoldResult length; ///< Rows of the chunk.
};

/// `edges` of a tile of op(A) of `rows` rows, where `ofBlock` are stored: zeros beyond.
tile::EdgesAttr withZeroRows(tile::EdgesAttr edges, mlir::OpFoldResult rows,
                             mlir::OpFoldResult ofBlock);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_ROWSOFPARTS_H
