//===- TriangleMask.h - Tiles of a matrix that is a triangle ----*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGLEMASK_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGLEMASK_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// Makes a triangle of a matrix whose memory holds something else beside it, tile by tile, in
/// registers: zeros beside the triangle, ones on the diagonal of a unit one.
class TriangleMask {
public:
  /// Masks tiles of `type`. `structure`: lower, upper, unit_lower or unit_upper. Emits what all
  /// tiles have in common at `builder`.
  TriangleMask(mlir::OpBuilder &builder, mlir::Location loc, tile::MatrixType type,
               blas::Structure structure);

  /// `tile`, whose first element is that at `row` and `column` of the matrix.
  mlir::Value apply(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tile, mlir::Value row,
                    mlir::Value column) const;

private:
  tile::Triangle triangle;
  mlir::Value zeros, ones; ///< No ones where the diagonal is the matrix's own.
};

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGLEMASK_H
