//===- Estimate.h - How long a plan takes -----------------------*- C++ -*-===//
//
// Seconds of a plan before it exists, from the target's figures alone. The
// formulas are numbered in docs/CostModel.md; (C1) .. (C16) refer to it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_ESTIMATE_H
#define ROOFTILE_PLANNING_ESTIMATE_H

#include "rooftile/Planning/Occupancy.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// The least time that the hardware allows, whatever the plan (C1).
struct Roofline {
  double computeSeconds = 0; ///< flops / the ceiling of the multipliers.
  double memorySeconds = 0;  ///< Bytes that must move / DRAM bandwidth.
  double flopsPerSecond = 0; ///< The ceiling itself.
  bool computeBound() const { return computeSeconds >= memorySeconds; }
  double seconds() const { return std::max(computeSeconds, memorySeconds); }
};

/// What a step of the K loop waits for.
enum class Bound { Fma, Issue, Shared, L2, Dram, Latency };
inline constexpr int kBounds = 6;

/// Name for messages: "FMA units", "issue slots", "shared memory", ...
llvm::StringRef toString(Bound bound);

/// Prediction for one plan. Times in seconds.
struct Estimate {
  double seconds = 0;               ///< Launch, all waves, all epilogues (C14).
  double launchSeconds = 0;         ///< Of it: the launch.
  double epilogueSeconds = 0;       ///< Of it: reading and writing C.
  double stepSeconds[kBounds] = {}; ///< All steps, as if each bound were the only one.
  Bound bound = Bound::Fma;         ///< The largest of them.
  int64_t tiles = 0;                ///< Workgroups of the grid.
  double waves = 0;                 ///< tiles / workgroups resident at once.
  double dramBytes = 0; ///< Bytes of A and B that come from DRAM under this raster (C10).
  double l2HitRate = 0; ///< Share of the loads of A and B that the L2 cache serves (C10).
  Occupancy occupancy;
};

/// The roofline of `problem` on `target` (C1).
Roofline roofline(const Problem &problem, blas::TargetAttr target);

/// Seconds of `plan`, which must have passed check().
Estimate estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// The raster that keeps the macro tiles resident together nearest to a square (C15).
int64_t chooseRaster(const Problem &problem, const Plan &plan, int64_t residentTiles,
                     blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_ESTIMATE_H
