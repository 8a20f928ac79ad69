//===- Check.cpp - Is the result right? -----------------------------------===//

#include "rooftile/Bench/Check.h"
#include "rooftile/Runtime/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

using namespace rooftile;
using namespace rooftile::bench;

/// Products that the check of single elements may take, and elements that the check of rows may.
static constexpr int64_t kMaxProducts = int64_t(1) << 26;
static constexpr int64_t kMaxRowElements = int64_t(1) << 31;
/// Matrices of a batch of triangular operations that are checked, all over it.
static constexpr int64_t kMaxTriangles = 1 << 16;
/// Rows and columns of which single elements are checked.
static constexpr int64_t kSamples = 64;
/// Standard deviations that the rounding of a row's sum may reach.
static constexpr double kDeviations = 16;

//===----------------------------------------------------------------------===//
// The numbers that results are checked in
//===----------------------------------------------------------------------===//

namespace {
/// What kernels sum elements of T in, and numbers that are twice as precise; half the distance
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
/// A vector of signs, and sums of such.
template <typename T> using Vector = std::vector<Wide<T>>;
/// Parts of an element.
template <typename T>
inline constexpr int kComponents =
    std::is_same_v<T, std::complex<typename ElementTraits<T>::Sum>> ? 2 : 1;

/// The rounding of sums; that of C where it is coarser, else 0.
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

/// A matrix on the host, row-major: part of the pattern (which repeats) or an array of its own.
template <typename T> struct HostMatrix {
  const T *data;
  int64_t first, rows, columns, period; ///< period 0: does not repeat

  T at(int64_t row, int64_t column) const {
    int64_t index = first + row * columns + column;
    return data[period ? index % period : index];
  }
  /// sum += this row times x, or x += this row times `factor`; in runs without a modulus.
  template <typename Visit> void forRow(int64_t row, Visit visit) const {
    int64_t index = first + row * columns, column = 0;
    while (column < columns) {
      int64_t at = period ? (index + column) % period : index + column;
      int64_t end = period ? std::min(columns, column + period - at) : columns;
      for (const T *value = data + at; column < end; ++column)
        visit(column, *value++);
    }
  }
};
} // namespace

static double sign(int64_t index) { return (index * 2654435761u >> 13) & 1 ? 1 : -1; }

/// y = matrix x
template <typename T> static Vector<T> times(const HostMatrix<T> &matrix, const Vector<T> &x) {
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
template <typename T>
static Vector<T> timesTransposed(const HostMatrix<T> &matrix, const Vector<T> &x) {
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
static Vector<T> apply(const HostMatrix<T> &matrix, bool transposed, const Vector<T> &x) {
  return transposed ? timesTransposed(matrix, x) : times(matrix, x);
}

template <typename Number> static Number conjugated(const Number &number) { return number; }
template <typename Real> static std::complex<Real> conjugated(const std::complex<Real> &number) {
  return std::conj(number);
}

template <typename T> static void conjugate(Vector<T> &numbers) {
  for (Wide<T> &number : numbers)
    number = conjugated(number);
}

namespace {
/// One product of a batch.
template <typename T> struct Product {
  const Shape &shape;
  HostMatrix<T> a, b, c;
  int64_t index;
  bool conjugateA = false, conjugateB = false;

  std::string checkRows() const;
  std::string checkElements() const;
  std::string checkElement(int64_t row, int64_t column) const;
};
} // namespace

template <typename T> std::string Product<T>::checkRows() const {
  Vector<T> x(shape.n);
  for (int64_t j = 0; j < shape.n; ++j)
    x[j] = sign(j);
  Vector<T> product = apply(b, shape.transposeB, x); // x is real
  if (conjugateA != conjugateB)
    conjugate<T>(product);
  Vector<T> expected = apply(a, shape.transposeA, product);
  if (conjugateA)
    conjugate<T>(expected);
  Vector<T> actual = times(c, x);
  // Sums of K products of numbers in [-1, 1] have deviation sqrt(K) / 3, and each of K roundings
  // of such a sum, u / 2 of it; N of them add up. Sums here round, too.
  // Where C is coarser than the sums, so does each of its elements. Parts of complex numbers are
  // sums of twice as many products.
  double roundings = 2 * kSumRounding<T> * (kComponents<T> * shape.k + 4.0) +
                     2 * kLastRounding<T> * std::sqrt(double(shape.k));
  double bound = kDeviations * kComponents<T> * roundings / 3 * std::sqrt(double(shape.n));
  for (int64_t i = 0; i < shape.m; ++i)
    if (!(std::abs(actual[i] - expected[i]) <= bound))
      return llvm::formatv("row {0} of matrix {1}: C x is {2}, op(A) op(B) x is {3}, bound {4:e2}",
                           i, index, show(actual[i]), show(expected[i]), bound);
  return "";
}

template <typename T> std::string Product<T>::checkElement(int64_t row, int64_t column) const {
  Wide<T> sum = 0;
  double size = 0;
  for (int64_t k = 0; k < shape.k; ++k) {
    Wide<T> left(shape.transposeA ? a.at(k, row) : a.at(row, k));
    Wide<T> right(shape.transposeB ? b.at(column, k) : b.at(k, column));
    Wide<T> product =
        (conjugateA ? conjugated(left) : left) * (conjugateB ? conjugated(right) : right);
    sum += product;
    size += std::abs(product);
  }
  // Of a complex number, both parts: its absolute value has up to the sum of their errors.
  double bound = kComponents<T> * (kComponents<T> * (shape.k + 4)) * kSumRounding<T> * size +
                 ElementTraits<T>::rounding * double(std::abs(sum));
  Wide<T> actual(c.at(row, column));
  if (!(std::abs(actual - sum) <= bound))
    return llvm::formatv("C[{0}, {1}] of matrix {2} is {3}, expected {4}, bound {5:e2}", row,
                         column, index, show(actual), show(sum), bound);
  return "";
}

template <typename T> std::string Product<T>::checkElements() const {
  int64_t side = std::sqrt(double(kMaxProducts) / std::max<int64_t>(1, shape.k));
  side = std::min(side, kSamples); // 0 where even one sum is too long: rows are checked
  auto pick = [&](int64_t position, int64_t size) {
    return size <= side ? position : position * (size - 1) / std::max<int64_t>(1, side - 1);
  };
  int64_t rows = std::min(side, shape.m), columns = std::min(side, shape.n);
  std::vector<std::string> wrong(rows * columns);
  forEachOnThreads(rows * columns, [&](int64_t element, unsigned) {
    wrong[element] =
        checkElement(pick(element / columns, shape.m), pick(element % columns, shape.n));
  });
  auto first = llvm::find_if(wrong, [](const std::string &text) { return !text.empty(); });
  return first == wrong.end() ? "" : *first;
}

template <typename T>
static std::string verifyAs(const Shape &shape, const Operands &operands, const Pattern &pattern,
                            const std::vector<char> &c) {
  auto *random = reinterpret_cast<const T *>(pattern.bytes().data());
  auto *result = reinterpret_cast<const T *>(c.data());
  auto stored = [&](bool transposed, int64_t rows, int64_t columns, int64_t first) {
    return HostMatrix<T>{random, first, transposed ? columns : rows, transposed ? rows : columns,
                         kPeriod};
  };
  // Where all of a large batch would take too long, matrices from all over it.
  int64_t ofOne = shape.elementsA() + shape.elementsB() + shape.elementsC();
  int64_t stepB = shape.isRankUpdate() ? shape.stepA() : shape.stepB();
  int64_t step = std::max<int64_t>(1, shape.batch * ofOne / kMaxRowElements);
  for (int64_t index = 0; index < shape.batch; index += step) {
    Product<T> product{
        shape,
        stored(shape.transposeA, shape.m, shape.k, operands.firstA + index * shape.stepA()),
        stored(shape.transposeB, shape.k, shape.n, operands.firstB + index * stepB),
        {result, index * shape.elementsC(), shape.m, shape.n, 0},
        index,
        shape.routine == Routine::Herk && shape.transposeA,
        shape.routine == Routine::Herk && !shape.transposeA};
    std::string wrong = product.checkRows();
    if (wrong.empty() && (index == 0 || index + step >= shape.batch))
      wrong = product.checkElements();
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

/// `value`, or its conjugate where op(A) is conjugated.
template <typename Number> static Number conjugated(Number value, const Shape &shape) {
  if constexpr (std::is_floating_point_v<Number>)
    return value;
  else
    return shape.conjugateA ? std::conj(value) : value;
}

/// y = op(A) x, of which one triangle counts.
template <typename T>
static Vector<T> timesTriangle(const Shape &shape, const T *a, const Vector<T> &x) {
  Vector<T> y(shape.k);
  for (int64_t row = 0; row < shape.k; ++row) {
    int64_t begin = shape.upper ? row + 1 : 0, end = shape.upper ? shape.k : row;
    auto enters = [&](int64_t column) {
      return conjugated(Wide<T>(a[row * shape.k + column]), shape);
    };
    y[row] += (shape.unit ? Wide<T>(1) : enters(row)) * x[row];
    for (int64_t column = begin; column < end; ++column) {
      Wide<T> value = enters(column);
      if (shape.transposeA)
        y[column] += value * x[row];
      else
        y[row] += value * x[column];
    }
  }
  return y;
}

/// Every row at once, as for a product: C x = op(A) B x, op(A) X x = B x, and so on.
template <typename T>
static std::string verifyTriangle(const Shape &shape, const T *a, const HostMatrix<T> &b,
                                  const HostMatrix<T> &result) {
  Vector<T> x(shape.n);
  for (int64_t j = 0; j < shape.n; ++j)
    x[j] = sign(j);
  // The side of the equation that has A in it, and the other one.
  const HostMatrix<T> &factor = shape.inPlace() ? result : b, &plain = shape.inPlace() ? b : result;
  auto apply = [&](const Vector<T> &to) { return timesTriangle<T>(shape, a, to); };
  Vector<T> product = shape.right ? times(factor, apply(x)) : apply(times(factor, x));
  Vector<T> expected = times(plain, x);
  // A is near the identity: an element carries a few roundings of numbers near 1, and n add up.
  // Those to 16 bits, once a block, are many times as large as all of the sums'.
  double ofSums = kDeviations * 16 * kComponents<T> * kSumRounding<T>;
  double bound = (ofSums + 8 * kLastRounding<T>)*std::sqrt(double(shape.n));
  for (int64_t i = 0; i < shape.m; ++i)
    if (!(std::abs(product[i] - expected[i]) <= bound))
      return llvm::formatv("row {0}: with A {1}, without {2}, bound {3:e2}", i, show(product[i]),
                           show(expected[i]), bound);
  return "";
}

template <typename T>
static std::string verifyTriangular(const Shape &shape, const Operands &operands,
                                    const Pattern &pattern, const std::vector<char> &c) {
  auto *random = reinterpret_cast<const T *>(pattern.bytes().data());
  auto *triangles = reinterpret_cast<const T *>(operands.triangle.data());
  auto *results = reinterpret_cast<const T *>(c.data());
  int64_t step = llvm::divideCeil(shape.batch, kMaxTriangles);
  for (int64_t index = 0; index < shape.batch; index += step) {
    HostMatrix<T> b{random, operands.firstB + index * shape.elementsB(), shape.m, shape.n, kPeriod};
    HostMatrix<T> result{results, index * shape.elementsC(), shape.m, shape.n, 0};
    std::string wrong = verifyTriangle(shape, triangles + index * shape.elementsA(), b, result);
    if (!wrong.empty())
      return "matrix " + std::to_string(index) + ", " + wrong;
  }
  return "";
}

/// Makes a whole matrix of each of which one triangle was computed. An error where the other one is
/// not NaN, as it was.
template <typename T> static std::string mirror(const Shape &shape, std::vector<char> &c) {
  T *numbers = reinterpret_cast<T *>(c.data());
  auto isNumber = [](const T &number) { return !std::isnan(double(std::abs(Wide<T>(number)))); };
  for (int64_t index = 0; index < shape.batch; ++index)
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < i; ++j) {
        T *matrix = numbers + index * shape.elementsC();
        T &lower = matrix[i * shape.n + j], &upper = matrix[j * shape.n + i];
        T &computed = shape.upper ? upper : lower, &other = shape.upper ? lower : upper;
        if (isNumber(other))
          return llvm::formatv("row {0}, column {1} of matrix {2} was written", shape.upper ? i : j,
                               shape.upper ? j : i, index);
        other = shape.routine == Routine::Herk ? conjugated(computed) : computed;
      }
  return "";
}

/// As the product of op(A) and its transposed.
template <typename T>
static std::string verifyRankUpdate(const Shape &shape, const Operands &operands,
                                    const Pattern &pattern, std::vector<char> c) {
  std::string wrong = mirror<T>(shape, c);
  if (!wrong.empty())
    return wrong;
  Shape product = shape;
  product.transposeB = !shape.transposeA;
  Operands both;
  both.firstA = both.firstB = operands.firstA;
  return verifyAs<T>(product, both, pattern, c);
}

template <typename T>
static std::string checkAs(const Shape &shape, const Operands &operands, const Pattern &pattern,
                           const std::vector<char> &c) {
  return shape.isRankUpdate() ? verifyRankUpdate<T>(shape, operands, pattern, c)
                              : verifyAs<T>(shape, operands, pattern, c);
}

std::string rooftile::bench::checkResult(const Shape &shape, const Operands &operands,
                                         const Pattern &pattern, const std::vector<char> &c) {
  return verify::withReal(shape.element, [&](auto zero) {
    using T = decltype(zero);
    auto verifyWith = [&](auto one) {
      using Number = decltype(one);
      return shape.isTriangular() ? verifyTriangular<Number>(shape, operands, pattern, c)
                                  : checkAs<Number>(shape, operands, pattern, c);
    };
    if constexpr (std::is_floating_point_v<T>)
      if (componentsOf(shape.element) == 2)
        return verifyWith(std::complex<T>());
    return verifyWith(T());
  });
}
