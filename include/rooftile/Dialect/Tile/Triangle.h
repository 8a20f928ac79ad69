//===- Triangle.h - The tiles of a triangle ---------------------*- C++ -*-===//
//
// T (T + 1) / 2 of the T x T tiles of a square matrix touch one triangle with its diagonal. Rows of
// tiles p and T - 1 - p have T + 1 of them together. With an empty row before the first one, an odd
// T is paired alike: rows p - 1 and T - 1 - p have T. So the triangle is a rectangle,
//
//   ceil(T / 2) pairs of rows, T | 1 tiles each,
//
// of which an offset is found by one division, in integers.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_TILE_TRIANGLE_H
#define ROOFTILE_DIALECT_TILE_TRIANGLE_H

#include "mlir/IR/Builders.h"

namespace rooftile::tile {

/// Tiles that touch one triangle of T x T tiles: workgroups of each matrix that tile.coord with
/// `triangle` accepts. `along` is T, an integer of any type or an index, and so is the result.
mlir::Value tilesOfTriangle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value along);

/// Tiles for a known T, as a number that does not overflow.
inline double tilesOfTriangle(double along) { return along * (along + 1) / 2; }

} // namespace rooftile::tile

#endif // ROOFTILE_DIALECT_TILE_TRIANGLE_H
