//===- BenchTest.cpp - gemm-bench notices a wrong result ------------------===//

#include "rooftile/Bench/Check.h"
#include "rooftile/Bench/Draw.h"
#include "rooftile/Compiler/OperationModule.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Verify/Operands/Element.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace rooftile::bench;

namespace {

/// The text of the module of a shape.
std::string moduleOf(const Shape &shape) {
  return rooftile::compiler::textOfModule(shape.compiled());
}

/// op(A) op(B) from the pattern, element by element.
template <typename T>
std::vector<T> product(const Shape &shape, const Operands &operands, const Pattern &pattern) {
  std::vector<T> c;
  for (int64_t matrix = 0; matrix < shape.batch(); ++matrix)
    for (int64_t i = 0; i < shape.m(); ++i)
      for (int64_t j = 0; j < shape.n(); ++j) {
        double sum = 0;
        for (int64_t k = 0; k < shape.k(); ++k) {
          int64_t a = isTransposed(shape.operation.opA) ? k * shape.m() + i : i * shape.k() + k;
          int64_t b = isTransposed(shape.operation.opB) ? j * shape.k() + k : k * shape.n() + j;
          sum += double(pattern.at<T>(operands.firstA + matrix * shape.step(0) + a)) *
                 pattern.at<T>(operands.firstB + matrix * shape.step(1) + b);
        }
        c.push_back(sum);
      }
  return c;
}

template <typename T>
std::string check(const Shape &shape, const std::vector<T> &c, const Operands &operands,
                  const Pattern &pattern) {
  std::vector<char> bytes(c.size() * sizeof(T));
  std::memcpy(bytes.data(), c.data(), bytes.size());
  return checkResult(shape, operands, pattern, bytes);
}

template <typename T> void rightAndWrong(const char *line) {
  Shape shape = llvm::cantFail(Shape::parse(line));
  Pattern pattern(shape.element());
  Operands operands;
  operands.firstA = kPeriod - 7; // both operands go around the pattern's end
  operands.firstB = kPeriod - 100;
  std::vector<T> c = product<T>(shape, operands, pattern);
  EXPECT_EQ(check(shape, c, operands, pattern), "") << line;
  for (size_t place : {size_t(0), c.size() / 2, c.size() - 1}) {
    std::vector<T> wrong = c;
    wrong[place] += T(0.25); // what leaving out one product does
    EXPECT_NE(check(shape, wrong, operands, pattern), "") << line << " at " << place;
    wrong[place] = NAN;
    EXPECT_NE(check(shape, wrong, operands, pattern), "") << line << " at " << place;
  }
}

TEST(Bench, AWrongElementIsNoticed) {
  rightAndWrong<float>("f32 nn 70x130x90");
  rightAndWrong<float>("f32 nt 33x1x5");
  rightAndWrong<float>("f32 tn 7x9x3000");
  rightAndWrong<double>("f64 tt 65x66x67");
  rightAndWrong<double>("f64 nn 3x4x5 batch=6");
  rightAndWrong<float>("f32 nt 3x4x5 batch=6 share=a");
  rightAndWrong<float>("f32 nn 3x4x5 batch=6 share=b");
}

/// Twice as precise as T.
template <typename T> struct WideOf {
  using type = double;
};
template <typename Real> struct WideOf<std::complex<Real>> {
  using type = std::complex<double>;
};
template <typename T> using Wide = typename WideOf<T>::type;

double conjugate(double value) { return value; }
std::complex<double> conjugate(std::complex<double> value) { return std::conj(value); }

/// The result of one triangular operation on `a` and `b`.
template <typename T>
std::vector<Wide<T>> triangularResult(const Shape &shape, const T *a,
                                      const std::vector<Wide<T>> &b) {
  auto at = [&](int64_t i, int64_t j) -> Wide<T> {
    if (i == j)
      return shape.isUnit() ? 1 : 2;
    if (isTransposed(shape.operation.opA))
      std::swap(i, j);
    Wide<T> value = (j > i) == shape.isUpper() ? Wide<T>(a[i * shape.k() + j]) : Wide<T>(0);
    return (shape.operation.opA == rooftile::operation::Op::C) ? conjugate(value) : value;
  };
  std::vector<Wide<T>> c(shape.m() * shape.n());
  bool isSolve = shape.operation.routine == Routine::Trsm;
  // For a solve by fixed-point iteration: D X = B - (A - D) X converges, D being the diagonal.
  for (int round = 0; round < (isSolve ? 200 : 1); ++round)
    for (int64_t i = 0; i < shape.m(); ++i)
      for (int64_t j = 0; j < shape.n(); ++j) {
        Wide<T> sum = 0;
        for (int64_t l = 0; l < shape.k(); ++l) {
          Wide<T> factor = shape.isRight() ? at(l, j) : at(i, l);
          int64_t place = shape.isRight() ? i * shape.n() + l : l * shape.n() + j;
          bool diagonal = isSolve && l == (shape.isRight() ? j : i);
          sum += diagonal ? 0 : factor * (isSolve ? c[place] : b[place]);
        }
        int64_t place = i * shape.n() + j;
        c[place] = isSolve ? (b[place] - sum) / at(0, 0) : sum;
      }
  return c;
}

/// Right results of triangular operations, and one wrong element in one of them.
template <typename T> void triangular(const std::string &line) {
  Shape shape = llvm::cantFail(Shape::parse(line));
  Pattern pattern(shape.element());
  Operands operands;
  operands.triangle.resize(shape.batch() * shape.elements(0) * sizeof(T));
  T *a = reinterpret_cast<T *>(operands.triangle.data());
  std::vector<T> rounded;
  for (int64_t index = 0; index < shape.batch(); ++index, a += shape.elements(0)) {
    for (int64_t i = 0; i < shape.elements(0); ++i) // the other triangle must not matter
      a[i] = i / shape.k() == i % shape.k()
                 ? T(2)
                 : T(Wide<T>(pattern.at<T>(i + index)) / double(shape.k()));
    std::vector<Wide<T>> b;
    for (int64_t i = 0; i < shape.elements(2); ++i)
      b.push_back(Wide<T>(pattern.at<T>(index * shape.elements(2) + i)));
    for (Wide<T> element : triangularResult(shape, a, b))
      rounded.push_back(T(element));
  }
  EXPECT_EQ(check(shape, rounded, operands, pattern), "") << line;
  for (size_t place : {rounded.size() / 2, rounded.size() - 1}) {
    std::vector<T> wrong = rounded;
    wrong[place] = T(Wide<T>(wrong[place]) + 0.25);
    EXPECT_NE(check(shape, wrong, operands, pattern), "") << line << " at " << place;
  }
}

TEST(Bench, AWrongTriangularResultIsNoticed) {
  for (std::string form : {"llnn", "lunu", "lltn", "lutu", "rlnn", "runu", "rltn", "rutu"}) {
    std::string sizes = form[0] == 'l' ? " 20x30x20" : " 30x20x20";
    triangular<float>("f32 trmm-" + form + sizes);
    triangular<double>("f64 trsm-" + form + sizes);
    triangular<float>("f32 trsm-" + form + " 5x5x5 batch=7");
    triangular<std::complex<float>>("c64 trsm-" + form + sizes);
    triangular<std::complex<double>>("c128 trmm-" + form + sizes);
    triangular<rooftile::verify::Half>("f16 trmm-" + form + sizes);
  }
  for (std::string form : {"llcn", "lucu", "rlcn"}) {
    std::string sizes = form[0] == 'l' ? " 20x30x20" : " 30x20x20";
    triangular<std::complex<double>>("c128 trsm-" + form + sizes);
    triangular<std::complex<float>>("c64 trmm-" + form + sizes);
  }
}

/// The result of a rank update, or of a product with a symmetric matrix: NaN where it has none.
template <typename T>
std::vector<T> symmetricResult(const Shape &shape, const Operands &operands,
                               const Pattern &pattern) {
  using rooftile::operation::Structure;
  const rooftile::operation::RoutineInfo &info = shape.operation.info();
  bool isHermitian = info.a == Structure::Hermitian || info.c == Structure::Hermitian;
  auto mirrored = [&](T value) { return isHermitian ? T(conjugate(Wide<T>(value))) : value; };
  auto at = [&](int operand, int64_t i, int64_t j) {
    int64_t first = operand ? operands.firstB : operands.firstA;
    return pattern.at<T>(first + i * shape.operation.columns(operand) + j);
  };
  auto whole = [&](int64_t i, int64_t j) {
    if (i == j)
      return isHermitian ? T(std::real(at(0, i, i))) : at(0, i, i);
    return (j > i) == shape.isUpper() ? at(0, i, j) : mirrored(at(0, j, i));
  };
  auto entering = [&](int operand, int64_t i, int64_t l) {
    bool isTransposed = shape.operation.opA != rooftile::operation::Op::N;
    return isTransposed ? mirrored(at(operand, l, i)) : at(operand, i, l);
  };
  int last = shape.operation.has(1) ? 1 : 0;
  std::vector<T> c;
  for (int64_t i = 0; i < shape.m(); ++i)
    for (int64_t j = 0; j < shape.n(); ++j) {
      T sum = 0;
      for (int64_t l = 0; l < shape.k(); ++l)
        if (info.hasSide)
          sum += shape.isRight() ? at(1, i, l) * whole(l, j) : whole(i, l) * at(1, l, j);
        else
          for (int left = 0; left <= last; ++left)
            sum += entering(left, i, l) * mirrored(entering(last - left, j, l));
      bool counts = info.hasSide || i == j || (j > i) == shape.isUpper();
      c.push_back(counts ? sum : T(NAN));
    }
  return c;
}

template <typename T> void symmetric(const char *line, int64_t place) {
  Shape shape = llvm::cantFail(Shape::parse(line));
  Pattern pattern(shape.element());
  Operands operands;
  operands.firstA = kPeriod - 7;
  operands.firstB = kPeriod - 100;
  std::vector<T> c = symmetricResult<T>(shape, operands, pattern);
  EXPECT_EQ(check(shape, c, operands, pattern), "") << line;
  c[place] += T(0.25);
  EXPECT_NE(check(shape, c, operands, pattern), "") << line;
}

TEST(Bench, AWrongSymmetricResultIsNoticed) {
  using Complex = std::complex<double>;
  symmetric<double>("f64 symm-ll 20x30x20", 17);
  symmetric<double>("f64 symm-ru 20x30x30", 599);
  symmetric<Complex>("c128 symm-lu 20x30x20", 0);
  symmetric<Complex>("c128 hemm-ll 20x30x20", 17);
  symmetric<Complex>("c128 hemm-ru 20x30x30", 599);
  symmetric<double>("f64 syrk-un 20x20x30", 19);
  symmetric<Complex>("c128 herk-lc 20x20x30", 380);
  symmetric<double>("f64 syr2k-ln 20x20x30", 380);
  symmetric<Complex>("c128 syr2k-ut 20x20x30", 19);
  symmetric<Complex>("c128 her2k-ln 20x20x30", 380);
  symmetric<Complex>("c128 her2k-uc 20x20x30", 19);
  // The other triangle is written.
  symmetric<double>("f64 syr2k-ln 20x20x30", 0);
}

/// X of A X = 1, row by row, and what A has where X has nothing.
TEST(Bench, AWrongInverseIsNoticed) {
  for (std::string form : {"ln", "un", "lu", "uu"}) {
    Shape shape = llvm::cantFail(Shape::parse("f64 trtri-" + form + " 20x20x20"));
    Pattern pattern(shape.element());
    Operands operands;
    int64_t n = shape.n();
    operands.triangle.resize(n * n * sizeof(double));
    auto *a = reinterpret_cast<double *>(operands.triangle.data());
    for (int64_t i = 0; i < n * n; ++i)
      a[i] = i / n == i % n ? 2 : pattern.at<double>(i) / double(n);
    auto at = [&](int64_t i, int64_t j) {
      return i == j                       ? shape.isUnit() ? 1 : a[i * n + i]
             : (j > i) == shape.isUpper() ? a[i * n + j]
                                          : 0;
    };
    std::vector<double> x(a, a + n * n);
    for (int64_t step = 0; step < n; ++step)
      for (int64_t j = 0; j < n; ++j) {
        int64_t i = shape.isUpper() ? n - 1 - step : step;
        double sum = i == j;
        for (int64_t l = 0; l < n; ++l)
          if (l != i && at(i, l) != 0 && (l == j || (j > l) == shape.isUpper()))
            sum -= at(i, l) * (l == j && shape.isUnit() ? 1 : x[l * n + j]);
        bool counts = i == j ? !shape.isUnit() : (j > i) == shape.isUpper();
        if (counts)
          x[i * n + j] = sum / at(i, i);
      }
    EXPECT_EQ(check(shape, x, operands, pattern), "") << form;
    for (int64_t place : {int64_t(1), n, n * n - 1}) { // one in each triangle, and the diagonal
      std::vector<double> wrong = x;
      wrong[place] += 0.25;
      EXPECT_NE(check(shape, wrong, operands, pattern), "") << form << " at " << place;
    }
  }
}

/// Every routine has a line of letters and a canonical one, which are the same operation.
TEST(Bench, LettersAreCanonicalLines) {
  std::pair<const char *, const char *> lines[] = {
      {"f32 nt 4x5x6", "v1 gemm type=f32 op=nt m=4 n=5 k=6"},
      {"c64 cj 4x5x6 anyOrder emulated",
       "v1 gemm type=c64 op=cj m=4 n=5 k=6 math=emulated summation=anyOrder"},
      {"f64 nn 4x5x6 batch=3 share=a",
       "v1 gemm type=f64 op=nn m=4 n=5 k=6 batch=strided count=3 stride=0/30/20"},
      {"f32 nn 4x5x6 batch=3 pointers",
       "v1 gemm type=f32 op=nn m=4 n=5 k=6 batch=pointers count=3 align=16/8/16"},
      {"c128 trmm-llcn 4x5x4 exact", "v1 trmm type=c128 op=c m=4 n=5 dependence=exact"},
      {"f32 trsm-rutu 4x5x5 batch=3",
       "v1 trsm type=f32 op=t side=right uplo=upper diag=unit m=4 n=5 batch=strided count=3"},
      {"f32 symm-rl 4x5x5", "v1 symm type=f32 side=right m=4 n=5"},
      {"c64 hemm-lu 4x5x4", "v1 hemm type=c64 uplo=upper m=4 n=5"},
      {"f64 syrk-ut 5x5x6", "v1 syrk type=f64 op=t uplo=upper n=5 k=6"},
      {"c64 herk-lc 5x5x6", "v1 herk type=c64 op=c n=5 k=6"},
      {"f64 syr2k-ln 5x5x6", "v1 syr2k type=f64 op=n n=5 k=6"},
      {"c128 her2k-un 5x5x6", "v1 her2k type=c128 op=n uplo=upper n=5 k=6"},
      {"f32 trtri-uu 5x5x5", "v1 trtri type=f32 uplo=upper diag=unit n=5"}};
  for (auto [letters, line] : lines) {
    Shape shape = llvm::cantFail(Shape::parse(letters));
    bool isDynamic = !shape.byPointers();
    auto parsed =
        Shape::parse(std::string(line) + (isDynamic ? " dynamic" : "") + " class=own <plan>");
    ASSERT_TRUE(bool(parsed)) << line << ": " << llvm::toString(parsed.takeError());
    EXPECT_EQ(rooftile::operation::text(canonical(shape.operation)), line);
    EXPECT_EQ(rooftile::operation::text(parsed->operation), line);
    EXPECT_EQ(parsed->group + parsed->plan, "own<plan>");
    EXPECT_EQ(parsed->isDynamic, isDynamic);
    EXPECT_EQ(parsed->flops(), shape.flops());
    EXPECT_NE(moduleOf(shape).find(std::string("blas.") + shape.operation.info().name),
              std::string::npos);
    EXPECT_EQ(shape.key().rfind(letters, 0), 0u) << shape.key();
  }
}

/// A check with the wrong op(A) fails results of one that conjugates.
TEST(Bench, ConjugatesAreTold) {
  Shape shape = llvm::cantFail(Shape::parse("c64 trmm-llcn 6x6x6"));
  EXPECT_EQ(shape.op(), "trmm-llcn");
  EXPECT_NE(moduleOf(shape).find("opA<c>"), std::string::npos);
}

/// Operations that a chip is tuned for: all types, each once, and lines of a list.
TEST(Bench, DefaultOperationsAreLines) {
  std::set<std::string> keys, types, groups;
  for (const Shape &shape : defaultOperations()) {
    EXPECT_TRUE(keys.insert(shape.key()).second) << shape.key();
    types.insert(nameOf(shape.element())), groups.insert(shape.group);
    EXPECT_EQ(llvm::cantFail(Shape::parse(shape.key())).operation, shape.operation) << shape.key();
  }
  EXPECT_EQ(keys.size(), 108u);
  EXPECT_EQ(types.size(), 6u);
  EXPECT_EQ(groups.size(), 11u);
}

TEST(Bench, DataAreUniform) {
  for (Element element : {Element::F32, Element::F64}) {
    Pattern pattern(element);
    double sum = 0, squares = 0, most = 0;
    for (int64_t i = 0; i < 100000; ++i) {
      double value = element == Element::F32 ? pattern.at<float>(i) : pattern.at<double>(i);
      sum += value;
      squares += value * value;
      most = std::max(most, std::fabs(value));
    }
    EXPECT_NEAR(sum / 100000, 0, 0.01);
    EXPECT_NEAR(squares / 100000, 1.0 / 3, 0.01);
    EXPECT_GT(most, 0.999);
    EXPECT_LE(most, 1);
  }
}

TEST(Bench, ALineSaysWhatItIs) {
  Shape shape = llvm::cantFail(Shape::parse("f64 tn 3x4x5 batch=2 dynamic any_order class=own"));
  EXPECT_EQ(shape.key(), "f64 tn 3x4x5 batch=2 dynamic anyOrder");
  EXPECT_EQ(shape.group, "own");
  EXPECT_EQ(shape.flops(), 2.0 * 2 * 3 * 4 * 5);
  EXPECT_EQ(shape.bytes(), 2.0 * 8 * (15 + 20 + 12));
  EXPECT_NE(moduleOf(shape).find("anyOrder ins("), std::string::npos);
  EXPECT_NE(moduleOf(shape).find("memref<?x?x?xf64, strided<[?, ?, 1]>>"), std::string::npos);
  shape = llvm::cantFail(Shape::parse("f64 nn 3x4x5 batch=7 share=b"));
  EXPECT_EQ(shape.key(), "f64 nn 3x4x5 batch=7 share=b");
  EXPECT_EQ(shape.bytes(), 8.0 * (7 * 15 + 20 + 7 * 12));
  EXPECT_NE(moduleOf(shape).find("memref<7x5x4xf64, strided<[0, 4, 1]>>"), std::string::npos);
  shape = llvm::cantFail(Shape::parse("f64 nn 3x4x5 batch=7 pointers"));
  EXPECT_EQ(shape.key(), "f64 nn 3x4x5 batch=7 pointers");
  EXPECT_NE(moduleOf(shape).find("memref<7xi64> to memref<7x5x4xf64, "
                                 "#blas.pointers<strides = [4, 1], align = 16>>"),
            std::string::npos);
}

} // namespace
