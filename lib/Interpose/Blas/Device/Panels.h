//===- Panels.h - A call in panels that are copied one by one ---*- C++ -*-===//
//
// C is cut into tiles (Calls/Tiles.h). One factor is on the device from the first tile on; of the
// other and of C, the panels of a tile are copied while the tiles before are computed and copied
// back:
//
//              cut along n                              cut along m
//        |            | |   |   |   |          |___|                  |___|
//    C = |     A      | | B0| B1| B2|      C = | A1|   |     B    |   |___|
//
// The longer side of C is cut, since the factor along it is the larger one; where A is square, the
// side along which it is not. Tiles are small enough for a slot of pinned memory; only where a row
// of C is longer than that, both sides are cut. A triangle of C is cut along both sides, into
// squares on the diagonal and beside it.
//
// Each of several GPUs has tiles that follow each other, and its own copies of what these need.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_PANELS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_PANELS_H

#include "../Calls/Tiles.h"
#include "Staging.h"

#include <map>
#include <vector>

namespace rooftile::interpose {

/// The tiles of a call that `gpus` share, in the order in which they are computed.
std::vector<Tile> tilesOf(const Call &call, size_t gpus);
/// Cuts the list of tiles into lists of about the same work, one for each GPU; none is empty.
std::vector<std::vector<Tile>> sharesOf(const std::vector<Tile> &tiles, size_t gpus);
/// Bytes of operands that each GPU needs as a whole, whatever tiles it has.
double bytesForAllTiles(const Call &call);

/// A panel of an operand: on the host and, dense, on the device.
struct Part {
  Block block;
  HostBlock host;
  int64_t offset; ///< Bytes from the start of the device's memory.
  int64_t pitch;
  bool isThere = false; ///< On the device, or on its way.
};

/// The panels of all operands that some tiles need. The call and its tiles outlive it.
class Placement {
public:
  Placement(const Call &call, const std::vector<Tile> &tiles);
  /// The panels that a tile reads, without C.
  std::vector<Part *> factorsOf(const Tile &tile, size_t index);
  /// The blocks of a tile on the device, whose memory begins at `memory`.
  Blocks onDevice(const Tile &tile, size_t index, uint64_t memory) const;

  std::vector<Part> c; ///< By tiles.
  int64_t bytes = 0;   ///< Bytes on the device.

private:
  Part place(const Block &block);
  void placeSquare(const Block &block);
  void placeOnce(std::map<int64_t, Part> &parts, int64_t start, const Block &block);
  void placeFactors(const Tile &tile, size_t index, const Blocks &blocks);

  const Call &call;
  /// By the row or column of C where a tile begins. Of a square A, blocks of columns; beside it, B
  /// by tiles.
  std::map<int64_t, Part> a, b;
};

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_PANELS_H
