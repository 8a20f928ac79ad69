//===- ProblemTest.cpp - Reading problems off operations ------------------===//

#include "Fixtures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Search/Choose.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

struct ProblemTest : PlanningTest {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string message;

  /// The problem of one blas.gemm with these operand types.
  llvm::FailureOr<Problem> read(std::string a, std::string b, std::string c,
                                std::string before = "", std::string after = "") {
    context.loadDialect<blas::BlasDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
    std::string text = "func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c +
                       ", %s: f32) { blas.gemm " + before + " ins(%a, %b : " + a + ", " + b +
                       ") outs(%c : " + c + ") " + after + " return }";
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) { message = diagnostic.str(); });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return llvm::failure();
    llvm::FailureOr<Problem> problem = llvm::failure();
    module->walk([&](blas::Level3OpInterface op) { problem = Problem::of(op); });
    return problem;
  }
};

TEST_F(ProblemTest, RowMajor) {
  auto problem = read("memref<64x32xf32>", "memref<32x48xf32>", "memref<64x48xf32>");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->m, 64);
  EXPECT_EQ(problem->n, 48);
  EXPECT_EQ(problem->k, 32);
  EXPECT_EQ(problem->a.contiguous, Contiguous::Inner);
  EXPECT_EQ(problem->b.contiguous, Contiguous::Outer);
  EXPECT_EQ(problem->a.maxVector, 4);
  EXPECT_FALSE(problem->readsC);
  EXPECT_FALSE(problem->assumed);
}

TEST_F(ProblemTest, DimensionsOfOneElementDoNotCount) {
  // One product of 4096 elements each, by all four letters of op.
  std::string row = "memref<1x4096xf32>", column = "memref<4096x1xf32>", c = "memref<1x1xf32>";
  std::tuple<std::string, std::string, std::string> forms[] = {{row, column, ""},
                                                               {column, column, "opA<t>"},
                                                               {row, row, "opB<t>"},
                                                               {column, row, "opA<t> opB<t>"}};
  std::optional<Plan> first;
  for (const auto &[a, b, ops] : forms) {
    auto problem = read(a, b, c, ops);
    ASSERT_TRUE(succeeded(problem)) << message;
    for (const Matrix *matrix : {&problem->a, &problem->b}) {
      EXPECT_EQ(matrix->contiguous, Contiguous::Inner) << ops;
      EXPECT_EQ(matrix->maxVector, 4) << ops;
      EXPECT_EQ(matrix->flat.length, 4096) << ops;
    }
    Plan plan = choose(*problem, h200)->best.plan;
    EXPECT_EQ(textOf(plan), textOf(first ? *first : plan)) << ops;
    first = plan;
  }
  // Kernels write C along its rows, however short.
  auto narrow = read("memref<64x32xf32>", "memref<32x1xf32>", "memref<64x1xf32>");
  ASSERT_TRUE(succeeded(narrow)) << message;
  EXPECT_EQ(narrow->c.contiguous, Contiguous::Inner);
  EXPECT_EQ(narrow->c.flat.length, 1);
  // A column of a wider matrix has no neighbours.
  auto apart = read("memref<64x1xf32, strided<[8, 1]>>", "memref<1x32xf32>", "memref<64x32xf32>");
  ASSERT_TRUE(succeeded(apart)) << message;
  EXPECT_EQ(apart->a.maxVector, 1);
}

TEST_F(ProblemTest, AColumnOfComplexNumbersIsOneOfPairs) {
  auto problem = read("memref<4096x7xcomplex<f64>>", "memref<4096x1xcomplex<f64>>",
                      "memref<7x1xcomplex<f64>>", "opA<t>");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->b.contiguous, Contiguous::Inner);
  ASSERT_TRUE(problem->canBeInduced);
  Problem reals = toInduced(*problem, Plan());
  EXPECT_EQ(reals.n, 2);
  EXPECT_EQ(reals.b.contiguous, Contiguous::Outer);
  EXPECT_EQ(reals.b.maxVector, 2);
  EXPECT_EQ(reals.b.flat.length, 2);
}

/// Narrow block vectors cross to shared memory against their lines, with bank conflicts in all
/// tiles that hold no more than C.
TEST_F(ProblemTest, BankConflictsHaveAPrice) {
  for (std::string width : {"2", "3"}) {
    std::string k = "16777216", row = "memref<" + width + "x" + k + "xf16>",
                column = "memref<" + k + "x" + width + "xf16>",
                c = "memref<" + width + "x" + width + "xf16>";
    auto seconds = [&](const std::string &a, const std::string &b, const std::string &ops) {
      auto problem = read(a, b, c, ops);
      EXPECT_TRUE(succeeded(problem)) << message;
      return failed(problem) ? 0 : choose(*problem, h200)->best.estimate.seconds;
    };
    double along = seconds(column, column, "opA<t>");
    EXPECT_LT(seconds(row, column, ""), 2 * along) << width;
    EXPECT_LT(seconds(column, row, "opA<t> opB<t>"), 2 * along) << width;
  }
}

TEST_F(ProblemTest, SharedMatricesCountOnce) {
  std::string c = "memref<10x64x48xf32>";
  auto own = read("memref<10x64x32xf32>", "memref<10x32x48xf32>", c);
  auto shared = read("memref<10x64x32xf32>", "memref<10x32x48xf32, strided<[0, 48, 1]>>", c);
  auto plain = read("memref<10x64x32xf32>", "memref<32x48xf32>", c);
  ASSERT_TRUE(succeeded(own) && succeeded(shared) && succeeded(plain)) << message;
  EXPECT_TRUE(own->b.batched);
  EXPECT_FALSE(shared->b.batched);
  EXPECT_EQ(own->bytesRead(), 4.0 * 10 * (64 * 32 + 32 * 48));
  EXPECT_EQ(shared->bytesRead(), 4.0 * (10 * 64 * 32 + 32 * 48));
  EXPECT_EQ(plain->bytesRead(), shared->bytesRead());
}

TEST_F(ProblemTest, BatchesByPointers) {
  auto type = [](std::string align) {
    return "memref<10x64x32xf32, #blas.pointers<strides = [32, 1]" + align + ">>";
  };
  std::string b = "memref<10x32x48xf32>", c = "memref<10x64x48xf32>";
  auto wide = read(type(", align = 16"), b, c), narrow = read(type(""), b, c);
  ASSERT_TRUE(succeeded(wide) && succeeded(narrow)) << message;
  EXPECT_EQ(wide->a.maxVector, 4);
  EXPECT_EQ(narrow->a.maxVector, 1);
  EXPECT_EQ(narrow->a.possibleVector, 1); // no test of the host finds more
  EXPECT_TRUE(wide->readsPointers());
  EXPECT_EQ(wide->bytesRead(), 4.0 * 10 * (64 * 32 + 32 * 48) + 8 * 10);
}

TEST_F(ProblemTest, TransposedAndColumnMajor) {
  auto problem = read("memref<32x64xf64>", "memref<48x32xf64, strided<[1, 48]>>",
                      "memref<64x48xf64>", "opA<t> opB<t>");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->a.contiguous, Contiguous::Outer);
  EXPECT_EQ(problem->b.contiguous, Contiguous::Outer);
  EXPECT_EQ(problem->a.maxVector, 2);
}

TEST_F(ProblemTest, VectorWidthNeedsKnownMultiples) {
  auto widthOfA = [&](std::string type) {
    auto problem = read(type, "memref<?x48xf32>", "memref<64x48xf32>");
    EXPECT_TRUE(succeeded(problem)) << message;
    return succeeded(problem) ? problem->a.maxVector : -1;
  };
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[36, 1]>>"), 4);
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[34, 1]>>"), 2);
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[33, 1]>>"), 1);
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[32, 1], offset: 2>>"), 2);
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[32, 1], offset: ?>>"), 1);
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[?, 1]>>"), 1);
  EXPECT_EQ(widthOfA("memref<64x30xf32, strided<[32, 1]>>"), 2); // the extent counts, too
  EXPECT_EQ(widthOfA("memref<64x?xf32, strided<[32, 1]>>"), 1);
  EXPECT_EQ(widthOfA("memref<64x32xf32, strided<[64, 2]>>"), 1);
}

TEST_F(ProblemTest, DynamicSizesAreAssumed) {
  auto problem = read("memref<?x?xf32>", "memref<?x?xf32>", "memref<?x?xf32>");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_TRUE(problem->assumed);
  EXPECT_EQ(problem->m, kAssumedSize);
  EXPECT_EQ(problem->a.maxVector, 1);
}

TEST_F(ProblemTest, GivenFactsBoundDynamicSizes) {
  auto problem = read("memref<?x?xf32>", "memref<?x?xf32>", "memref<?x?xf32>", "",
                      "given(<m = <least = 64>, n = <most = 32>, a = 4, c = 2>)");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->m, kAssumedSize);
  EXPECT_EQ(problem->n, 32);
  EXPECT_TRUE(problem->holdsM(64));
  EXPECT_FALSE(problem->holdsM(128));
  EXPECT_FALSE(problem->holdsN(8));
  EXPECT_EQ(problem->a.maxVector, 4);
  EXPECT_EQ(problem->b.maxVector, 1);
  EXPECT_EQ(problem->b.possibleVector, 4);
  EXPECT_EQ(problem->c.maxVector, 2);
}

TEST_F(ProblemTest, BatchAndBeta) {
  auto problem =
      read("memref<5x64x32xf32>", "memref<32x48xf32>", "memref<5x64x48xf32>", "", "beta(%s : f32)");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->batch, 5);
  EXPECT_TRUE(problem->a.batched);
  EXPECT_FALSE(problem->b.batched);
  EXPECT_TRUE(problem->readsC);
  EXPECT_DOUBLE_EQ(problem->bytesRead(), 4.0 * (5 * 64 * 32 + 32 * 48 + 5 * 64 * 48));
}

TEST_F(ProblemTest, EveryOperandHasItsOwnBytes) {
  auto problem =
      read("memref<64x32xf32>", "memref<32x48xcomplex<f32>>", "memref<64x48xcomplex<f32>>");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->multiplyAdds, 2);
  EXPECT_EQ(problem->elementBytes, 8);
  EXPECT_EQ(problem->realBytes, 4);
  EXPECT_DOUBLE_EQ(problem->flops(), 4.0 * 64 * 48 * 32);
  EXPECT_DOUBLE_EQ(problem->bytesRead(), 4.0 * 64 * 32 + 8.0 * 32 * 48);
  EXPECT_DOUBLE_EQ(problem->bytesWritten(), 8.0 * 64 * 48);
  problem = read("memref<64x32xf16>", "memref<32x48xf16>", "memref<64x48xf16>");
  ASSERT_TRUE(succeeded(problem)) << message;
  EXPECT_EQ(problem->elementBytes, 4);
  EXPECT_DOUBLE_EQ(problem->bytesRead(), 2.0 * (64 * 32 + 32 * 48));
}

} // namespace
