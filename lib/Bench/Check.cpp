//===- Check.cpp - Is the result of a product right? ----------------------===//

#include "rooftile/Bench/Check.h"
#include "HostMatrix.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>

using namespace rooftile;
using namespace rooftile::bench;
using operation::Activation;

/// Products that the check of single elements may need, and elements that the check of rows may.
static constexpr int64_t kMaxProducts = int64_t(1) << 26;
static constexpr int64_t kMaxRowElements = int64_t(1) << 31;
/// Rows and columns of which single elements are checked.
static constexpr int64_t kSamples = 64;
/// Roundings of an activation, in which functions are approximated.
static constexpr double kActivationRoundings = 64;

//===----------------------------------------------------------------------===//
// One product
//===----------------------------------------------------------------------===//

namespace {
/// factor op(A) op(B)
template <typename T> struct Term {
  Factor<T> a, b;
  Wide<T> factor;
};

/// One C of a batch: the sum of products of factors with `depth` columns and rows each, of beta
/// times what C was, and of a bias.
template <typename T> struct Product {
  const Shape &shape;
  std::vector<Term<T>> terms;
  HostMatrix<T> c, before; ///< `before` counts where beta is not 0.
  Wide<T> beta;
  HostMatrix<T> bias; ///< One row.
  int64_t index;      ///< Position in the batch.

  /// Length of all dot products.
  int64_t k() const { return shape.k() * int64_t(terms.size()); }
  /// Loss of the product of two elements with math<tf32>, each of which has fewer bits.
  double lossOfFactors() const {
    bool isTf32 = shape.operation.math == operation::Math::Tf32 && std::is_same_v<T, float>;
    return isTf32 ? 0x1p-9 : 0;
  }
  bool readsC() const { return beta != Wide<T>(0); }
  bool hasBias() const { return shape.operation.epilogue.bias != operation::Bias::None; }
  Wide<T> biasAt(int64_t row, int64_t column) const {
    bool isPerRow = shape.operation.epilogue.bias == operation::Bias::PerRow;
    return Wide<T>(bias.at(0, isPerRow ? row : column));
  }
  Vector<T> timesSigns(const Vector<T> &x) const;
  std::string checkRows() const;
  std::string checkElements() const;
  std::string checkElement(int64_t row, int64_t column) const;
};
} // namespace

/// The expected C times x.
template <typename T> Vector<T> Product<T>::timesSigns(const Vector<T> &x) const {
  Vector<T> expected(c.rows);
  for (const Term<T> &term : terms) {
    Vector<T> y = term.a.times(term.b.times(x));
    for (int64_t i = 0; i < c.rows; ++i)
      expected[i] += term.factor * y[i];
  }
  if (readsC()) {
    Vector<T> y = times(before, x);
    for (int64_t i = 0; i < c.rows; ++i)
      expected[i] += beta * y[i];
  }
  if (hasBias())
    for (int64_t i = 0; i < c.rows; ++i)
      for (int64_t j = 0; j < c.columns; ++j)
        expected[i] += biasAt(i, j) * x[j];
  return expected;
}

template <typename T> std::string Product<T>::checkRows() const {
  if (shape.operation.epilogue.activation != Activation::None)
    return ""; // Not linear: single elements are checked.
  Vector<T> x = signs<T>(c.columns);
  Vector<T> expected = timesSigns(x), actual = times(c, x);
  // Sums of K products of values in [-1, 1] have deviation sqrt(K) / 3, and each of K roundings
  // of such a sum, u / 2 of it; N of them add up. Sums here round, too. alpha, beta and a bias have
  // values of about 1. Where C is coarser than the accumulators, so does each of its elements.
  // Components of complex elements are sums of twice as many products. What tf32 loses of factors
  // has their sign: it scales C.
  double roundings = 2 * kSumRounding<T> * (kComponents<T> * k() + 8.0) +
                     2 * kLastRounding<T> * (std::sqrt(double(k())) + (readsC() || hasBias())) +
                     lossOfFactors() * std::sqrt(double(k()));
  double scale = std::max(1.0, double(std::abs(terms.front().factor)));
  double bound =
      kDeviations * kComponents<T> * scale * roundings / 3 * std::sqrt(double(c.columns));
  for (int64_t i = 0; i < c.rows; ++i)
    if (!(std::abs(actual[i] - expected[i]) <= bound + lossOfFactors() * std::abs(expected[i])))
      return llvm::formatv("row {0} of matrix {1}: C x is {2}, expected {3}, bound {4:e2}", i,
                           index, show(actual[i]), show(expected[i]), bound);
  return "";
}

/// Activations are of real elements.
template <typename Real> static Real activated(Activation activation, Real x) {
  switch (activation) {
  case Activation::None:
    return x;
  case Activation::Relu:
    return x > 0 ? x : 0;
  case Activation::Gelu:
    return x * (1 + std::erf(x / std::sqrt(Real(2)))) / 2;
  case Activation::GeluTanh:
    return x * (1 + std::tanh(std::sqrt(2 / Real(M_PIl)) * (x + Real(0.044715L) * x * x * x))) / 2;
  case Activation::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Activation::Silu:
    return x / (1 + std::exp(-x));
  case Activation::Tanh:
    return std::tanh(x);
  }
  return x;
}
template <typename Real>
static std::complex<Real> activated(Activation, const std::complex<Real> &x) {
  return x;
}

template <typename T> std::string Product<T>::checkElement(int64_t row, int64_t column) const {
  Wide<T> sum = 0;
  double size = 0;
  auto add = [&](Wide<T> value) { sum += value, size += std::abs(value); };
  for (const Term<T> &term : terms)
    for (int64_t l = 0; l < shape.k(); ++l)
      add(term.factor * term.a.at(row, l) * term.b.at(l, column));
  if (readsC())
    add(beta * Wide<T>(before.at(row, column)));
  if (hasBias())
    add(biasAt(row, column));
  Activation activation = shape.operation.epilogue.activation;
  sum = activated(activation, sum);
  // The absolute value of a complex number has up to the sum of the errors of both components. No
  // activation has a slope of 2.
  bool isActivated = activation != Activation::None;
  double roundings = kComponents<T> * (k() + 8.0) + (isActivated ? kActivationRoundings : 0);
  double bound = (isActivated ? 2 : 1) * kComponents<T> * roundings * kSumRounding<T> *
                     (size + (isActivated ? 1 : 0)) +
                 (isActivated ? 2 : 1) * lossOfFactors() * size +
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

//===----------------------------------------------------------------------===//
// Products of a routine
//===----------------------------------------------------------------------===//

/// The whole of a symmetric or Hermitian matrix of which one triangle counts. `isUpper`: of the
/// matrix in memory.
template <typename T>
static std::vector<T> wholeOf(const HostMatrix<T> &stored, bool isUpper, bool isHermitian) {
  std::vector<T> whole(stored.rows * stored.columns);
  for (int64_t i = 0; i < stored.rows; ++i)
    for (int64_t j = 0; j < stored.columns; ++j) {
      bool isStored = i == j || (j > i) == isUpper;
      T value = isStored ? stored.at(i, j) : stored.at(j, i);
      if (isHermitian && !isStored)
        value = conjugated(value);
      if (isHermitian && i == j)
        value = T(std::real(Wide<T>(value)));
      whole[i * stored.columns + j] = value;
    }
  return whole;
}

namespace {
/// Reads the operands of one matrix of a batch as the products that add up to its C. Keeps whole
/// matrices of which one triangle is in memory.
template <typename T> class Reader {
public:
  Reader(const Shape &shape, const Operands &operands, const Pattern &pattern, int64_t index)
      : shape(shape), operands(operands), pattern(pattern), index(index),
        scalars(scalarsOf(shape)) {}

  Product<T> product(const std::vector<char> &c) {
    HostMatrix<T> before = initialMatrix<T>(shape, operands, pattern, index);
    if (shape.operation.info().c != operation::Structure::General && shape.readsC()) {
      initial = wholeOf(before, shape.isUpper(), isHermitian());
      before = {initial.data(), 0, before.rows, before.columns, before.columns, 0};
    }
    auto *random = reinterpret_cast<const T *>(pattern.bytes().data());
    HostMatrix<T> bias{random, operands.firstBias, 1, std::max(shape.m(), shape.n()), 0, kPeriod};
    return {shape, terms(), resultMatrix<T>(shape, c, index), before, wideOf<T>(scalars.beta),
            bias,  index};
  }

private:
  bool isHermitian() const {
    const operation::RoutineInfo &info = shape.operation.info();
    return info.a == operation::Structure::Hermitian || info.c == operation::Structure::Hermitian;
  }
  bool isColumnMajor(int operand) const {
    return shape.operation.operand(operand).order == operation::Order::ColumnMajor;
  }
  /// op(X) of operand 0 or 1.
  Factor<T> factor(int operand, operation::Op op) const {
    int64_t first = operand == 0 ? operands.firstA : operands.firstB;
    first += index * shape.step(operand);
    return {storedMatrix<T>(shape, pattern, operand, first),
            isColumnMajor(operand) ? transposed(op) : op};
  }
  std::vector<Term<T>> terms();

  const Shape &shape;
  const Operands &operands;
  const Pattern &pattern;
  int64_t index;
  Scalars scalars;
  std::vector<T> whole, initial;
};
} // namespace

/// op that makes op'(X)^T, or ^H, of the matrix that op makes op'(X).
static operation::Op acrossOf(const Shape &shape) {
  using operation::Op;
  bool isHermitian = shape.operation.info().c == operation::Structure::Hermitian;
  return shape.operation.opA != Op::N ? Op::N : isHermitian ? Op::C : Op::T;
}

template <typename T> std::vector<Term<T>> Reader<T>::terms() {
  const operation::Operation &operation = shape.operation;
  const operation::RoutineInfo &info = operation.info();
  Wide<T> alpha = wideOf<T>(scalars.alpha);
  if (info.sizes == operation::Sizes::MN) {
    Factor<T> stored = factor(0, operation::Op::N), other = factor(1, operation::Op::N);
    int64_t order = stored.matrix.rows;
    whole = wholeOf(stored.matrix, shape.isUpper() != isColumnMajor(0), isHermitian());
    Factor<T> mirrored{{whole.data(), 0, order, order, order, 0}, stored.op};
    return {shape.isRight() ? Term<T>{other, mirrored, alpha} : Term<T>{mirrored, other, alpha}};
  }
  if (info.sizes == operation::Sizes::MNK) {
    int b = operation.alias == operation::Alias::AB ? 0 : 1;
    return {{factor(0, operation.opA), factor(b, operation.opB), alpha}};
  }
  operation::Op across = acrossOf(shape);
  if (!operation.has(1))
    return {{factor(0, operation.opA), factor(0, across), alpha}};
  Wide<T> second = isHermitian() ? conjugated(alpha) : alpha;
  return {{factor(0, operation.opA), factor(1, across), alpha},
          {factor(1, operation.opA), factor(0, across), second}};
}

template <typename T>
static std::string verifyAs(const Shape &shape, const Operands &operands, const Pattern &pattern,
                            const std::vector<char> &c) {
  // Where all of a large batch would be too slow, matrices from all over it.
  int64_t ofOne = shape.elements(0) + shape.elements(1) + shape.elements(2);
  int64_t step = std::max<int64_t>(1, shape.batch() * ofOne / kMaxRowElements);
  for (int64_t index = 0; index < shape.batch(); index += step) {
    Reader<T> reader(shape, operands, pattern, index);
    Product<T> product = reader.product(c);
    std::string wrong = product.checkRows();
    if (wrong.empty() && (index == 0 || index + step >= shape.batch()))
      wrong = product.checkElements();
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Results of which one triangle is computed
//===----------------------------------------------------------------------===//

/// Makes a whole matrix of each of which one triangle was computed. An error where the other one is
/// not as it was: NaN, or what C had.
template <typename T>
static std::string mirror(const Shape &shape, const Operands &operands, const Pattern &pattern,
                          std::vector<char> &c) {
  T *elements = reinterpret_cast<T *>(c.data());
  bool isHermitian = shape.operation.info().c == operation::Structure::Hermitian;
  auto isNumber = [](const T &number) { return !std::isnan(double(std::abs(Wide<T>(number)))); };
  int64_t leading = shape.operation.c.leading;
  for (int64_t index = 0; index < shape.batch(); ++index) {
    T *matrix = elements + index * shape.step(2);
    HostMatrix<T> before = initialMatrix<T>(shape, operands, pattern, index);
    for (int64_t i = 0; i < shape.m(); ++i)
      for (int64_t j = 0; j < i; ++j) {
        auto [row, column] = shape.isUpper() ? std::pair(i, j) : std::pair(j, i);
        T &other = matrix[row * leading + column], &computed = matrix[column * leading + row];
        T initial = before.at(row, column);
        bool isKept = shape.readsC() ? !std::memcmp(&other, &initial, sizeof(T)) : !isNumber(other);
        if (!isKept)
          return llvm::formatv("row {0}, column {1} of matrix {2} was written", row, column, index);
        other = isHermitian ? conjugated(computed) : computed;
      }
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
  std::string wrong = mirror<T>(shape, operands, pattern, whole);
  return wrong.empty() ? verifyAs<T>(shape, operands, pattern, whole) : wrong;
}

std::string rooftile::bench::checkResult(const Shape &shape, const Operands &operands,
                                         const Pattern &pattern, const std::vector<char> &c) {
  if (shape.hasTriangle())
    return checkTriangular(shape, operands, pattern, c);
  return withElement(shape.element(), [&](auto zero) {
    return checkAs<decltype(zero)>(shape, operands, pattern, c);
  });
}
