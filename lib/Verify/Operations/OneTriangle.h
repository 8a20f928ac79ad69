//===- OneTriangle.h - What an operation must leave alone -------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_ONETRIANGLE_H
#define ROOFTILE_VERIFY_OPERATIONS_ONETRIANGLE_H

#include "Engine/OperationRun.h"
#include "rooftile/Verify/Reference/Compare.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::verify {

/// The elements of a square matrix that an operation reads, or writes.
struct OneTriangle {
  Part part = Part::All;
  bool unitDiagonal = false; ///< Without those on the diagonal.
  bool realDiagonal = false; ///< Without imaginary components on the diagonal.

  bool holds(int64_t i, int64_t j) const {
    return belongs(part, i, j) && !(unitDiagonal && i == j);
  }
};

/// Puts zeros into all other elements of a copy of `operand`, which begins with its first element.
void clearRest(void *data, const Operand &operand, const OneTriangle &triangle);

/// Puts NaN into all other elements of a copy of `operand`, which begins with its first element,
/// and into imaginary components that nobody reads.
void poisonRest(void *data, const Operand &operand, const OneTriangle &triangle);

/// Fills the other triangle of C with NaN, where an operation finds it.
void poisonRestOfOutput(OperationRun &run, const OneTriangle &triangle);

/// Adds to `finding` the other elements of C that are not, bit by bit, what they were.
void compareRest(OperationRun &run, const OneTriangle &triangle, Finding &finding);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_ONETRIANGLE_H
