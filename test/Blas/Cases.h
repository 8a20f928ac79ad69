//===- Cases.h - Calls whose results are known ------------------*- C++ -*-===//
#ifndef ROOFTILE_TEST_BLAS_CASES_H
#define ROOFTILE_TEST_BLAS_CASES_H

#include "Naive.h"
#include "Names.h"

#include <cmath>
#include <limits>
#include <vector>

/// Counts, and prints what does not hold.
void expect(bool holds, const char *text, const char *file, int line);
#define EXPECT(condition) expect(condition, #condition, __FILE__, __LINE__)

/// Calls of the library that ROOFTILE_BLAS_NEXT names, since the last time this was asked.
int nextCalls();

template <typename T> inline constexpr bool isComplex = sizeof(T) == 2 * sizeof(std::abs(T(0)));

/// The imaginary part is left out of real values.
template <typename T> T number(float real, float imaginary) {
  if constexpr (isComplex<T>)
    return T(real, imaginary);
  else
    return T(real);
}

/// A matrix of small integers, so that sums are exact. After each column there is one element that
/// nobody may touch.
template <typename T> struct Columns {
  int rows, columns, leading;
  std::vector<T> elements;

  Columns(int rows, int columns, int seed)
      : rows(rows), columns(columns), leading(rows + 1), elements(size_t(leading) * columns + 1) {
    unsigned state = unsigned(seed) * 2654435761u + 1;
    for (T &element : elements) {
      state = state * 1664525u + 1013904223u;
      element = number<T>(float(int(state >> 24) % 7 - 3), float(int(state >> 16) % 7 - 3));
    }
  }
  T *data() { return elements.data(); }
  T &at(int i, int j) { return elements[size_t(i) + size_t(j) * leading]; }
  void fill(T value) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        at(i, j) = value;
  }
};

/// Whether all elements, those after the columns too, are the same up to `tolerance`.
template <typename T>
bool isNear(const std::vector<T> &found, const std::vector<T> &right, double tolerance) {
  for (size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - right[i]) <= tolerance * (1 + std::abs(right[i]))))
      return false;
  return true;
}

template <typename T> T nan() { return T(std::numeric_limits<float>::quiet_NaN()); }

/// A product by `way` is right. With beta 0, C is not a number before.
template <typename T>
bool isProductRight(Interface way, char opA, char opB, int m, int n, int k, T alpha, T beta) {
  Columns<T> a(opA == 'N' ? m : k, opA == 'N' ? k : m, 1);
  Columns<T> b(opB == 'N' ? k : n, opB == 'N' ? n : k, 2), c(m, n, 3);
  if (beta == T(0))
    c.fill(nan<T>());
  Columns<T> right = c;
  naive::gemm<T>(opA, opB, m, n, k, alpha, a.data(), a.leading, b.data(), b.leading, beta,
                 right.data(), right.leading);
  names::gemm<T>(way, opA, opB, m, n, k, alpha, a.data(), a.leading, b.data(), b.leading, beta,
                 c.data(), c.leading);
  return isNear(c.elements, right.elements, 0);
}

/// A triangular call is right. What must not be read is not a number.
template <typename T>
bool isTriangularRight(Interface way, bool isSolve, const char *letters, int m, int n, T alpha) {
  int order = letters[0] == 'L' ? m : n;
  bool isUpper = letters[1] == 'U', isUnit = letters[3] == 'U';
  Columns<T> a(order, order, 4), b(m, n, 5);
  for (int j = 0; j < order; ++j)
    for (int i = 0; i < order; ++i) {
      if (i != j && isSolve)
        a.at(i, j) *= T(1.0f / float(order)); // Solutions stay small.
      if (i == j)
        a.at(i, j) = isComplex<T> ? number<T>(0, 2) : T(2);
      bool isStored = isUpper ? i <= j : i >= j;
      if (!isStored || (i == j && isUnit))
        a.at(i, j) = nan<T>();
    }
  Columns<T> right = b;
  naive::triangular<T>(isSolve, letters[0], letters[1], letters[2], letters[3], m, n, alpha,
                       a.data(), a.leading, right.data(), right.leading);
  names::triangular<T>(way, isSolve, letters, m, n, alpha, a.data(), a.leading, b.data(),
                       b.leading);
  bool isSingle = sizeof(std::abs(T(0))) == 4;
  return isNear(b.elements, right.elements, isSolve ? (isSingle ? 1e-4 : 1e-12) : 0);
}

#endif // ROOFTILE_TEST_BLAS_CASES_H
