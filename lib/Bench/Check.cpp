//===- Check.cpp - Is the result right? -----------------------------------===//

#include "rooftile/Bench/Check.h"
#include "rooftile/Runtime/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace rooftile;
using namespace rooftile::bench;

/// Products that the check of single elements may need, and elements that the check of rows may.
static constexpr int64_t kMaxProducts = int64_t(1) << 26;
static constexpr int64_t kMaxRowElements = int64_t(1) << 31;
/// Matrices of a batch of triangular operations that are checked, all over it.
static constexpr int64_t kMaxTriangles = 1 << 16;
/// Rows and columns of which single elements are checked.
static constexpr int64_t kSamples = 64;
/// Standard deviations that the rounding of a row's sum may reach.
static constexpr double kDeviations = 16;

//===----------------------------------------------------------------------===//
// The type that results are checked in
//===----------------------------------------------------------------------===//

namespace {
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

/// A matrix on the host, row-major: a window of the pattern (which repeats) or an array of its own.
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
/// op(X): a matrix as it is stored, and how it enters.
template <typename T> struct Factor {
  HostMatrix<T> matrix;
  operation::Op op = operation::Op::N;

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

/// op(A) op(B)
template <typename T> struct Term {
  Factor<T> a, b;
};

/// One C of a batch, the sum of products of factors with `depth` columns and rows each.
template <typename T> struct Product {
  std::vector<Term<T>> terms;
  HostMatrix<T> c;
  int64_t depth, index;

  /// Length of all dot products.
  int64_t k() const { return depth * int64_t(terms.size()); }
  std::string checkRows() const;
  std::string checkElements() const;
  std::string checkElement(int64_t row, int64_t column) const;
};
} // namespace

template <typename T> std::string Product<T>::checkRows() const {
  Vector<T> x(c.columns);
  for (int64_t j = 0; j < c.columns; ++j)
    x[j] = sign(j);
  Vector<T> expected(c.rows);
  for (const Term<T> &term : terms) {
    Vector<T> y = term.a.times(term.b.times(x));
    for (int64_t i = 0; i < c.rows; ++i)
      expected[i] += y[i];
  }
  Vector<T> actual = times(c, x);
  // Sums of K products of values in [-1, 1] have deviation sqrt(K) / 3, and each of K roundings
  // of such a sum, u / 2 of it; N of them add up. Sums here round, too.
  // Where C is coarser than the accumulators, so does each of its elements. Components of complex
  // elements are sums of twice as many products.
  double roundings = 2 * kSumRounding<T> * (kComponents<T> * k() + 4.0) +
                     2 * kLastRounding<T> * std::sqrt(double(k()));
  double bound = kDeviations * kComponents<T> * roundings / 3 * std::sqrt(double(c.columns));
  for (int64_t i = 0; i < c.rows; ++i)
    if (!(std::abs(actual[i] - expected[i]) <= bound))
      return llvm::formatv("row {0} of matrix {1}: C x is {2}, op(A) op(B) x is {3}, bound {4:e2}",
                           i, index, show(actual[i]), show(expected[i]), bound);
  return "";
}

template <typename T> std::string Product<T>::checkElement(int64_t row, int64_t column) const {
  Wide<T> sum = 0;
  double size = 0;
  for (const Term<T> &term : terms)
    for (int64_t l = 0; l < depth; ++l) {
      Wide<T> product = term.a.at(row, l) * term.b.at(l, column);
      sum += product;
      size += std::abs(product);
    }
  // The absolute value of a complex number has up to the sum of the errors of both components.
  double bound = kComponents<T> * (kComponents<T> * (k() + 4)) * kSumRounding<T> * size +
                 ElementTraits<T>::rounding * double(std::abs(sum));
  Wide<T> actual(c.at(row, column));
  if (!(std::abs(actual - sum) <= bound))
    return llvm::formatv("C[{0}, {1}] of matrix {2} is {3}, expected {4}, bound {5:e2}", row,
                         column, index, show(actual), show(sum), bound);
  return "";
}

template <typename T> std::string Product<T>::checkElements() const {
  int64_t side = std::sqrt(double(kMaxProducts) / std::max<int64_t>(1, k()));
  side = std::min(side, kSamples); // 0 where even one sum is too long: rows are checked
  auto pick = [&](int64_t position, int64_t size) {
    return size <= side ? position : position * (size - 1) / std::max<int64_t>(1, side - 1);
  };
  int64_t rows = std::min(side, c.rows), columns = std::min(side, c.columns);
  std::vector<std::string> wrong(rows * columns);
  forEachOnThreads(rows * columns, [&](int64_t element, unsigned) {
    wrong[element] =
        checkElement(pick(element / columns, c.rows), pick(element % columns, c.columns));
  });
  auto first = llvm::find_if(wrong, [](const std::string &text) { return !text.empty(); });
  return first == wrong.end() ? "" : *first;
}

/// A stored matrix of the pattern, as operand `operand` of the batch's matrix `index`.
template <typename T>
static HostMatrix<T> storedMatrix(const Shape &shape, const Operands &operands,
                                  const Pattern &pattern, int operand, int64_t index) {
  int64_t first = operand == 0 ? operands.firstA : operands.firstB;
  return {reinterpret_cast<const T *>(pattern.bytes().data()), first + index * shape.step(operand),
          shape.operation.rows(operand), shape.operation.columns(operand), kPeriod};
}

/// The whole of a symmetric or Hermitian matrix of which one triangle counts.
template <typename T>
static std::vector<T> wholeOf(const HostMatrix<T> &stored, const Shape &shape) {
  bool isHermitian = shape.operation.info().a == operation::Structure::Hermitian;
  std::vector<T> whole(stored.rows * stored.columns);
  for (int64_t i = 0; i < stored.rows; ++i)
    for (int64_t j = 0; j < stored.columns; ++j) {
      bool isStored = i == j || (j > i) == shape.isUpper();
      T value = isStored ? stored.at(i, j) : stored.at(j, i);
      if (isHermitian && !isStored)
        value = conjugated(value);
      if (isHermitian && i == j)
        value = T(std::real(Wide<T>(value)));
      whole[i * stored.columns + j] = value;
    }
  return whole;
}

/// op that makes op'(X)^T, or ^H, of the matrix that op makes op'(X).
static operation::Op acrossOf(const Shape &shape) {
  using operation::Op;
  bool isHermitian = shape.operation.info().c == operation::Structure::Hermitian;
  return shape.operation.opA != Op::N ? Op::N : isHermitian ? Op::C : Op::T;
}

/// The products that add up to C; `whole` keeps a mirrored A.
template <typename T>
static std::vector<Term<T>> termsOf(const Shape &shape, const HostMatrix<T> &a,
                                    const HostMatrix<T> &b, std::vector<T> &whole) {
  const operation::Operation &operation = shape.operation;
  const operation::RoutineInfo &info = operation.info();
  if (info.sizes == operation::Sizes::MN) {
    whole = wholeOf(a, shape);
    Factor<T> mirrored{{whole.data(), 0, a.rows, a.columns, 0}}, other{b};
    return {shape.isRight() ? Term<T>{other, mirrored} : Term<T>{mirrored, other}};
  }
  if (info.sizes == operation::Sizes::MNK)
    return {{{a, operation.opA}, {b, operation.opB}}};
  operation::Op across = acrossOf(shape);
  if (!operation.has(1))
    return {{{a, operation.opA}, {a, across}}};
  return {{{a, operation.opA}, {b, across}}, {{b, operation.opA}, {a, across}}};
}

template <typename T>
static std::string verifyAs(const Shape &shape, const Operands &operands, const Pattern &pattern,
                            const std::vector<char> &c) {
  auto *result = reinterpret_cast<const T *>(c.data());
  // Where all of a large batch would be too slow, matrices from all over it.
  int64_t ofOne = shape.elements(0) + shape.elements(1) + shape.elements(2);
  int64_t step = std::max<int64_t>(1, shape.batch() * ofOne / kMaxRowElements);
  for (int64_t index = 0; index < shape.batch(); index += step) {
    HostMatrix<T> a = storedMatrix<T>(shape, operands, pattern, 0, index), b = a;
    if (shape.operation.has(1))
      b = storedMatrix<T>(shape, operands, pattern, 1, index);
    std::vector<T> whole;
    Product<T> product{termsOf(shape, a, b, whole),
                       {result, index * shape.elements(2), shape.m(), shape.n(), 0},
                       shape.k(),
                       index};
    std::string wrong = product.checkRows();
    if (wrong.empty() && (index == 0 || index + step >= shape.batch()))
      wrong = product.checkElements();
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

/// `value`, or its conjugate where op(A) is conjugated.
template <typename Number> static Number conjugated(Number value, const Shape &shape) {
  operation::Op op = shape.operation.opA;
  return op == operation::Op::C || op == operation::Op::J ? conjugated(value) : value;
}

/// y = op(A) x, of which one triangle counts.
template <typename T>
static Vector<T> timesTriangle(const Shape &shape, const T *a, const Vector<T> &x) {
  int64_t order = shape.k();
  Vector<T> y(order);
  for (int64_t row = 0; row < order; ++row) {
    int64_t begin = shape.isUpper() ? row + 1 : 0, end = shape.isUpper() ? order : row;
    auto enters = [&](int64_t column) {
      return conjugated(Wide<T>(a[row * order + column]), shape);
    };
    y[row] += (shape.isUnit() ? Wide<T>(1) : enters(row)) * x[row];
    for (int64_t column = begin; column < end; ++column) {
      Wide<T> value = enters(column);
      if (isTransposed(shape.operation.opA))
        y[column] += value * x[row];
      else
        y[row] += value * x[column];
    }
  }
  return y;
}

/// Bound of the rounding of a row's sum. A is near the identity: an element carries a few
/// roundings of values near 1, and n add up. Those to 16 bits, once a block, are many times as
/// large as those of all accumulators.
template <typename T> static double boundNearIdentity(int64_t n) {
  double ofSums = kDeviations * 16 * kComponents<T> * kSumRounding<T>;
  return (ofSums + 8 * kLastRounding<T>)*std::sqrt(double(n));
}

template <typename T> static Vector<T> signs(int64_t count) {
  Vector<T> x(count);
  for (int64_t j = 0; j < count; ++j)
    x[j] = sign(j);
  return x;
}

/// A row where `product` and `expected` differ by more than rounding.
template <typename T>
static std::string compareRows(const Vector<T> &product, const Vector<T> &expected, double bound) {
  for (size_t i = 0; i < product.size(); ++i)
    if (!(std::abs(product[i] - expected[i]) <= bound))
      return llvm::formatv("row {0}: with A {1}, without {2}, bound {3:e2}", i, show(product[i]),
                           show(expected[i]), bound);
  return "";
}

/// Every row at once, as for a product: C x = op(A) B x, op(A) X x = B x, and so on.
template <typename T>
static std::string verifyTriangle(const Shape &shape, const T *a, const HostMatrix<T> &b,
                                  const HostMatrix<T> &result) {
  Vector<T> x = signs<T>(shape.n());
  // The side of the equation that has A in it, and the other one.
  const HostMatrix<T> &factor = shape.inPlace() ? result : b, &plain = shape.inPlace() ? b : result;
  auto apply = [&](const Vector<T> &to) { return timesTriangle<T>(shape, a, to); };
  Vector<T> product = shape.isRight() ? times(factor, apply(x)) : apply(times(factor, x));
  return compareRows<T>(product, times(plain, x), boundNearIdentity<T>(shape.n()));
}

/// A X x = x, and the elements that do not count are as they were.
template <typename T>
static std::string verifyInverse(const Shape &shape, const T *a, const T *result) {
  int64_t order = shape.n();
  for (int64_t i = 0; i < order; ++i)
    for (int64_t j = 0; j < order; ++j) {
      bool counts = i == j ? !shape.isUnit() : (j > i) == shape.isUpper();
      if (!counts && std::memcmp(&a[i * order + j], &result[i * order + j], sizeof(T)) != 0)
        return llvm::formatv("row {0}, column {1} was written", i, j);
    }
  Vector<T> x = signs<T>(order);
  Vector<T> product = timesTriangle<T>(shape, a, timesTriangle<T>(shape, result, x));
  return compareRows<T>(product, x, boundNearIdentity<T>(order));
}

template <typename T>
static std::string verifyTriangular(const Shape &shape, const Operands &operands,
                                    const Pattern &pattern, const std::vector<char> &c) {
  auto *random = reinterpret_cast<const T *>(pattern.bytes().data());
  auto *triangles = reinterpret_cast<const T *>(operands.triangle.data());
  auto *results = reinterpret_cast<const T *>(c.data());
  int64_t step = llvm::divideCeil(shape.batch(), kMaxTriangles), m = shape.m(), n = shape.n();
  for (int64_t index = 0; index < shape.batch(); index += step) {
    HostMatrix<T> b{random, operands.firstB + index * shape.elements(1), m, n, kPeriod};
    HostMatrix<T> result{results, index * shape.elements(2), m, n, 0};
    const T *a = triangles + index * shape.elements(0);
    std::string wrong = shape.operation.isTriangular()
                            ? verifyTriangle(shape, a, b, result)
                            : verifyInverse(shape, a, results + index * shape.elements(2));
    if (!wrong.empty())
      return "matrix " + std::to_string(index) + ", " + wrong;
  }
  return "";
}

/// Makes a whole matrix of each of which one triangle was computed. An error where the other one is
/// not NaN, as it was.
template <typename T> static std::string mirror(const Shape &shape, std::vector<char> &c) {
  T *numbers = reinterpret_cast<T *>(c.data());
  bool isHermitian = shape.operation.info().c == operation::Structure::Hermitian;
  auto isNumber = [](const T &number) { return !std::isnan(double(std::abs(Wide<T>(number)))); };
  for (int64_t index = 0; index < shape.batch(); ++index)
    for (int64_t i = 0; i < shape.m(); ++i)
      for (int64_t j = 0; j < i; ++j) {
        T *matrix = numbers + index * shape.elements(2);
        T &lower = matrix[i * shape.n() + j], &upper = matrix[j * shape.n() + i];
        T &computed = shape.isUpper() ? upper : lower, &other = shape.isUpper() ? lower : upper;
        if (isNumber(other))
          return llvm::formatv("row {0}, column {1} of matrix {2} was written",
                               shape.isUpper() ? i : j, shape.isUpper() ? j : i, index);
        other = isHermitian ? conjugated(computed) : computed;
      }
  return "";
}

/// The products, of which one triangle may be what is computed.
template <typename T>
static std::string checkAs(const Shape &shape, const Operands &operands, const Pattern &pattern,
                           const std::vector<char> &c) {
  if (shape.operation.info().c == operation::Structure::General)
    return verifyAs<T>(shape, operands, pattern, c);
  std::vector<char> whole = c;
  std::string wrong = mirror<T>(shape, whole);
  return wrong.empty() ? verifyAs<T>(shape, operands, pattern, whole) : wrong;
}

std::string rooftile::bench::checkResult(const Shape &shape, const Operands &operands,
                                         const Pattern &pattern, const std::vector<char> &c) {
  return verify::withReal(shape.element(), [&](auto zero) {
    using T = decltype(zero);
    auto verifyWith = [&](auto one) {
      using Number = decltype(one);
      return shape.hasTriangle() ? verifyTriangular<Number>(shape, operands, pattern, c)
                                 : checkAs<Number>(shape, operands, pattern, c);
    };
    if constexpr (std::is_floating_point_v<T>)
      if (componentsOf(shape.element()) == 2)
        return verifyWith(std::complex<T>());
    return verifyWith(T());
  });
}
