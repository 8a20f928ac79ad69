//===- IsaFacts.h - Instructions of a kernel, counted -----------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_ISAFACTS_H
#define ROOFTILE_BENCH_ISAFACTS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace rooftile::bench {

/// Instructions of a wave in one iteration of a loop, by the unit that they are issued to.
struct IsaFacts {
  int64_t multiplyAdds = 0; ///< Those of a lane: two of a packed instruction.
  int64_t multiplies = 0;   ///< Instructions with them.
  int64_t vector = 0;       ///< Others of the vector unit.
  int64_t scalar = 0;       ///< Those of the scalar unit, branches included, waits not.
  int64_t scalarLoads = 0;
  int64_t globalLoads = 0, globalStores = 0;
  int64_t sharedReads = 0, sharedWrites = 0; ///< Accesses to LDS.
  int64_t waits = 0, barriers = 0;
  /// Instructions from a load of memory to the wait for it, the least: other waves hide the rest of
  /// a latency. 0: no load.
  int64_t loadDistance = 0;
};

/// The loop of assembly for an AMD GPU that has the most multiply-adds; of nested ones the inner
/// one. Nothing where no loop has any.
std::optional<IsaFacts> busiestLoop(llvm::StringRef assembly);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_ISAFACTS_H
