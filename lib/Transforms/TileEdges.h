//===- TileEdges.h - Where tiles meet the edge of a matrix ------*- C++ -*-===//
//
// Of the macro tiles of a planned blas.gemm along M and N (`dim` 0, 1).
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_TILEEDGES_H
#define ROOFTILE_LIB_TRANSFORMS_TILEEDGES_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// The last tile is moved back inside the matrix.
bool overlaps(blas::GemmOp op, int dim);

/// What happens at the edge of C: `otherwise` where no tile crosses it.
tile::Edge edgeOf(blas::GemmOp op, int dim, tile::Edge otherwise);

/// Of loads: what lies beyond the last row of op(A), or column of op(B), may be padding that there
/// is.
tile::Edge loadEdgeOf(blas::GemmOp op, int dim);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_TILEEDGES_H
