//===- Probe.h - The figures of the chip at hand ----------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_PROBE_H
#define ROOFTILE_BENCH_PROBE_H

#include "rooftile/Bench/Figures.h"
#include "llvm/Support/Error.h"

namespace rooftile::bench {

/// Measures the GPU: everything that its driver states, and by kernels, clocks
/// under load, rates, bandwidths and latencies. What neither gives (granules, which instructions
/// there are) is that of the nearest relative, the known NVIDIA chip whose compute capability is
/// the highest up to its own. `name`: what the chip is to be called; empty: as it is known, else by
/// its driver's name. Progress goes to stderr. An error names what could not be measured.
llvm::Expected<Figures> probe(llvm::StringRef name, mlir::MLIRContext &context);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_PROBE_H
