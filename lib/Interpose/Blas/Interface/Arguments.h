//===- Arguments.h - Arguments of BLAS, as they came ------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_ARGUMENTS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_ARGUMENTS_H

#include "../Calls/Call.h"

namespace rooftile::interpose {

struct Stored {
  const void *address;
  int64_t leading;
};

/// Letters are Fortran's in upper case, and may be none of those. What the routine does not have
/// keeps its default. Of trmm and trsm, B is `c`.
struct Arguments {
  CallSite *site;
  operation::Routine routine;
  operation::Element element;
  Width width;
  bool isRowMajor = false;
  char side = 'L', uplo = 'L', opA = 'N', opB = 'N', diag = 'N';
  int64_t m = 0, n = 0, k = 0;
  const void *alpha = nullptr, *beta = nullptr;
  Stored a = {}, b = {}, c = {};
};

/// A letter of Fortran in upper case; of no case, as it is.
char letter(const char *given);

/// Positions of a routine's arguments in Fortran, from 1 on; 0 of what it does not have.
struct Numbers {
  int side, uplo, opA, opB, diag, m, n, k;
  int leading[3]; ///< Leading dimensions of A, B and C.
};
Numbers numbersOf(operation::Routine routine);

/// Arguments as a call in column-major order.
struct Reading {
  Call call;
  /// The number of the first bad argument of the Fortran routine, in the order in which the
  /// reference checks them; 0 where there is none. In row-major order, that of the exchanged call.
  int bad;
};
Reading read(const Arguments &arguments);

/// Whether what is bad is only an op 'R', conjugated and not transposed, which other libraries
/// accept.
bool isExtension(const Arguments &arguments);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_ARGUMENTS_H
