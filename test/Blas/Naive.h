//===- Naive.h - gemm, trmm and trsm by their formulas ----------*- C++ -*-===//
//
// Column-major, with Fortran's letters. What tests compare with, and what stands in for libraries.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TEST_BLAS_NAIVE_H
#define ROOFTILE_TEST_BLAS_NAIVE_H

#include <complex>
#include <cstdint>

namespace naive {

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <typename T> std::complex<T> conjugate(std::complex<T> x) { return std::conj(x); }

/// Element (i, j) of op(A).
template <typename T> T at(char op, const T *a, int64_t lda, int64_t i, int64_t j) {
  if (op == 'N')
    return a[i + j * lda];
  return op == 'C' ? conjugate(a[j + i * lda]) : a[j + i * lda];
}

template <typename T>
void gemm(char opA, char opB, int64_t m, int64_t n, int64_t k, T alpha, const T *a, int64_t lda,
          const T *b, int64_t ldb, T beta, T *c, int64_t ldc) {
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) {
      T sum = 0, &to = c[i + j * ldc];
      for (int64_t p = 0; alpha != T(0) && p < k; ++p)
        sum += at(opA, a, lda, i, p) * at(opB, b, ldb, p, j);
      to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
    }
}

/// A triangular matrix: zeros in the other triangle, which is not read.
template <typename T> struct Triangle {
  bool isUpper, isUnit;
  char op;
  const T *a;
  int64_t lda;

  /// Element of op(A).
  T at(int64_t i, int64_t j) const {
    if (i == j && isUnit)
      return 1;
    int64_t row = op == 'N' ? i : j, column = op == 'N' ? j : i;
    bool isStored = isUpper ? row <= column : row >= column;
    return isStored ? naive::at(op, a, lda, i, j) : T(0);
  }
  /// Whether op(A) is upper.
  bool endsUpper() const { return isUpper == (op == 'N'); }
};

/// Vectors of B that one triangular operation works on: columns (left), or rows (right), for which
/// op(A) is transposed.
template <typename T> struct Vectors {
  bool isLeft;
  int64_t count, length;
  T *b;
  int64_t ldb;

  T &at(int64_t vector, int64_t i) const {
    return isLeft ? b[i + vector * ldb] : b[vector + i * ldb];
  }
};

/// Element (i, p) of the matrix that a vector is multiplied by from the left.
template <typename T>
T factor(const Triangle<T> &a, const Vectors<T> &vectors, int64_t i, int64_t p) {
  return vectors.isLeft ? a.at(i, p) : a.at(p, i);
}

template <typename T> void trmm(const Triangle<T> &a, const Vectors<T> &vectors, T alpha) {
  bool isUpper = a.endsUpper() == vectors.isLeft;
  for (int64_t vector = 0; vector < vectors.count; ++vector)
    for (int64_t step = 0; step < vectors.length; ++step) {
      int64_t i = isUpper ? step : vectors.length - 1 - step; // Values that are needed later stay.
      T sum = 0;
      for (int64_t p = isUpper ? i : 0; p < (isUpper ? vectors.length : i + 1); ++p)
        sum += factor(a, vectors, i, p) * vectors.at(vector, p);
      vectors.at(vector, i) = alpha * sum;
    }
}

template <typename T> void trsm(const Triangle<T> &a, const Vectors<T> &vectors, T alpha) {
  bool isUpper = a.endsUpper() == vectors.isLeft;
  for (int64_t vector = 0; vector < vectors.count; ++vector)
    for (int64_t step = 0; step < vectors.length; ++step) {
      int64_t i = isUpper ? vectors.length - 1 - step : step;
      T rest = alpha * vectors.at(vector, i);
      for (int64_t p = isUpper ? i + 1 : 0; p < (isUpper ? vectors.length : i); ++p)
        rest -= factor(a, vectors, i, p) * vectors.at(vector, p);
      vectors.at(vector, i) = rest / factor(a, vectors, i, i);
    }
}

/// trmm, or with `isSolve` trsm, as Fortran's routines are called.
template <typename T>
void triangular(bool isSolve, char side, char uplo, char op, char diag, int64_t m, int64_t n,
                T alpha, const T *a, int64_t lda, T *b, int64_t ldb) {
  Triangle<T> triangle = {uplo == 'U', diag == 'U', op, a, lda};
  bool isLeft = side == 'L';
  Vectors<T> vectors = {isLeft, isLeft ? n : m, isLeft ? m : n, b, ldb};
  isSolve ? trsm(triangle, vectors, alpha) : trmm(triangle, vectors, alpha);
}

} // namespace naive

#endif // ROOFTILE_TEST_BLAS_NAIVE_H
