//===- Plugin.cpp - A library that calls BLAS and brings one along --------===//
//
// Built twice: linked to a BLAS of its own, and with one inside, as frameworks are.
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#define NAME extern "C" __attribute__((visibility("default")))

/// A product of squares, by the function of Fortran or of C.
NAME void plugin_product(bool isC, int size, const double *a, const double *b, double *c) {
  double one = 1, zero = 0;
  if (isC)
    cblas_dgemm(102, 111, 111, size, size, size, one, a, size, b, size, zero, c, size);
  else
    dgemm_("N", "N", &size, &size, &size, &one, a, &size, b, &size, &zero, c, &size);
}
