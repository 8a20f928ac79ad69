//===- Plan.h - The way of an operand in the plan of a case -----*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_PLAN_H
#define ROOFTILE_VERIFY_CASES_PLAN_H

#include "rooftile/Verify/Cases/Case.h"

namespace rooftile::verify {

/// A power of two that divides `value`, at most `limit`.
int64_t powerOf2Factor(int64_t value, int64_t limit);

/// Whether an operand is copied first.
bool isPacked(const Case &single, int operand);

/// `wish` elements of an operand, within accesses of 16 bytes in memory, where the addresses of
/// matrices may be aligned to less.
int64_t accessWithin(const Case &single, int operand, int64_t wish);

/// The runs of fragments that the case asks for.
int64_t fragmentVector(const Case &single);

/// The widest global access, up to the one that the case asks for, that an operand's layout and the
/// plan's tile allow; `aligned`: what is dynamic allows any.
int64_t loadWidth(const Case &single, int operand, bool aligned);

/// <via = shared, copy = async, vector = 4, pad = 0>, for such accesses.
std::string pathText(const Case &single, int operand, bool aligned);

/// How the tile of C reaches memory.
std::string outputText(const Case &single);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_PLAN_H
