//===- CheckTriangular.cpp - Is a product with a triangle, or a solution, right? ===//

#include "HostMatrix.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace rooftile;
using namespace rooftile::bench;

/// Matrices of a batch of triangular operations that are checked, all over it.
static constexpr int64_t kMaxTriangles = 1 << 16;

namespace {
/// A triangular matrix as it is in memory by rows: a column-major one is its transpose.
template <typename T> struct StoredTriangle {
  HostMatrix<T> matrix;
  operation::Op op;
  bool isUpper, isUnit;

  /// y = op(A) x, of which one triangle counts.
  Vector<T> times(const Vector<T> &x) const;
};
} // namespace

template <typename T> Vector<T> StoredTriangle<T>::times(const Vector<T> &x) const {
  Factor<T> factor{matrix, op};
  int64_t order = matrix.rows;
  Vector<T> y(order);
  auto enters = [&](int64_t row, int64_t column) {
    Wide<T> value(matrix.at(row, column));
    return factor.isConjugated() ? conjugated(value) : value;
  };
  for (int64_t row = 0; row < order; ++row) {
    int64_t begin = isUpper ? row + 1 : 0, end = isUpper ? order : row;
    y[row] += (isUnit ? Wide<T>(1) : enters(row, row)) * x[row];
    for (int64_t column = begin; column < end; ++column) {
      Wide<T> value = enters(row, column);
      if (factor.isTransposed())
        y[column] += value * x[row];
      else
        y[row] += value * x[column];
    }
  }
  return y;
}

/// The triangle of operand `operand` (A; C of an inverse), matrix `index` of the batch.
template <typename T>
static StoredTriangle<T> triangleOf(const Shape &shape, const std::vector<char> &data, int operand,
                                    int64_t index) {
  const operation::Operation &operation = shape.operation;
  const operation::Matrix &matrix = operation.operand(operand);
  bool isColumnMajor = matrix.order == operation::Order::ColumnMajor;
  HostMatrix<T> stored{reinterpret_cast<const T *>(data.data()),
                       index * shape.step(operand),
                       shape.k(),
                       shape.k(),
                       matrix.leading,
                       /*period=*/0};
  return {stored, isColumnMajor ? transposed(operation.opA) : operation.opA,
          shape.isUpper() != isColumnMajor, shape.isUnit()};
}

/// Bound of the rounding of a row's sum. A is near the identity: an element carries a few
/// roundings of values near 1, and n add up. Those to 16 bits, once a block, are many times as
/// large as those of all accumulators.
template <typename T> static double boundNearIdentity(int64_t n) {
  double ofSums = kDeviations * 16 * kComponents<T> * kSumRounding<T>;
  return (ofSums + 8 * kLastRounding<T>)*std::sqrt(double(n));
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

/// Every row at once, as for a product: C x = alpha op(A) B x, op(A) X x = alpha B x, and so on.
template <typename T>
static std::string verifyTriangle(const Shape &shape, const StoredTriangle<T> &a,
                                  const HostMatrix<T> &b, const HostMatrix<T> &result) {
  Vector<T> x = signs<T>(shape.n());
  // The side of the equation that has A in it, and the other one.
  bool isSolve = shape.operation.routine == Routine::Trsm;
  const HostMatrix<T> &factor = isSolve ? result : b, &plain = isSolve ? b : result;
  Vector<T> product = shape.isRight() ? times(factor, a.times(x)) : a.times(times(factor, x));
  Vector<T> other = times(plain, x), &scaled = isSolve ? other : product;
  Wide<T> alpha = wideOf<T>(scalarsOf(shape).alpha);
  for (Wide<T> &value : scaled)
    value *= alpha;
  return compareRows<T>(product, other, boundNearIdentity<T>(shape.n()));
}

/// A X x = x, and the elements that do not count are as they were.
template <typename T>
static std::string verifyInverse(const Shape &shape, const StoredTriangle<T> &a,
                                 const StoredTriangle<T> &result) {
  int64_t order = shape.n();
  for (int64_t i = 0; i < order; ++i)
    for (int64_t j = 0; j < order; ++j) {
      bool counts = i == j ? !shape.isUnit() : (j > i) == shape.isUpper();
      T before = a.matrix.at(i, j), after = result.matrix.at(i, j);
      if (!counts && std::memcmp(&before, &after, sizeof(T)) != 0)
        return llvm::formatv("row {0}, column {1} was written", i, j);
    }
  Vector<T> x = signs<T>(order);
  return compareRows<T>(a.times(result.times(x)), x, boundNearIdentity<T>(order));
}

std::string rooftile::bench::checkTriangular(const Shape &shape, const Operands &operands,
                                             const Pattern &pattern, const std::vector<char> &c) {
  int64_t step = llvm::divideCeil(shape.batch(), kMaxTriangles);
  return withElement(shape.element(), [&](auto zero) -> std::string {
    using T = decltype(zero);
    for (int64_t index = 0; index < shape.batch(); index += step) {
      bool isInverse = !shape.operation.isTriangular();
      StoredTriangle<T> a = triangleOf<T>(shape, operands.triangle, isInverse ? 2 : 0, index);
      std::string wrong =
          isInverse ? verifyInverse(shape, a, triangleOf<T>(shape, c, 2, index))
                    : verifyTriangle(shape, a, initialMatrix<T>(shape, operands, pattern, index),
                                     resultMatrix<T>(shape, c, index));
      if (!wrong.empty())
        return "matrix " + std::to_string(index) + ", " + wrong;
    }
    return "";
  });
}
