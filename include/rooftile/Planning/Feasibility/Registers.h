//===- Registers.h - What an assembler takes (C3) ---------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_FEASIBILITY_REGISTERS_H
#define ROOFTILE_PLANNING_FEASIBILITY_REGISTERS_H

#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::planning {

/// What an assembler takes beside accumulators and staged elements, in 32-bit registers (C3): what
/// a kernel has of each is counted, whatever it computes.
struct RegisterNeeds {
  /// For counters, predicates and bases.
  double base;
  /// More where asynchronous copies run ahead of the multiplications: stages and steps that are
  /// left.
  double ring;
  /// For the address of a load of A or B: most are made from another; and of an asynchronous one
  /// where strides are not known.
  double perLoad, perUnknownCopy;
  /// For each row of op(A), column of op(B), whose place is clamped at run time.
  double perClamp;
  /// Sets of fragments alive at once: one multiplied, (part of) the next on its way.
  double sets;
  /// Small sets are read further ahead: real numbers that then are on their way, and the K elements
  /// that they are of at most.
  double leastReals, mostAhead;
  /// What it can do without where it is held to fewer: it computes addresses again.
  int64_t spared;
  /// What nearly all kernels take at least, for each register of the model.
  double least;
  /// What nearly all kernels keep to, for each register of the rest: held to fewer, an assembler
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
