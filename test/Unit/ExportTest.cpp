//===- ExportTest.cpp - Operations as functions of C ----------------------===//

#include "rooftile/Export/Signature.h"
#include "rooftile/Operation/Text.h"
#include "gtest/gtest.h"

using namespace rooftile;
using namespace rooftile::compiler;
using namespace rooftile::exporter;
using namespace rooftile::operation;
using rooftile::exported::ArgumentKind;

namespace {
/// alpha and beta as a program has them.
struct Scalars {
  float single[2];
  double twice[2];
};
} // namespace

static std::vector<std::string> namesOf(const Operation &operation) {
  std::vector<std::string> names;
  for (const Parameter &parameter : signatureOf(operation).parameters)
    names.push_back(parameter.name);
  return names;
}

static bool isWide(Element element) { return element == Element::F64 || element == Element::C128; }

/// Calls with other numbers for every argument fill the registers that argumentsOf fills.
/// Addresses lie `at` bytes after others.
static void checkRegisters(const Operation &operation, uint64_t at) {
  Signature signature = signatureOf(operation);
  Scalars alpha{{2.5f, -3.5f}, {2.5, -3.5}}, beta{{-0.75f, 8}, {-0.75, 8}};
  CallArguments call;
  call.alpha[0] = 2.5, call.beta[0] = -0.75;
  if (isComplex(operation.c.element))
    call.alpha[1] = -3.5, call.beta[1] = 8;
  std::vector<uint64_t> arguments, expected;
  for (const Parameter &parameter : signature.parameters) {
    uint64_t value =
        1000 + 16 * arguments.size() + (parameter.kind == ArgumentKind::Address ? at : 0);
    if (parameter.kind == ArgumentKind::Scalar) {
      const Scalars &scalar = parameter.name == "alpha" ? alpha : beta;
      value = isWide(operation.c.element) ? reinterpret_cast<uint64_t>(scalar.twice)
                                          : reinterpret_cast<uint64_t>(scalar.single);
    } else {
      parameter.give(call, int64_t(value));
    }
    arguments.push_back(value);
  }
  argumentsOf(operation, call, expected);
  ASSERT_EQ(signature.registers.size(), expected.size());
  ASSERT_LE(int64_t(expected.size()), exported::kMostArgumentRegisters);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(exported::valueOf(signature.registers[i], arguments.data()), expected[i])
        << "register " << i << " of " << text(operation);
}

TEST(ExportTest, RegistersAreThoseOfTheCompiler) {
  for (Element element :
       {Element::F16, Element::BF16, Element::F32, Element::F64, Element::C64, Element::C128})
    for (Order order : {Order::RowMajor, Order::ColumnMajor})
      for (Batch batch : {Batch::None, Batch::Strided})
        for (Routine routine : {Routine::Gemm, Routine::Trmm})
          for (int64_t size : {kAnySize, int64_t(24)}) {
            Operation operation;
            operation.routine = routine;
            operation.batch = batch;
            operation.n = size;
            operation.opA = Op::T;
            operation.alpha = Scalar::AtRunTime;
            if (routine == Routine::Gemm)
              operation.beta = Scalar::AtRunTime;
            for (Matrix *matrix : {&operation.a, &operation.b, &operation.c})
              matrix->element = element, matrix->order = order;
            for (uint64_t at : {0, 2, 8, 14})
              checkRegisters(operation, at);
          }
}

/// Parameters of lines as programs print them: what is known is none.
TEST(ExportTest, RegistersOfLines) {
  for (const char *line :
       {"v1 gemm type=f32 op=nt m=any n=8 k=4 ld=5/7/9 align=4/any/16",
        "v1 gemm type=c64 op=nn m=any n=8 k=any ld=any align=4",
        "v1 gemm type=f16 op=nn m=any n=8 k=4 order=column bias=row",
        "v1 gemm type=f64 op=tn m=9 n=9 k=any ld=any alias=ab",
        "v1 gemm type=f64 op=tn m=9 n=9 k=any order=column ld=any alias=ab",
        "v1 gemm type=f32 op=nn m=4 n=4 k=4 batch=strided count=any stride=0/16/16",
        "v1 syrk type=f32 op=t n=any k=7 ld=any alpha=any"}) {
    Parsed parsed = parse(line);
    ASSERT_EQ(parsed.error, "") << line;
    for (uint64_t at : {0, 8})
      checkRegisters(parsed.operation, at);
  }
}

TEST(ExportTest, KnownValuesAreNoParameters) {
  using Names = std::vector<std::string>;
  auto of = [](const char *line) { return namesOf(parse(line).operation); };
  EXPECT_EQ(of("v1 gemm type=f32 op=nt m=any n=8 k=4 bias=row"),
            (Names{"m", "a", "b", "c", "bias"}));
  EXPECT_EQ(of("v1 gemm type=f64 op=tn m=9 n=9 k=any ld=any alias=ab"),
            (Names{"k", "a", "lda", "c", "ldc"}));
  Signature signature =
      signatureOf(parse("v1 gemm type=f32 op=nn m=4 n=4 k=4 align=4/any/16").operation);
  EXPECT_EQ(signature.parameters[0].line.known, 4);
  EXPECT_EQ(signature.parameters[1].line.known, 4);
  EXPECT_EQ(signature.parameters[2].line.known, 16);
}

TEST(ExportTest, ParametersAreDynamicValues) {
  using Names = std::vector<std::string>;
  Operation operation;
  EXPECT_EQ(namesOf(operation), (Names{"m", "n", "k", "a", "lda", "b", "ldb", "c", "ldc"}));
  operation.m = 4, operation.k = 8;
  operation.alpha = operation.beta = Scalar::AtRunTime;
  operation.batch = Batch::Strided;
  EXPECT_EQ(namesOf(operation), (Names{"n", "alpha", "a", "lda", "stride_a", "b", "ldb", "stride_b",
                                       "beta", "c", "ldc", "stride_c", "count"}));
  Operation solve;
  solve.routine = Routine::Trsm;
  EXPECT_EQ(namesOf(solve), (Names{"m", "n", "a", "lda", "c", "ldc"}));
}

/// Rows of op(A) m x k transposed, row-major: one of A has m elements.
TEST(ExportTest, LinesOfMatrices) {
  Operation operation;
  operation.opA = Op::T, operation.n = 7;
  Signature signature = signatureOf(operation); // m, k, a, lda, b, ldb, c, ldc
  EXPECT_EQ(signature.parameters[3].line.argument, 0);
  EXPECT_EQ(signature.parameters[5].line.argument, -1);
  EXPECT_EQ(signature.parameters[5].line.known, 7);
  operation.a.order = operation.b.order = Order::ColumnMajor;
  signature = signatureOf(operation);
  EXPECT_EQ(signature.parameters[3].line.argument, 1);
  EXPECT_EQ(signature.parameters[5].line.argument, 1);
  Operation solve;
  solve.routine = Routine::Trsm, solve.side = Side::Right;
  signature = signatureOf(solve); // m, n, a, lda, c, ldc
  EXPECT_EQ(signature.parameters[3].line.argument, 1);
}
