//===- Price.h - The time of a kernel from its counts -----------*- C++ -*-===//
//
// Private to Planning. docs/CostModel.md, "Cost", has the formula.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_COST_PRICE_H
#define ROOFTILE_PLANNING_COST_PRICE_H

#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Planning/Cost/KernelFacts.h"

namespace rooftile::planning {

/// Rates and latencies of a chip, in clocks of it, and the cost of each for its kernels: all that
/// prices read of a target.
struct ChipRates {
  double clocksPerSecond, units, schedulersPerUnit;
  double cacheBytes, cacheBytesOfUnit;     ///< A clock, from the L2 cache: all, and by one unit.
  double repeatedBytes;                    ///< A clock, of what several units read at a time.
  double readBytes, copyBytes, writeBytes; ///< A clock, of DRAM.
  double cacheLatency, dramLatency;
  double launch;    ///< From one launch to the next.
  double workgroup; ///< From one workgroup that a launch begins to the next.
  blas::CalibrationData per;

  explicit ChipRates(blas::TargetAttr target);
};

/// (C5) The time of activities that last so long each and overlap.
double overlapped(std::initializer_list<double> times);

/// Seconds of a kernel.
double secondsOf(const KernelFacts &facts, const ChipRates &chip);

/// Seconds of a kernel with that residency, and their components.
Estimate price(const KernelFacts &facts, const ChipRates &chip, const Occupancy &occupancy);

/// Clocks of one K step of a wave, of what is not a step, and of what comes once (C22).
struct WaveClocks {
  double step, rest, start;
};

/// Clocks of the last wave of `facts`; `followed`: other ones follow it.
WaveClocks waveClocks(const KernelFacts &facts, const ChipRates &chip, bool followed);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_PRICE_H
