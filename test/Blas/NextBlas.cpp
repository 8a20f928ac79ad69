//===- NextBlas.cpp - A BLAS that calls are forwarded to ------------------===//
//
// Fortran's routines with integers of 32 bits, cblas_dgemm, and handlers of errors that print. It
// counts its calls. With TEST_PAUSE_MILLISECONDS each product lasts that long.
//
//===----------------------------------------------------------------------===//

#include "NaiveUpdates.h"

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <thread>

#define NAME extern "C" __attribute__((visibility("default")))

static std::atomic<int> calls{0};

static void pause() {
#ifdef TEST_PAUSE_MILLISECONDS
  std::this_thread::sleep_for(std::chrono::milliseconds(TEST_PAUSE_MILLISECONDS));
#endif
}

/// Calls since the last time it was asked.
NAME int next_calls() { return calls.exchange(0); }

#define ROUTINES(letter, T)                                                                        \
  NAME void letter##gemm_(const char *opA, const char *opB, const int *m, const int *n,            \
                          const int *k, const T *alpha, const T *a, const int *lda, const T *b,    \
                          const int *ldb, const T *beta, T *c, const int *ldc) {                   \
    ++calls;                                                                                       \
    pause();                                                                                       \
    naive::gemm(*opA, *opB, *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);                 \
  }                                                                                                \
  NAME void letter##trmm_(const char *side, const char *uplo, const char *op, const char *diag,    \
                          const int *m, const int *n, const T *alpha, const T *a, const int *lda,  \
                          T *b, const int *ldb) {                                                  \
    ++calls;                                                                                       \
    naive::triangular(false, *side, *uplo, *op, *diag, *m, *n, *alpha, a, *lda, b, *ldb);          \
  }                                                                                                \
  NAME void letter##trsm_(const char *side, const char *uplo, const char *op, const char *diag,    \
                          const int *m, const int *n, const T *alpha, const T *a, const int *lda,  \
                          T *b, const int *ldb) {                                                  \
    ++calls;                                                                                       \
    naive::triangular(true, *side, *uplo, *op, *diag, *m, *n, *alpha, a, *lda, b, *ldb);           \
  }
ROUTINES(s, float)
ROUTINES(d, double)
ROUTINES(c, std::complex<float>)
ROUTINES(z, std::complex<double>)

#define UPDATES(letter, T, prefix, isHermitian, Real)                                              \
  NAME void letter##prefix##rk_(const char *uplo, const char *op, const int *n, const int *k,      \
                                const Real *alpha, const T *a, const int *lda, const Real *beta,   \
                                T *c, const int *ldc) {                                            \
    ++calls;                                                                                       \
    naive::rank<T>(isHermitian, *uplo, *op, *n, *k, *alpha, a, *lda, nullptr, 0, *beta, c, *ldc);  \
  }                                                                                                \
  NAME void letter##prefix##r2k_(const char *uplo, const char *op, const int *n, const int *k,     \
                                 const T *alpha, const T *a, const int *lda, const T *b,           \
                                 const int *ldb, const Real *beta, T *c, const int *ldc) {         \
    ++calls;                                                                                       \
    naive::rank<T>(isHermitian, *uplo, *op, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);     \
  }
#define SYMMETRIC(name, T, isHermitian)                                                            \
  NAME void name(const char *side, const char *uplo, const int *m, const int *n, const T *alpha,   \
                 const T *a, const int *lda, const T *b, const int *ldb, const T *beta, T *c,      \
                 const int *ldc) {                                                                 \
    ++calls;                                                                                       \
    naive::symm(isHermitian, *side, *uplo, *m, *n, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);      \
  }
UPDATES(d, double, sy, false, double)
UPDATES(c, std::complex<float>, he, true, float)
SYMMETRIC(dsymm_, double, false)
SYMMETRIC(chemm_, std::complex<float>, true)

/// Not transposed. It calls dgemm_, as the reference does, whoever that is.
NAME void cblas_dgemm(int order, int, int, int m, int n, int k, double alpha, const double *a,
                      int lda, const double *b, int ldb, double beta, double *c, int ldc) {
  if (order == 101)
    return cblas_dgemm(102, 111, 111, n, m, k, alpha, b, ldb, a, lda, beta, c, ldc);
  dgemm_("N", "N", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
}

NAME void xerbla_(const char *routine, const int *number, size_t size) {
  std::printf("next xerbla: %.*s %d\n", int(size), routine, *number);
}

NAME void cblas_xerbla(int number, const char *routine, const char *text, ...) {
  std::printf("next cblas_xerbla: %s %d: ", routine, number);
  va_list arguments;
  va_start(arguments, text);
  std::vprintf(*text ? text : "\n", arguments);
  va_end(arguments);
}
