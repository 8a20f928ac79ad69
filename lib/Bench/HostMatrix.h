//===- HostMatrix.h - Matrices and results on the host ----------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_HOSTMATRIX_H
#define ROOFTILE_BENCH_HOSTMATRIX_H

#include "rooftile/Bench/Operands.h"
#include "rooftile/Runtime/Threads.h"
#include "rooftile/Verify/Operands/Element.h"
#include "llvm/Support/FormatVariadic.h"

#include <complex>
#include <limits>
#include <type_traits>

namespace rooftile::bench {

/// Standard deviations that the rounding of a row's sum may reach.
inline constexpr double kDeviations = 16;

//===----------------------------------------------------------------------===//
// The type that results are checked in
//===----------------------------------------------------------------------===//

/// Accumulator type of kernels for elements of T, and one twice as precise; half the distance
/// from 1 to the next number of T's reals.
template <typename T> struct ElementTraits {
  using Sum = T;
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  static constexpr double rounding = std::numeric_limits<T>::epsilon() / 2;
};
template <int exponentBits> struct ElementTraits<verify::Narrow<exponentBits>> {
  using Sum = float;
  using Wide = double;
  static constexpr double rounding = exponentBits == 5 ? 0x1p-11 : 0x1p-8;
};
template <typename Real> struct ElementTraits<std::complex<Real>> {
  using Sum = Real;
  using Wide = std::complex<typename ElementTraits<Real>::Wide>;
  static constexpr double rounding = ElementTraits<Real>::rounding;
};
template <typename T> using Wide = typename ElementTraits<T>::Wide;
/// A vector of signs, and products with such.
template <typename T> using Vector = std::vector<Wide<T>>;
/// Components of an element.
template <typename T>
inline constexpr int kComponents =
    std::is_same_v<T, std::complex<typename ElementTraits<T>::Sum>> ? 2 : 1;

/// The rounding of accumulators; that of C where it is coarser, else 0.
template <typename T>
inline constexpr double kSumRounding = ElementTraits<typename ElementTraits<T>::Sum>::rounding;
template <typename T>
inline constexpr double kLastRounding =
    ElementTraits<T>::rounding > kSumRounding<T> ? ElementTraits<T>::rounding : 0;

template <typename T> std::string show(const T &value) {
  if constexpr (std::is_arithmetic_v<T>)
    return llvm::formatv("{0}", double(value));
  else
    return llvm::formatv("{0} + {1} i", double(value.real()), double(value.imag()));
}

/// A number of the checked type.
template <typename T> Wide<T> wideOf(const double (&value)[2]) {
  if constexpr (kComponents<T> == 2)
    return Wide<T>(value[0], value[1]);
  else
    return Wide<T>(value[0]);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// A row-major matrix on the host: a window of the pattern (which repeats) or an array of its own.
template <typename T> struct HostMatrix {
  const T *data;
  int64_t first, rows, columns, leading, period; ///< period 0: does not repeat

  T at(int64_t row, int64_t column) const {
    int64_t index = first + row * leading + column;
    return data[period ? index % period : index];
  }
  /// Calls `visit` with each column and element of a row; in runs without a modulus.
  template <typename Visit> void forRow(int64_t row, Visit visit) const {
    int64_t index = first + row * leading, column = 0;
    while (column < columns) {
      int64_t at = period ? (index + column) % period : index + column;
      int64_t end = period ? std::min(columns, column + period - at) : columns;
      for (const T *value = data + at; column < end; ++column)
        visit(column, *value++);
    }
  }
};

inline double sign(int64_t index) { return (index * 2654435761u >> 13) & 1 ? 1 : -1; }

/// y = matrix x
template <typename T> Vector<T> times(const HostMatrix<T> &matrix, const Vector<T> &x) {
  Vector<T> y(matrix.rows);
  int64_t rowsAtOnce = std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, matrix.columns));
  int64_t pieces = (matrix.rows + rowsAtOnce - 1) / rowsAtOnce;
  auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      matrix.forRow(row, [&](int64_t column, T value) { y[row] += Wide<T>(value) * x[column]; });
  };
  if (pieces == 1)
    rows(0, matrix.rows);
  else
    forEachOnThreads(pieces, [&](int64_t piece, unsigned) {
      rows(piece * rowsAtOnce, std::min(matrix.rows, (piece + 1) * rowsAtOnce));
    });
  return y;
}

/// y = matrix^T x
template <typename T> Vector<T> timesTransposed(const HostMatrix<T> &matrix, const Vector<T> &x) {
  unsigned threads = matrix.rows * matrix.columns < (1 << 16) ? 1 : hostThreads();
  std::vector<Vector<T>> components(threads, Vector<T>(matrix.columns));
  onThreads(threads, [&](unsigned thread) {
    Vector<T> &part = components[thread];
    for (int64_t row = matrix.rows * thread / threads; row < matrix.rows * (thread + 1) / threads;
         ++row)
      matrix.forRow(row, [&](int64_t column, T value) { part[column] += Wide<T>(value) * x[row]; });
  });
  for (unsigned thread = 1; thread < threads; ++thread)
    for (int64_t column = 0; column < matrix.columns; ++column)
      components[0][column] += components[thread][column];
  return std::move(components[0]);
}

template <typename T>
Vector<T> apply(const HostMatrix<T> &matrix, bool transposed, const Vector<T> &x) {
  return transposed ? timesTransposed(matrix, x) : times(matrix, x);
}

template <typename Number> Number conjugated(const Number &number) { return number; }
template <typename Real> std::complex<Real> conjugated(const std::complex<Real> &number) {
  return std::conj(number);
}

template <typename T> void conjugate(Vector<T> &numbers) {
  for (Wide<T> &number : numbers)
    number = conjugated(number);
}

/// op(X): a matrix as it is stored, and how it enters.
template <typename T> struct Factor {
  HostMatrix<T> matrix;
  operation::Op op = operation::Op::N;

  Factor(HostMatrix<T> matrix, operation::Op op = operation::Op::N) : matrix(matrix), op(op) {}

  bool isTransposed() const { return operation::isTransposed(op); }
  bool isConjugated() const { return op == operation::Op::C || op == operation::Op::J; }
  Wide<T> at(int64_t row, int64_t column) const {
    Wide<T> value(isTransposed() ? matrix.at(column, row) : matrix.at(row, column));
    return isConjugated() ? conjugated(value) : value;
  }
  Vector<T> times(Vector<T> x) const {
    if (isConjugated())
      conjugate<T>(x);
    Vector<T> y = apply(matrix, isTransposed(), x);
    if (isConjugated())
      conjugate<T>(y);
    return y;
  }
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// A window of the pattern as a matrix by rows: of a column-major operand its transpose.
template <typename T>
HostMatrix<T> storedMatrix(const Shape &shape, const Pattern &pattern, int operand, int64_t first) {
  const operation::Operation &operation = shape.operation;
  return {reinterpret_cast<const T *>(pattern.bytes().data()),
          first,
          operation.vectors(operand),
          operation.vectorLength(operand),
          operation.operand(operand).leading,
          kPeriod};
}

/// C of matrix `index` of the batch.
template <typename T>
HostMatrix<T> resultMatrix(const Shape &shape, const std::vector<char> &c, int64_t index) {
  return {reinterpret_cast<const T *>(c.data()),
          index * shape.step(2),
          shape.m(),
          shape.n(),
          shape.operation.c.leading,
          /*period=*/0};
}

/// C of matrix `index` of the batch as it was before.
template <typename T>
HostMatrix<T> initialMatrix(const Shape &shape, const Operands &operands, const Pattern &pattern,
                            int64_t index) {
  return storedMatrix<T>(shape, pattern, 2, operands.firstC + index * shape.step(2));
}

template <typename T> Vector<T> signs(int64_t count) {
  Vector<T> x(count);
  for (int64_t j = 0; j < count; ++j)
    x[j] = sign(j);
  return x;
}

/// Whether the result of a triangular operation, or an inverse, is right (CheckTriangular.cpp).
std::string checkTriangular(const Shape &shape, const Operands &operands, const Pattern &pattern,
                            const std::vector<char> &c);

/// Calls `check` with a zero of the type of the elements.
template <typename Check> std::string withElement(Element element, Check check) {
  return verify::withReal(element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      if (componentsOf(element) == 2)
        return check(std::complex<T>());
    return check(T());
  });
}

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_HOSTMATRIX_H
