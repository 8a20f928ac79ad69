//===- Panels.h - A call in parts that can be copied one by one -*- C++ -*-===//
//
// C is cut into tiles, each a product of its own. One factor is on the device from the first tile
// on; of the other and of C, the parts of a tile are copied while the tiles before are computed and
// copied back:
//
//              cut along n                              cut along m
//        |            | |   |   |   |          |___|                  |___|
//    C = |     A      | | B0| B1| B2|      C = | A1|   |     B    |   |___|
//
// The longer side of C is cut, since the factor along it is the larger one. Tiles are small enough
// for a slot of pinned memory; only where a line of C is longer than that, both sides are cut.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_PANELS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_PANELS_H

#include "../Calls/Call.h"
#include "Staging.h"

#include <vector>

namespace rooftile::interpose {

/// The tiles of a call, in the order in which they are computed.
std::vector<Tile> tilesOf(const Call &call);

/// A part of an operand: on the host and, dense, on the device.
struct Part {
  HostBlock host;
  int64_t offset; ///< Bytes from the start of the device's memory.
  int64_t pitch;
  bool isThere = false; ///< On the device, or on its way.
};

/// Where the parts of all operands are.
struct Placement {
  std::vector<Part> a, b; ///< By rows and by columns of tiles; of triangular routines A is blocks.
  std::vector<Part> c;    ///< By tiles.
  int64_t bytes = 0;      ///< Of the device.

  Placement(const Call &call, const std::vector<Tile> &tiles);
  /// The parts that tile `index` reads, without C.
  std::vector<Part *> factorsOf(const Call &call, const Tile &tile);
  /// The call of a tile on the device, whose memory begins at `memory`.
  Call onDevice(const Call &call, const Tile &tile, size_t index, uint64_t memory) const;

private:
  Part place(char *address, int64_t rows, int64_t columns, int64_t leading, int64_t elementBytes);
  void placeTriangle(const Call &call);
  size_t rowOf(const Tile &tile) const { return size_t(tile.row / tileRows); }
  size_t columnOf(const Tile &tile) const { return size_t(tile.column / tileColumns); }

  int64_t tileRows, tileColumns;
};

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_PANELS_H
