//===- Raster.cpp - The order in which workgroups walk the tiles ----------===//

#include "rooftile/Planning/Space/Raster.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

static int64_t times(int64_t tiles, int64_t batch) {
  return std::min<uint64_t>(llvm::SaturatingMultiply<uint64_t>(tiles, batch), INT64_MAX);
}

int64_t planning::walkedM(const Problem &problem, const Plan &plan) {
  bool above = problem.a.batched && !problem.b.batched;
  return times(llvm::divideCeil(problem.m, plan.macroM), above ? problem.batch : 1);
}

int64_t planning::walkedN(const Problem &problem, const Plan &plan) {
  bool beside = problem.b.batched && !problem.a.batched;
  return times(llvm::divideCeil(problem.n, plan.macroN), beside ? problem.batch : 1);
}

/// Tiles along M at most; and where the cache holds A and B but not C, so that what is written at
/// the same time are long pieces of few rows.
static constexpr int64_t kMostRaster = 16, kWritingRaster = 2;

/// The largest that a plan may state.
static constexpr int64_t kStatedRaster = 1 << 20;

int64_t planning::chooseRaster(const Problem &problem, const Plan &plan, int64_t residentTiles,
                               blas::TargetAttr target) {
  if (problem.triangle)
    return 1; // its tiles are walked in an order of their own
  int64_t tilesM = walkedM(problem, plan);
  bool writes =
      isCached(problem.bytesOfOperands(), target) && !isCached(problem.bytesOfC(), target);
  int64_t most = writes ? kWritingRaster : kMostRaster;
  double side = std::sqrt(double(residentTiles) * plan.macroN / plan.macroM);
  int64_t raster = 1;
  while (raster * 1.5 < side && raster < most && raster * 2 <= tilesM)
    raster *= 2;
  return raster;
}

llvm::SmallVector<int64_t> planning::rasters(const Problem &problem, const Plan &plan,
                                             int64_t residentTiles, blas::TargetAttr target) {
  llvm::SmallVector<int64_t> all{chooseRaster(problem, plan, residentTiles, target)};
  if (problem.triangle)
    return all;
  if (problem.triangularA)
    while (all.back() > 1)
      all.push_back(all.back() / 2);
  else if (problem.triangularB)
    for (int64_t tilesM = std::min(walkedM(problem, plan), kStatedRaster); all.back() < tilesM;)
      all.push_back(std::min(all.back() * 2, tilesM));
  return all;
}
