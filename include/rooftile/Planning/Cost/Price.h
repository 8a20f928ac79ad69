//===- Price.h - The time of a kernel from its counts -----------*- C++ -*-===//
//
// Private to Planning. docs/CostModel.md, "Cost", has the formula.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_COST_PRICE_H
#define ROOFTILE_PLANNING_COST_PRICE_H

#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Planning/Cost/KernelFacts.h"

namespace rooftile::planning {

/// Rates and latencies of a chip, in clocks of it. What prices read of a target.
struct ChipRates {
  double clocksPerSecond, units, schedulersPerUnit;
  double cacheBytes, cacheBytesOfUnit;     ///< A clock, from the L2 cache: all, and by one unit.
  double readBytes, copyBytes, writeBytes; ///< A clock, of DRAM.
  double cacheLatency, dramLatency;
  double launch; ///< From one launch to the next.

  explicit ChipRates(blas::TargetAttr target);
};

/// (C5) The time of what takes so long each and overlaps.
double overlapped(double exponent, std::initializer_list<double> times);

/// Prices `facts`: fills the seconds of `estimate`, all and by resource, and its bound.
void price(const KernelFacts &facts, const ChipRates &chip,
           const blas::CalibrationData &calibration, Estimate &estimate);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_PRICE_H
