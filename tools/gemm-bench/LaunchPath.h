//===- LaunchPath.h - The shortest way from a call to a launch --*- C++ -*-===//
//
// A compiled host function waits for each of its launches and allocates what
// lies between them. For timing, many calls are in flight: here streams are the
// default stream, waiting is left to the events around a sample, and memory
// between kernels is kept from call to call, as a caller with a workspace does.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TOOLS_GEMM_BENCH_LAUNCHPATH_H
#define ROOFTILE_TOOLS_GEMM_BENCH_LAUNCHPATH_H

#include <string>
#include <utility>
#include <vector>

namespace rooftile::bench {

/// The runtime's symbols with the above in place of its own.
std::vector<std::pair<std::string, void *>> launchPathSymbols();

/// Gives the kept memory back. No call may be in flight.
void releaseKeptMemory();

} // namespace rooftile::bench

#endif // ROOFTILE_TOOLS_GEMM_BENCH_LAUNCHPATH_H
