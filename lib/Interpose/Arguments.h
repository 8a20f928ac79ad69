//===- Arguments.h - An operation as arguments of the C interface -*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_ARGUMENTS_H
#define ROOFTILE_LIB_INTERPOSE_ARGUMENTS_H

#include "rooftile/Operation/Operation.h"
#include "rooftile/rooftile.h"

#include <string>

namespace rooftile::interpose {

/// Arguments of rooftile_run and rooftile_plan. `addresses`: of A, B and C; of a batch by pointers,
/// of the arrays. Scalars are where the operation specifies.
rooftile_operation argumentsOf(const operation::Operation &operation, const void *const *addresses,
                               const void *alpha, const void *beta);

/// Letters of Fortran in the order of the routine's arguments: side, uplo, op(A), op(B), diag.
std::string lettersOf(const operation::Operation &operation);
/// "100x200x300", "100x50": the sizes that calls of the routine state.
std::string sizesOf(const operation::Operation &operation);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_ARGUMENTS_H
