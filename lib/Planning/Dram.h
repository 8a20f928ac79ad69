//===- Dram.h - What comes from DRAM, and how fast --------------*- C++ -*-===//
//
// Private to Planning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_DRAM_H
#define ROOFTILE_LIB_PLANNING_DRAM_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

namespace rooftile::planning {

/// (C16) Bytes per second of DRAM for a mix of reads and writes: the measured read, copy and write
/// rates, joined by straight lines.
double dramRate(double bytesRead, double bytesWritten, blas::TargetAttr target);

/// What a step of many workgroups takes from DRAM.
struct DramReads {
  double bytes;
  /// Times that these take, for each time that as many bytes in a stream do.
  double slower;
};

/// (C10) Of `active` workgroups out of `tiles`, which share rows and columns of tiles as the raster
/// says. Workgroups that share a tile read other parts of K.
DramReads dramReads(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                    int64_t tiles, int64_t active);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_DRAM_H
