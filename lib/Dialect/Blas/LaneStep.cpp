//===- LaneStep.cpp - K of the lanes of a matrix instruction --------------===//
//
// Neighbouring lanes hold neighbours along K, as many of each as the instruction has.
//
// Four lanes along K and those along M or N that are served with them meet no bank where vectors
// that neighbouring lanes read begin 32 bytes (mod 64) apart, which padding sees to. Of vectors
// that follow each other without gaps, of an odd number of elements of 8 bytes, every fourth one
// does; of twice an odd number every second one.
//
// Lanes of an instruction whose neighbours hold different rows read a vector along K each: all that
// a lane has of it in a slice.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/LaneStep.h"

using namespace rooftile;
using namespace rooftile::blas;

/// Bytes of one access to all banks.
static constexpr int64_t kBankBytes = 128;

/// Whether lanes that hold neighbours along K read vectors of the tile, and only padding or their
/// length decides which banks these lie in.
static bool readsVectors(const OperandTile &tile) {
  return tile.via == Via::Shared && tile.layout.major == Major::MN && tile.swizzle == 0;
}

int64_t blas::laneStep(const tile::Instruction *own, int64_t slicedK, int64_t macroK,
                       const OperandTile &a, const OperandTile &b) {
  if (!own)
    return 1;
  int64_t run = own->runOfK;
  auto readsAlongK = [](const OperandTile &tile) { return tile.layout.major == Major::K; };
  if (own->rowsFirst > 1)
    return readsAlongK(a) || readsAlongK(b) ? own->depth() / own->lanesOfK : run;
  // Most plans have no such vectors, and planning asks of each one.
  if (!(a.layout.flat || b.layout.flat) || !readsVectors(a) || !readsVectors(b) ||
      own->lanesOfK == 1)
    return run;
  int64_t lanes = own->lanesOfK, ofLane = own->depth() / lanes * slicedK;
  int64_t apart = kBankBytes / lanes, most = 0, best = run;
  for (int64_t step = run; step <= lanes * run && ofLane % step == 0; step *= 2) {
    int64_t served = 0; // elements that are read without conflicts
    for (const OperandTile &tile : {a, b}) {
      int64_t apartAlongK = tileStrides(tile.extent, macroK, tile.layout)[1];
      if (step * apartAlongK * own->factors.bytes % (2 * apart) == apart)
        served += tile.extent;
    }
    if (served > most)
      most = served, best = step;
  }
  return best;
}

int64_t blas::laneStep(const PlanData &plan) {
  auto tileOf = [&](const PathData &path, int64_t extent) -> OperandTile {
    return {path.via, extent, layoutOf(path, plan.threads()), path.swizzle};
  };
  return laneStep(plan.instruction, plan.slicedK, plan.macroK, tileOf(plan.a, plan.macroM),
                  tileOf(plan.b, plan.macroN));
}
