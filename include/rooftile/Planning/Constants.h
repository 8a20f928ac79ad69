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
inline constexpr int64_t kAddressRegisters = 20;
/// Registers for the address of each access that is in flight (C3).
inline constexpr int64_t kRegistersPerLoad = 1;
/// Registers for each row of op(A), column of op(B), whose place is clamped (C3).
inline constexpr int64_t kRegistersPerClamp = 2;
/// Sets of fragments alive at once: one multiplied, half of the next on its way (C3).
inline constexpr double kFragmentSets = 1.5;
/// Elements of fragments at least: of small ones, several slices are read ahead (C3).
inline constexpr int64_t kLeastFragments = 24;

/// Times that broadcast may multiply the bytes of one shared-memory clock (C7).
inline constexpr double kBroadcast = 2;
/// Issue slots beside each global load: address, clamp, predicate (C8).
inline constexpr double kAddressSlots = 1;
/// Smallest piece of global memory that moves, in bytes (C9).
inline constexpr int64_t kSectorBytes = 32;
/// Bytes per clock that one unit can take from the L2 cache (C9).
inline constexpr double kUnitBytesPerClock = 64;
/// Share of the L2 cache that operands can hold on to (C10).
inline constexpr double kCacheShare = 0.6;
/// Clocks between the results of two fragment reads of one thread (C11).
inline constexpr double kReadClocks = 2.5;
/// Clocks that a unit idles around a barrier: draining the stores, arrival, release,
/// first fragments (C11).
inline constexpr double kBarrierClocks = 150;
/// Clocks that a unit idles more where it has one workgroup only, which nothing replaces at its
/// barriers (C11).
inline constexpr double kAloneClocks = 100;
/// Clocks that a unit with many subgroups idles for the asynchronous copies of a step (C11).
inline constexpr double kCopyClocks = 300;
/// Share of the waits for fragments that one subgroup a scheduler saves where no store comes
/// between, and the first ones of a step are read before the previous step ends (C11).
inline constexpr double kAheadSaves = 0.5;
/// Clocks of the port of global memory for each line of it that an access touches, through
/// registers and asynchronously (C7).
inline constexpr double kLineClocks = 0.65, kAsyncLineClocks = 1.3;
/// Bytes of such a line.
inline constexpr int64_t kLineBytes = 128;
/// Loss where shared memory and multipliers both are busy, times the ratio of the
/// less to the more busy one (C12).
inline constexpr double kSharedLoss = 0.14;

} // namespace rooftile::planning::constants

#endif // ROOFTILE_PLANNING_CONSTANTS_H
