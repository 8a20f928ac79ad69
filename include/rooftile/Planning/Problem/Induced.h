//===- Induced.h - Complex products as real ones ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PROBLEM_INDUCED_H
#define ROOFTILE_PLANNING_PROBLEM_INDUCED_H

#include "rooftile/Planning/Problem/Problem.h"

namespace rooftile::planning {

/// A copy of `matrix` in rows of whole accesses, along M (A) or N (B), or along K.
Matrix copyOf(Matrix matrix, bool alongK);

/// The product of the 2 M x 2 N real elements of complex A and B, which complex = induced of `plan`
/// needs; its accumulators are slices of a workspace. With products = 6 A and B are copies along M
/// and N.
Problem toInduced(Problem problem, const blas::PlanData &plan);

/// Whether `plan` multiplies complex operands of `problem` so, and may.
bool isInduced(const Problem &problem, const blas::PlanData &plan);

/// Bytes of the copies of complex operands that run along K, before those in parts.
double complexCopyBytes(const Problem &problem);
/// Operands that are copied so.
int64_t complexCopies(const Problem &problem);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_INDUCED_H
