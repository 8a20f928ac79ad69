//===- Estimate.h - Predicted time of a plan --------------------*- C++ -*-===//
//
// Seconds of a plan before it exists, from the target's figures alone. The
// formulas are numbered in docs/CostModel.md; (C1) .. (C16) refer to it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_COST_ESTIMATE_H
#define ROOFTILE_PLANNING_COST_ESTIMATE_H

#include "rooftile/Planning/Feasibility/Occupancy.h"

namespace rooftile::planning {

/// Resource that limits a step of the K loop.
enum class Bound { Fma, Issue, Shared, L2, Dram, Latency };
inline constexpr int kBounds = 6;

/// Name for messages: "FMA units", "issue slots", "shared memory", ...
llvm::StringRef toString(Bound bound);

/// Prediction for one plan. Times in seconds.
struct Estimate {
  double seconds = 0;               ///< Launch, all waves, all epilogues (C14).
  double deviceSeconds = 0;         ///< Seconds where launches are ahead of the device.
  double launchSeconds = 0;         ///< Its share for the launch.
  double epilogueSeconds = 0;       ///< Its share for reading and writing C.
  double beginSeconds = 0;          ///< Until the last workgroup has begun, at least.
  double stepSeconds[kBounds] = {}; ///< All steps, as if each bound were the only one.
  Bound bound = Bound::Fma;         ///< The largest of them.
  int64_t tiles = 0;                ///< Workgroups of the grid.
  double waves = 0;                 ///< tiles / workgroups resident at once.
  double dramBytes = 0; ///< Bytes of A and B that come from DRAM under this raster (C10).
  double l2HitRate = 0; ///< Share of the loads of A and B that the L2 cache serves (C10).
  Occupancy occupancy;
};

/// Residency of `plan` on a unit: of the real product where it is induced, of packed operands where
/// it packs.
Occupancy residentOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// (C28) `modelled` with no time below that of the roofline of `problem`.
Estimate notBelowRoofline(Estimate modelled, const Problem &problem, blas::TargetAttr target);

/// Seconds of `plan`, which must have passed check().
Estimate estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target);
/// The estimate where a unit holds the workgroups of `resident`.
Estimate estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                  const Occupancy &resident);

/// Residency if the assembler uses all registers that the residency of `plan` leaves, which was
/// chosen for the tiles of one size: more workgroups may then have no room.
Occupancy surelyHeld(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Seconds of the kernels that copy what `plan` packs, and of memory for the copies where none is
/// given.
double packSeconds(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// (C23) Instructions of one thread that are compiled for `plan`, those outside of the steps left
/// out; each further kernel counts as an empty one.
double codeOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// (C22) Time of a kernel of `plan` for dynamic sizes, in terms that host code can
/// evaluate; `problem` stands for them.
blas::PriceAttr wavePrice(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_ESTIMATE_H
