//===- Arguments.h - What the reference finds wrong with a call -*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_ARGUMENTS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_ARGUMENTS_H

#include "../Calls/Call.h"

namespace rooftile::interpose {

/// A letter of Fortran in upper case; of no case, as it is.
char letter(const char *given);

/// The number of the first bad argument of the Fortran routine, in the order of the reference; 0
/// where there is none.
int firstBad(const Call &call);

/// Whether what is bad is only an op 'R', conjugated and not transposed, which other libraries
/// take.
bool isExtension(const Call &call);

/// Rows for columns: A^T, B^T and C^T in the places of A, B and C. Arguments of a call in row-major
/// order become those of the same call in column-major order.
void exchangeOrder(Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_ARGUMENTS_H
