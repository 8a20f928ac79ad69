//===- Wrapper.cpp - A library that stands before BLAS in place -----------===//
//
// Preloaded first: it counts products, and calls what is next in the order of the loader.
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include <dlfcn.h>

#define NAME extern "C" __attribute__((visibility("default")))

static int calls = 0;

NAME int wrapper_calls() { return calls; }

NAME void dgemm_(const char *opA, const char *opB, const int *m, const int *n, const int *k,
                 const double *alpha, const double *a, const int *lda, const double *b,
                 const int *ldb, const double *beta, double *c, const int *ldc) {
  ++calls;
  reinterpret_cast<decltype(&dgemm_)>(dlsym(RTLD_NEXT, "dgemm_"))(opA, opB, m, n, k, alpha, a, lda,
                                                                  b, ldb, beta, c, ldc);
}
