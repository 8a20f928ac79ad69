//===- Registers.h - What an assembler takes (C3) ---------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_FEASIBILITY_REGISTERS_H
#define ROOFTILE_PLANNING_FEASIBILITY_REGISTERS_H

#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::planning {

/// What an assembler takes beside accumulators and staged elements, in 32-bit registers (C3).
struct RegisterNeeds {
  /// For counters, predicates and bases.
  int64_t base;
  /// For the address of each access that is in flight.
  int64_t perLoad;
  /// For each row of op(A), column of op(B), whose place is clamped.
  int64_t perClamp;
  /// Sets of fragments alive at once: one multiplied, (part of) the next on its way.
  double fragmentSets;
  /// Elements of fragments at least: of small ones, several slices are prefetched.
  int64_t leastFragments;
  /// More where sizes are not known.
  int64_t unknown;
  /// What nearly all kernels keep to, for each register of the model: held to fewer, an assembler
  /// would spill.
  double surely;
  /// Accesses of a thread to a tile of C that comes from shared memory, at most: where addresses
  /// are not shared, each takes two registers.
  int64_t accessesOfC;
};

/// What the assembler of a vendor takes beside accumulators and staged elements.
const RegisterNeeds &needsOf(blas::Vendor vendor);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_FEASIBILITY_REGISTERS_H
