//===- KeptMemory.h - Memory between kernels, from call to call -*- C++ -*-===//
//
// A compiled function that needs memory between its kernels takes it from the
// runtime. For timing it is kept from call to call, as by a caller that gives a
// workspace. Calls come from one thread and one stream.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TOOLS_GEMM_BENCH_KEPTMEMORY_H
#define ROOFTILE_TOOLS_GEMM_BENCH_KEPTMEMORY_H

#include <string>
#include <utility>
#include <vector>

namespace rooftile::bench {

/// The runtime's symbols, with kept memory in place of its allocations.
std::vector<std::pair<std::string, void *>> symbolsWithKeptMemory();

/// Gives the kept memory back. No call may be in flight.
void releaseKeptMemory();

} // namespace rooftile::bench

#endif // ROOFTILE_TOOLS_GEMM_BENCH_KEPTMEMORY_H
