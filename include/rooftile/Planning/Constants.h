//===- Constants.h - The figures of the model that no chip states -*- C++ -*-===//
//
// Everything a measurement may change, in one place. Chip figures are in
// #blas.target; these describe the kernels that Rooftile emits, and how the
// parts of a step overlap. docs/CostModel.md says where each was fitted.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_CONSTANTS_H
#define ROOFTILE_PLANNING_CONSTANTS_H

#include <cstdint>

namespace rooftile::planning::constants {

/// Registers of a thread for counters, predicates and bases (C3).
inline constexpr int64_t kAddressRegisters = 12;
/// Registers for the address of each access that is in flight (C3).
inline constexpr int64_t kRegistersPerLoad = 1;
/// Sets of fragments alive at once: one multiplied, one on its way (C3).
inline constexpr int64_t kFragmentSets = 2;

/// Share of a thread's registers above which the assembler starts to give up
/// overlap for room, and the slowdown of the multiplications at the limit (C6).
inline constexpr double kPressureStart = 0.85;
inline constexpr double kPressureLoss = 0.22;

/// Times that broadcast may multiply the bytes of one shared-memory clock (C7).
inline constexpr double kBroadcast = 2;
/// Issue slots of one step that neither load nor multiply: loop, addresses (C8).
inline constexpr double kLoopSlots = 16;
/// Issue slots beside each global load: address, clamp, predicate (C8).
inline constexpr double kAddressSlots = 2;
/// Smallest piece of global memory that moves, in bytes (C9).
inline constexpr int64_t kSectorBytes = 32;
/// Bytes per clock that one unit can take from the L2 cache (C9).
inline constexpr double kUnitBytesPerClock = 64;
/// Share of the L2 cache that operands can hold on to (C10).
inline constexpr double kCacheShare = 0.6;
/// Slices whose fragments are on their way while one is multiplied (C11).
inline constexpr double kSlicesAhead = 0;
/// Clocks between the results of two fragment reads of one thread (C11).
inline constexpr double kReadClocks = 4;
/// Clocks of one barrier: arrival, release and refilling the pipelines (C11).
inline constexpr double kBarrierClocks = 30;
/// Share of the shared-memory clocks that multiplications do not hide (C12).
inline constexpr double kSharedLoss = 0.55;
/// Share of L2 and DRAM time that the rest of a step does not hide (C12).
inline constexpr double kMemoryLoss = 0.05;
/// Share of its time that one subgroup alone on a scheduler stalls; each further
/// subgroup there fills some of it (C12).
inline constexpr double kStallShare = 0.10;

} // namespace rooftile::planning::constants

#endif // ROOFTILE_PLANNING_CONSTANTS_H
