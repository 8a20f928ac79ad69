//===- Tiles.h - A call as calls on tiles of C ------------------*- C++ -*-===//
//
// A tile of C needs blocks of A and B:
//
//   gemm              the rows of op(A) and the columns of op(B) that the tile has
//   trmm, trsm        all of A
//   symm, hemm        all of A, and the tile of B that lies where that of C does
//   rank updates      the rows of op(A) and op(B) of the tile's rows, and those of its columns
//
// Tiles of rank updates are squares on the diagonal, which are rank updates again, and rectangles
// beside them, which are products: one of syrk and herk, two of syr2k and her2k.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_TILES_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_TILES_H

#include "Call.h"

#include <vector>

namespace rooftile::interpose {

/// Rows and columns of C.
struct Tile {
  int64_t row = 0, column = 0, rows = 0, columns = 0;
};

/// A block of a stored matrix.
struct Block {
  char *address = nullptr;
  int64_t rows = 0, columns = 0, leading = 0;
};

/// Input of a tile: by operand, blocks for its rows and for its columns, of which some
/// are the same. C has one.
struct Blocks {
  Block a[2], b[2], c;
};

/// Whether C is a triangle, of which tiles are squares and rectangles.
inline bool isRankUpdate(const Call &call) {
  return call.operation.info().sizes == operation::Sizes::NK;
}
/// Whether a square A is needed by all tiles.
inline bool hasSquareA(const Call &call) { return call.operation.info().hasSide; }

/// The blocks in the memory of the caller.
Blocks blocksOf(const Call &call, const Tile &tile);

/// The calls that compute the tile from these blocks, one after the other.
std::vector<Call> callsOf(const Call &call, const Tile &tile, const Blocks &blocks);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_TILES_H
