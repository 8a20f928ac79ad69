//===- BenchTest.cpp - gemm-bench notices a wrong result ------------------===//

#include "rooftile/Bench/Check.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <gtest/gtest.h>

using namespace rooftile::bench;

namespace {

/// op(A) op(B) from the pattern, element by element.
template <typename T>
std::vector<T> product(const Shape &shape, const Operands &operands, const Pattern &pattern) {
  std::vector<T> c;
  for (int64_t matrix = 0; matrix < shape.batch; ++matrix)
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < shape.k; ++k) {
          int64_t a = shape.transposeA ? k * shape.m + i : i * shape.k + k;
          int64_t b = shape.transposeB ? j * shape.k + k : k * shape.n + j;
          sum += double(pattern.at<T>(operands.firstA + matrix * shape.stepA() + a)) *
                 pattern.at<T>(operands.firstB + matrix * shape.stepB() + b);
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
  Pattern pattern(shape.element);
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
      return shape.unit ? 1 : 2;
    if (shape.transposeA)
      std::swap(i, j);
    Wide<T> value = (j > i) == shape.upper ? Wide<T>(a[i * shape.k + j]) : Wide<T>(0);
    return shape.conjugateA ? conjugate(value) : value;
  };
  std::vector<Wide<T>> c(shape.m * shape.n);
  // For a solve by fixed-point iteration: D X = B - (A - D) X converges, D being the diagonal.
  for (int round = 0; round < (shape.inPlace() ? 200 : 1); ++round)
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        Wide<T> sum = 0;
        for (int64_t l = 0; l < shape.k; ++l) {
          Wide<T> factor = shape.right ? at(l, j) : at(i, l);
          int64_t place = shape.right ? i * shape.n + l : l * shape.n + j;
          bool diagonal = shape.inPlace() && l == (shape.right ? j : i);
          sum += diagonal ? 0 : factor * (shape.inPlace() ? c[place] : b[place]);
        }
        int64_t place = i * shape.n + j;
        c[place] = shape.inPlace() ? (b[place] - sum) / at(0, 0) : sum;
      }
  return c;
}

/// Right results of triangular operations, and one wrong element in one of them.
template <typename T> void triangular(const std::string &line) {
  Shape shape = llvm::cantFail(Shape::parse(line));
  Pattern pattern(shape.element);
  Operands operands;
  operands.triangle.resize(shape.batch * shape.elementsA() * sizeof(T));
  T *a = reinterpret_cast<T *>(operands.triangle.data());
  std::vector<T> rounded;
  for (int64_t index = 0; index < shape.batch; ++index, a += shape.elementsA()) {
    for (int64_t i = 0; i < shape.elementsA(); ++i) // the other triangle must not matter
      a[i] = i / shape.k == i % shape.k ? T(2)
                                        : T(Wide<T>(pattern.at<T>(i + index)) / double(shape.k));
    std::vector<Wide<T>> b;
    for (int64_t i = 0; i < shape.elementsB(); ++i)
      b.push_back(Wide<T>(pattern.at<T>(index * shape.elementsB() + i)));
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

/// A check that takes op(A) for what it is not fails results of one that conjugates.
TEST(Bench, ConjugatesAreTold) {
  Shape shape = llvm::cantFail(Shape::parse("c64 trmm-llcn 6x6x6"));
  EXPECT_EQ(shape.op(), "trmm-llcn");
  EXPECT_NE(shape.module("").find("op_a<c>"), std::string::npos);
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
  EXPECT_EQ(shape.key(), "f64 tn 3x4x5 batch=2 dynamic any_order");
  EXPECT_EQ(shape.group, "own");
  EXPECT_EQ(shape.flops(), 2.0 * 2 * 3 * 4 * 5);
  EXPECT_EQ(shape.bytes(), 2.0 * 8 * (15 + 20 + 12));
  EXPECT_NE(shape.module("").find("any_order ins(%a, %b : memref<?x?x?xf64>"), std::string::npos);
  shape = llvm::cantFail(Shape::parse("f64 nn 3x4x5 batch=7 share=b"));
  EXPECT_EQ(shape.key(), "f64 nn 3x4x5 batch=7 share=b");
  EXPECT_EQ(shape.bytes(), 8.0 * (7 * 15 + 20 + 7 * 12));
  EXPECT_NE(shape.module("").find(": memref<7x3x5xf64>, memref<5x4xf64>)"), std::string::npos);
  shape = llvm::cantFail(Shape::parse("f64 nn 3x4x5 batch=7 pointers"));
  EXPECT_EQ(shape.key(), "f64 nn 3x4x5 batch=7 pointers");
  EXPECT_NE(shape.module("").find("%b = blas.batch %bp : memref<7xi64> to memref<7x5x4xf64, "
                                  "#blas.pointers<strides = [4, 1], align = 16>>"),
            std::string::npos);
}

} // namespace
