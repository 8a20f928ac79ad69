//===- Units.h - Quantities with units --------------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_UNITS_H
#define ROOFTILE_PLANNING_SEARCH_UNITS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace rooftile::planning {

/// 1.20 s, 2.63 ms, 41.2 us, 54 ns
std::string duration(double seconds);

/// 512 bytes, 52.0 KiB, 1.5 MiB, 140.0 GiB, 2.0 TiB
std::string byteCount(double bytes);

/// 20.1 GFLOP/s, 41.2 TFLOP/s, 1.3 PFLOP/s
std::string flopRate(double flopsPerSecond);

/// 1 workgroup, 3 workgroups
std::string counted(int64_t count, llvm::StringRef noun);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_UNITS_H
