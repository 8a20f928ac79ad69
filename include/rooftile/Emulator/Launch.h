//===- Launch.h - Runs a kernel of a code object ----------------*- C++ -*-===//
#ifndef ROOFTILE_EMULATOR_LAUNCH_H
#define ROOFTILE_EMULATOR_LAUNCH_H

#include "rooftile/Emulator/CodeObject.h"
#include "rooftile/Emulator/Memory.h"

namespace rooftile::emulator {

/// Sizes and arguments of a launch.
struct Launch {
  uint32_t blocks[3] = {1, 1, 1}, threads[3] = {1, 1, 1}; ///< Workgroups, and threads of each.
  uint32_t localBytes = 0;                                ///< Dynamic LDS.
  std::vector<const void *> arguments; ///< Values of Argument::Kind::Value, in order.
  uint64_t seed = 1;                   ///< Seed of the order in which workgroups run.
  /// Instructions of a wave, at most: more is taken for an endless loop.
  uint64_t mostInstructions = uint64_t(1) << 32;
  BankCounter *banks = nullptr; ///< Counts accesses to LDS.
};

/// Runs a kernel to its end. Workgroups run side by side, in an order that the seed shuffles, so
/// that one may wait for another. Returns why not, with the kernel, instruction and wave; empty
/// where all is right.
std::string run(const CodeObject &object, const Kernel &kernel, const Launch &launch,
                GlobalMemory &memory);

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_LAUNCH_H
