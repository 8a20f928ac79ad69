//===- NaiveUpdates.h - symm, syrk and the like by their formulas -*- C++ -*-===//
//
// Column-major, with Fortran's letters. `isHermitian`: hemm, herk and her2k.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TEST_BLAS_NAIVE_UPDATES_H
#define ROOFTILE_TEST_BLAS_NAIVE_UPDATES_H

#include "Naive.h"

namespace naive {

template <typename T> T realOf(T x) { return x; }
template <typename T> std::complex<T> realOf(std::complex<T> x) { return x.real(); }

/// Element (i, j) of a matrix of which one triangle is stored.
template <typename T>
T mirrored(bool isHermitian, char uplo, const T *a, int64_t lda, int64_t i, int64_t j) {
  bool isStored = uplo == 'U' ? i <= j : i >= j;
  T element = isStored ? a[i + j * lda] : a[j + i * lda];
  if (!isHermitian)
    return element;
  return i == j ? realOf(element) : isStored ? element : conjugate(element);
}

template <typename T>
void symm(bool isHermitian, char side, char uplo, int64_t m, int64_t n, T alpha, const T *a,
          int64_t lda, const T *b, int64_t ldb, T beta, T *c, int64_t ldc) {
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) {
      T sum = 0, &to = c[i + j * ldc];
      for (int64_t p = 0; alpha != T(0) && p < (side == 'L' ? m : n); ++p)
        sum += side == 'L' ? mirrored(isHermitian, uplo, a, lda, i, p) * b[p + j * ldb]
                           : b[i + p * ldb] * mirrored(isHermitian, uplo, a, lda, p, j);
      to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
    }
}

/// With B of null, syrk or herk; else syr2k or her2k.
template <typename T>
void rank(bool isHermitian, char uplo, char op, int64_t n, int64_t k, T alpha, const T *a,
          int64_t lda, const T *b, int64_t ldb, T beta, T *c, int64_t ldc) {
  auto other = [=](T x) { return isHermitian ? conjugate(x) : x; };
  auto of = [=](const T *x, int64_t ldx, int64_t i, int64_t p) {
    return op == 'N' ? x[i + p * ldx] : other(x[p + i * ldx]);
  };
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = uplo == 'U' ? 0 : j; i < (uplo == 'U' ? j + 1 : n); ++i) {
      T sum = 0, &to = c[i + j * ldc];
      for (int64_t p = 0; alpha != T(0) && p < k; ++p) {
        if (!b)
          sum += alpha * of(a, lda, i, p) * other(of(a, lda, j, p));
        else
          sum += alpha * of(a, lda, i, p) * other(of(b, ldb, j, p)) +
                 other(alpha) * of(b, ldb, i, p) * other(of(a, lda, j, p));
      }
      to = beta == T(0) ? sum : sum + beta * to;
      if (isHermitian && i == j)
        to = realOf(to);
    }
}

} // namespace naive

#endif // ROOFTILE_TEST_BLAS_NAIVE_UPDATES_H
