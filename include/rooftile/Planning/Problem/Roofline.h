//===- Roofline.h - Rates of multipliers and of memory ----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PROBLEM_ROOFLINE_H
#define ROOFTILE_PLANNING_PROBLEM_ROOFLINE_H

#include "rooftile/Planning/Problem/Problem.h"

namespace rooftile::planning {

/// The least time that the hardware allows, whatever the plan (C1).
struct Roofline {
  double computeSeconds = 0; ///< flops / the ceiling of the multipliers.
  double memorySeconds = 0;  ///< Bytes that must move / DRAM bandwidth.
  double flopsPerSecond = 0; ///< The ceiling itself.
  bool computeBound() const { return computeSeconds >= memorySeconds; }
  double seconds() const { return std::max(computeSeconds, memorySeconds); }
};

/// The roofline of `problem` on `target` (C1).
Roofline roofline(const Problem &problem, blas::TargetAttr target);

/// Multiply-adds of a unit in a clock, of real elements of so many bytes: the rate of the chip.
int64_t fmaPerClock(int64_t realBytes, blas::TargetAttr target);

/// FMAs per second that the device sustains for real elements of that width.
double fmaPerSecond(int64_t realBytes, blas::TargetAttr target);

/// Multiply-adds of a lane in one instruction, at that rate.
int64_t packedFmas(int64_t realBytes, blas::TargetAttr target);

/// Those of instructions that make one each: fewer for f32 where the chip packs them.
double singleFmaPerSecond(int64_t realBytes, blas::TargetAttr target);

/// Bytes per second of DRAM for a mix of reads and writes: the measured read, copy and write rates,
/// joined by straight lines.
double dramRate(double bytesRead, double bytesWritten, blas::TargetAttr target);

/// Whether `bytes` of memory stay in the L2 cache between two accesses.
bool isCached(double bytes, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_ROOFLINE_H
