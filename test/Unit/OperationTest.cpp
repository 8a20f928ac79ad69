//===- OperationTest.cpp - Lines of operations, and what they stand for ---===//

#include "RandomOperation.h"
#include "rooftile/Operation/Text.h"

#include <gtest/gtest.h>

#include <complex>
#include <fstream>

using namespace rooftile::operation;

/// The line is the operation, and nothing of it is lost.
TEST(OperationTest, LinesRoundTrip) {
  Random random;
  int valid = 0;
  for (int i = 0; i < 20000; ++i) {
    Operation operation = random.operation();
    if (whatIsWrong(operation))
      continue;
    ++valid;
    std::string line = text(operation);
    Parsed parsed = parse(line);
    ASSERT_EQ(parsed.error, "") << line;
    ASSERT_TRUE(parsed.operation == operation) << line << "\n" << text(parsed.operation);
    ASSERT_EQ(hash(parsed.operation), hash(operation));
    Pattern pattern;
    ASSERT_TRUE(Pattern::parse(line, pattern)) << line;
    ASSERT_TRUE(pattern.matches(operation)) << line;
  }
  EXPECT_GT(valid, 5000);
}

TEST(OperationTest, Lines) {
  for (const char *line :
       {"v1 gemm type=f32 op=nt m=4096 n=4096 k=16",
        "v1 gemm type=f16/f16/f32 op=tn m=any n=64 k=8 order=column ld=9/8/any align=2/4/16",
        "v1 gemm type=c64 op=cj m=3 n=4 k=5 batch=strided count=any stride=0/20/12 beta=any",
        "v1 gemm type=f32 op=nn m=1 n=1 k=1 bias=column activation=gelu alias=ab",
        "v1 trsm type=c128 op=c side=right uplo=upper diag=unit m=10 n=20 alpha=any "
        "dependence=exact",
        "v1 her2k type=c64 op=n uplo=upper n=10 k=20 beta=one", "v1 trtri type=f64 n=9 ld=12"})
    EXPECT_EQ(text(parse(line).operation), line) << parse(line).error;
  // Keys come in any order, and defaults may be stated.
  EXPECT_EQ(text(parse(" v1 gemm k=3 n=2 m=1\talpha=one op=nn type=f32/f32/f32 ").operation),
            "v1 gemm type=f32 op=nn m=1 n=2 k=3");
}

TEST(OperationTest, Errors) {
  auto error = [](const char *line) {
    Parsed parsed = parse(line);
    return std::to_string(parsed.column) + ": " + parsed.error;
  };
  EXPECT_EQ(error(""), "1: expected 'v1' and a routine");
  EXPECT_EQ(error("v2 gemm m=1"), "1: expected version 'v1', not 'v2'");
  EXPECT_EQ(error("v1"), "3: expected a routine, such as gemm");
  EXPECT_EQ(error("v1 gem m=1"), "4: no routine 'gem'; did you mean 'gemm'?");
  EXPECT_EQ(error("v1 gemm lda=1"), "9: no key 'lda'; did you mean 'ld'?");
  EXPECT_EQ(error("v1 gemm m"), "9: expected KEY=VALUE, not 'm'");
  EXPECT_EQ(error("v1 gemm m=1 m=2"), "13: the key 'm' is there twice");
  EXPECT_EQ(error("v1 gemm m=-3"), "11: expected a size of 0 or more, or any, not '-3'");
  EXPECT_EQ(error("v1 gemm op=n"), "12: expected two letters of ntcj, not 'n'");
  EXPECT_EQ(error("v1 herk op=t"), "12: expected one letter of nc, not 't'");
  EXPECT_EQ(error("v1 gemm type=f31"), "14: expected f16, bf16, f32, f64, c64 or c128, not 'f31'");
  EXPECT_EQ(error("v1 gemm ld=1/2"), "12: expected one value, or 3 separated by /, not '1/2'");
  EXPECT_EQ(error("v1 gemm side=left"), "14: gemm has no side");
  EXPECT_EQ(error("v1 gemm align=32"), "15: expected 1, 2, 4, 8, 16 or any, not '32'");
  EXPECT_EQ(error("v1 trsm side=up"), "14: expected one of left, right, not 'up'");
  EXPECT_EQ(error("v1 gemm m=*"), "11: a value of * is for patterns only");
  EXPECT_EQ(error("v1 gemm *"), "9: expected KEY=VALUE, not '*'");
  EXPECT_EQ(error("v1 gemm type=f32 m=4 n=4 k=9 ld=4"),
            "1: A: the leading dimension is 4, less than 9, the columns of a row");
}

TEST(OperationTest, OlderSpellings) {
  EXPECT_EQ(text(parse("v1 gemm summation=any_order").operation),
            text(parse("v1 gemm summation=anyOrder").operation));
  EXPECT_EQ(text(parse("v1 trtri diag=non_unit").operation), text(parse("v1 trtri").operation));
}

static bool matches(const char *line, const char *operation) {
  Pattern pattern;
  EXPECT_EQ(Pattern::parse(line, pattern).error, "") << line;
  return pattern.matches(parse(operation).operation);
}

TEST(OperationTest, Patterns) {
  const char *square = "v1 gemm type=f32 op=nt m=64 n=64 k=64";
  EXPECT_TRUE(matches("v1 gemm type=f32 op=nt m=64 n=64 k=*", square));
  EXPECT_TRUE(matches("v1 gemm m=64 *", square));
  EXPECT_FALSE(matches("v1 gemm m=63 *", square));
  EXPECT_FALSE(matches("v1 trmm *", square));
  // A key that is not named has its default.
  EXPECT_TRUE(matches("v1 gemm type=* op=* m=* n=* k=*", square));
  EXPECT_FALSE(
      matches("v1 gemm type=* op=* m=* n=* k=*", "v1 gemm type=f32 op=nt m=64 n=64 k=64 beta=any"));
  EXPECT_FALSE(matches("v1 gemm type=* op=* m=* n=* k=*",
                       "v1 gemm type=f32 op=nt m=64 n=64 k=64 ld=65/64/64"));
}

TEST(OperationTest, PatternsCompareSizes) {
  const char *product = "v1 gemm type=f32 op=nt m=64 n=60 k=7";
  EXPECT_TRUE(matches("v1 gemm type=f32 op=nt m>=64 m<=64 n%8=4 k!=8", product));
  EXPECT_TRUE(matches("v1 gemm k<8 k>6 n%8>=3 *", product));
  EXPECT_FALSE(matches("v1 gemm m>64 *", product));
  EXPECT_FALSE(matches("v1 gemm n%8=0 *", product));
  EXPECT_FALSE(matches("v1 gemm k<7 *", product));
  // Other keys have their defaults, as in each pattern.
  EXPECT_FALSE(matches("v1 gemm m>=1 n>=1 k>=1", product));
  EXPECT_FALSE(matches("v1 gemm m>=0 *", "v1 gemm type=f32 op=nn m=any n=60 k=7"));
  EXPECT_FALSE(matches("v1 gemm count>=1 *", product));
  EXPECT_TRUE(
      matches("v1 gemm count>=10 *", "v1 gemm type=f32 op=nn m=4 n=4 k=4 batch=strided count=10"));
  auto error = [](const char *line) {
    Pattern pattern;
    Parsed parsed = Pattern::parse(line, pattern);
    return std::to_string(parsed.column) + ": " + parsed.error;
  };
  EXPECT_EQ(error("v1 gemm mm>=3 *"), "9: no key 'mm'; did you mean 'm'?");
  EXPECT_EQ(error("v1 gemm m%0=0"), "9: expected a divisor of 1 or more after m%");
  EXPECT_EQ(error("v1 gemm m>=x"),
            "9: expected a comparison by =, !=, <, <=, > or >= with a number, not 'm>=x'");
  EXPECT_EQ(error("v1 trsm k<3"), "9: trsm has no k");
  EXPECT_EQ(error("v1 gemm ld>3"), "9: ld is no size to compare: m, n, k or count");
  EXPECT_EQ(parse("v1 gemm m>=3").error, "comparisons are for patterns only");
}

TEST(OperationTest, WhatIsWrong) {
  auto message = [](const Operation &operation) { return whatIsWrong(operation).message; };
  Operation operation;
  operation.m = operation.n = operation.k = 8;
  operation.a.leading = operation.b.leading = operation.c.leading = 8;
  EXPECT_EQ(message(operation), "");
  operation.b.align = 12;
  EXPECT_EQ(message(operation), "B: an alignment of 12 bytes is no power of 2");
  operation.b.align = 0;
  operation.m = -2;
  EXPECT_EQ(message(operation), "m is -2: sizes are 0 or more");
  operation.m = INT64_MAX / 8;
  EXPECT_NE(message(operation).find("more than an address reaches"), std::string::npos);
  operation.m = 8;
  operation.c.element = Element::F64;
  EXPECT_EQ(message(operation), "no kernel for A of f32, B of f32 and C of f64");
  operation.c.element = Element::F32;
  operation.routine = Routine::Herk;
  EXPECT_EQ(message(operation), "no kernel for f32: herk accepts c64 and c128");
  operation.routine = Routine::Syrk;
  operation.opA = Op::C;
  EXPECT_EQ(message(operation), "syrk has no op_a of 'c'");
  operation.opA = Op::N;
  operation.m = 7;
  EXPECT_EQ(message(operation), "m is 7 and n is 8: C of syrk is square");
  operation.m = 8;
  operation.batch = Batch::Pointers;
  EXPECT_EQ(message(operation), "syrk accepts no batch by pointers");
}

//===----------------------------------------------------------------------===//
// Exchanged operands
//===----------------------------------------------------------------------===//

namespace {
using Complex = std::complex<double>;
/// Small matrices by their memory, for an operation with c128 elements and no gaps.
struct Values {
  std::vector<Complex> memory[3];
};
} // namespace

static size_t placeOf(const Operation &operation, int index, int64_t i, int64_t j) {
  const Matrix &matrix = operation.operand(index);
  return size_t(matrix.order == Order::RowMajor ? i * matrix.leading + j : i + j * matrix.leading);
}

/// Element (i, j) of a matrix as the routine reads it.
static Complex read(const Operation &operation, const Values &values, int index, int64_t i,
                    int64_t j) {
  Structure structure = operation.structure(index);
  bool isStored = operation.triangle == Triangle::Lower ? i >= j : i <= j;
  auto at = [&](int64_t i, int64_t j) {
    return values.memory[index][placeOf(operation, index, i, j)];
  };
  if (structure == Structure::General || (isStored && i != j))
    return at(i, j);
  if (i == j) {
    if (structure == Structure::Triangle && operation.diagonal == Diagonal::Unit)
      return 1;
    return structure == Structure::Hermitian ? Complex(at(i, i).real()) : at(i, i);
  }
  if (structure == Structure::Triangle)
    return 0;
  return structure == Structure::Hermitian ? std::conj(at(j, i)) : at(j, i);
}

static Complex entering(const Operation &operation, const Values &values, int index, int64_t i,
                        int64_t j) {
  Op op = index == 1 && operation.info().hasOpB ? operation.opB
          : *operation.info().ops               ? operation.opA
                                                : Op::N;
  if (index == 1 && operation.info().sizes == Sizes::MN)
    op = Op::N;
  Complex value = isTransposed(op) ? read(operation, values, index, j, i)
                                   : read(operation, values, index, i, j);
  return op == Op::C || op == Op::J ? std::conj(value) : value;
}

/// Element (i, j) of the result with alpha = 2 + i (2 where it is real) and beta = 0; of trsm of
/// the product that it inverts, of trtri of what it reads.
static Complex result(const Operation &operation, const Values &values, int64_t i, int64_t j) {
  const RoutineInfo &info = operation.info();
  Complex alpha = info.alpha == ScalarType::Real ? Complex(2) : Complex(2, 1), sum = 0;
  auto a = [&](int64_t i, int64_t j) { return entering(operation, values, 0, i, j); };
  auto b = [&](int64_t i, int64_t j) { return entering(operation, values, 1, i, j); };
  auto c = [&](int64_t i, int64_t j) { return values.memory[2][placeOf(operation, 2, i, j)]; };
  bool conjugates = info.c == Structure::Hermitian;
  auto other = [&](Complex value) { return conjugates ? std::conj(value) : value; };
  switch (info.sizes) {
  case Sizes::MNK:
    for (int64_t l = 0; l < operation.k; ++l)
      sum += a(i, l) * b(l, j);
    return alpha * sum;
  case Sizes::MN:
    for (int64_t l = 0; l < operation.order(); ++l) {
      bool isLeft = operation.side == Side::Left;
      int64_t row = isLeft ? l : i, column = isLeft ? j : l;
      Complex inner = info.b == Structure::None ? c(row, column) : b(row, column);
      sum += isLeft ? a(i, l) * inner : inner * a(l, j);
    }
    return alpha * sum;
  case Sizes::NK:
    for (int64_t l = 0; l < operation.k; ++l)
      sum += info.b == Structure::None
                 ? alpha * a(i, l) * other(a(j, l))
                 : alpha * a(i, l) * other(b(j, l)) + other(alpha) * b(i, l) * other(a(j, l));
    return sum;
  case Sizes::N:
    return read(operation, values, 2, i, j);
  }
  return 0;
}

/// C in row-major order is the same function of the same memory, for every routine and choice.
TEST(OperationTest, ExchangedOperandsComputeTheSame) {
  Random random;
  int checked = 0;
  for (int i = 0; i < 4000; ++i) {
    Operation operation = random.operation();
    const RoutineInfo &info = operation.info();
    operation.n = 1 + random.below(5);
    operation.m =
        info.sizes == Sizes::NK || info.sizes == Sizes::N ? operation.n : 1 + random.below(5);
    operation.k = 1 + random.below(4);
    Values values;
    for (int index : {0, 1, 2}) {
      operation.operand(index).leading = 8;
      for (int element = 0; element < 64; ++element)
        values.memory[index].push_back(Complex(double(random.below(9)), double(random.below(9))));
    }
    Operation other = exchanged(operation);
    ASSERT_NE(other.c.order, operation.c.order);
    Values moved = values;
    if (swapsOperands(operation.routine))
      std::swap(moved.memory[0], moved.memory[1]);
    for (int64_t row = 0; row < operation.m; ++row)
      for (int64_t column = 0; column < operation.n; ++column, ++checked) {
        ASSERT_EQ(placeOf(operation, 2, row, column), placeOf(other, 2, column, row));
        ASSERT_EQ(result(operation, values, row, column), result(other, moved, column, row))
            << text(operation) << "\n"
            << text(other);
      }
    ASSERT_TRUE(exchanged(other) == operation) << text(operation);
  }
  EXPECT_GT(checked, 20000);
}

TEST(OperationTest, Canonical) {
  Operation operation = parse("v1 gemm type=f32 op=cj m=8 n=9 k=7").operation;
  EXPECT_EQ(text(canonical(operation)), "v1 gemm type=f32 op=tn m=8 n=9 k=7");
  operation = parse("v1 gemm type=c64 op=cj m=8 n=9 k=7 order=column bias=row").operation;
  EXPECT_EQ(text(canonical(operation)), "v1 gemm type=c64 op=jc m=9 n=8 k=7 bias=column");
  operation = parse("v1 herk type=c64 op=n uplo=upper n=8 k=7 order=row/column").operation;
  EXPECT_EQ(text(canonical(operation)), "v1 herk type=c64 op=c n=8 k=7 order=column/row");
}

TEST(OperationTest, Work) {
  auto of = [](const char *line) { return parse(line).operation; };
  EXPECT_EQ(flops(of("v1 gemm type=f32 op=nn m=2 n=3 k=4 batch=strided count=10")), 480);
  EXPECT_EQ(flops(of("v1 gemm type=c64 op=nn m=2 n=3 k=4")), 192);
  EXPECT_EQ(flops(of("v1 trmm type=f32 op=n side=right m=2 n=4")), 32);
  EXPECT_EQ(flops(of("v1 symm type=f32 m=2 n=4")), 32);
  EXPECT_EQ(flops(of("v1 syrk type=f32 op=n n=4 k=3")), 60);
  EXPECT_EQ(flops(of("v1 syr2k type=f32 op=n n=4 k=3")), 120);
  Operation product = of("v1 gemm type=f64 op=nn m=2 n=3 k=4 batch=strided count=5 stride=0/12/6");
  EXPECT_EQ(bytesRead(product), 8 * (8 + 5 * 12));
  EXPECT_EQ(bytesWritten(product), 8 * 5 * 6);
  product.beta = Scalar::AtRunTime;
  EXPECT_EQ(bytesRead(product), 8 * (8 + 5 * 12 + 5 * 6));
  EXPECT_EQ(bytesRead(of("v1 trsm type=f32 op=n m=4 n=2")), 4 * (10 + 8));
  EXPECT_EQ(bytesWritten(of("v1 herk type=c64 op=n n=4 k=2")), 8 * 10);
}

TEST(OperationTest, Tables) {
  for (const RoutineInfo &info : kRoutines) {
    EXPECT_EQ(routineNamed(info.name), info.routine);
    EXPECT_EQ(infoOf(info.routine).name, std::string(info.name));
  }
  for (const ElementInfo &info : kElements) {
    EXPECT_EQ(elementNamed(info.name), info.element);
    EXPECT_EQ(infoOf(info.element).bytes, info.components * bytesOf(info.real));
  }
  EXPECT_FALSE(hasKernels(infoOf(Routine::Trsm), Element::F16));
  EXPECT_FALSE(hasKernels(infoOf(Routine::Herk), Element::F64)); // beside "c64"
  EXPECT_TRUE(hasKernels(infoOf(Routine::Gemm), Element::BF16));
}

/// docs/Operations.md has the rows of both tables, word for word.
TEST(OperationTest, DocumentedTables) {
  std::ifstream file(ROOFTILE_SOURCE "/docs/Operations.md");
  std::string document((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_NE(document, "");
  for (const RoutineInfo &info : kRoutines) {
    std::string row = std::string("| `") + info.name + "` | " + info.formula + " |";
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
  size_t last = 0;
  for (const KeyInfo &key : keys()) {
    std::string row =
        std::string("| `") + key.name + "` | " + key.values + " | " + key.meaning + " |";
    size_t at = document.find(row);
    EXPECT_NE(at, std::string::npos) << row;
    EXPECT_GT(at, last) << row;
    last = at;
  }
}
