//===- Xerbla.h - Reports of bad arguments ----------------------*- C++ -*-===//
//
// As the reference reports them: Fortran's routines by XERBLA, those of C by cblas_xerbla. Both may
// be the program's own; what the process has is called, and it may return.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_XERBLA_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_XERBLA_H

#include "Arguments.h"

namespace rooftile::interpose {

/// Argument `number` of a Fortran routine is bad.
void reportFortran(const Call &call, int number);

/// Argument `number` of the Fortran routine that a function of C stands for is bad. In row-major
/// order, `number` is that of the exchanged call.
void reportC(const Arguments &arguments, int number);

/// An enumeration of a function of C is `value`: argument `number`, called `name`.
void reportChoice(const Arguments &arguments, int number, const char *name, int value);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_XERBLA_H
