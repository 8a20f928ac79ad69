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

std::optional<LinesOfK> blas::linesOfK(Via via, int64_t extent, int64_t macroK, LineLayout layout) {
  if (via == Via::Register || layout.major == Major::K)
    return std::nullopt;
  return LinesOfK{extent, tileStrides(extent, macroK, layout)[1], layout.flat != 0};
}

int64_t blas::laneStep(const tile::Instruction &own, int64_t groups, std::optional<LinesOfK> a,
                       std::optional<LinesOfK> b) {
  if (!a || !b || !(a->flat || b->flat) || own.lanesOfK() == 1)
    return 1;
  int64_t lanes = own.lanesOfK(), ofLane = own.depth() / lanes * groups;
  int64_t apart = kBankBytes / lanes, most = 0, best = 1;
  for (int64_t step = 1; step <= lanes && ofLane % step == 0; step *= 2) {
    int64_t served = 0; // elements that are read without conflicts
    for (const LinesOfK &lines : {*a, *b})
      if (step * lines.stride * kElementBytes % (2 * apart) == apart)
        served += lines.extent;
    if (served > most)
      most = served, best = step;
  }
  return best;
}
