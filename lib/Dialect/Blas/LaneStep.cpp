//===- LaneStep.cpp - K of the lanes of a matrix instruction --------------===//
//
// Four lanes along K and four along M or N are served together, 8 bytes each. They meet no bank
// where lines that neighbouring lanes read begin 32 bytes (mod 64) apart, which padding sees to. Of
// lines that follow each other without gaps, of an odd number of elements, every fourth one does;
// of twice an odd number every second one.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/LaneStep.h"

using namespace rooftile;
using namespace rooftile::blas;

/// Bytes of one access to all banks, and of an element of the instructions that there are (f64).
static constexpr int64_t kBankBytes = 128, kElementBytes = 8;

/// Whether lanes that hold neighbours along K read lines of the tile, and only padding or their
/// length decides which banks these lie in.
static bool readsLines(const OperandTile &tile) {
  return tile.via == Via::Shared && tile.layout.major == Major::MN && tile.swizzle == 0;
}

int64_t blas::laneStep(const tile::Instruction *own, int64_t slicedK, int64_t macroK,
                       const OperandTile &a, const OperandTile &b) {
  // Most plans have no such lines, and planning asks of each one.
  if (!own || !(a.layout.flat || b.layout.flat) || !readsLines(a) || !readsLines(b) ||
      own->lanesOfK() == 1)
    return 1;
  int64_t lanes = own->lanesOfK(), ofLane = own->depth() / lanes * slicedK;
  int64_t apart = kBankBytes / lanes, most = 0, best = 1;
  for (int64_t step = 1; step <= lanes && ofLane % step == 0; step *= 2) {
    int64_t served = 0; // elements that are read without conflicts
    for (const OperandTile &tile : {a, b}) {
      int64_t line = tileStrides(tile.extent, macroK, tile.layout)[1];
      if (step * line * kElementBytes % (2 * apart) == apart)
        served += tile.extent;
    }
    if (served > most)
      most = served, best = step;
  }
  return best;
}
