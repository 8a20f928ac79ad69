//===- OperationOfTest.cpp - Operations read from IR ----------------------===//

#include "rooftile/Planning/Problem/OperationOf.h"
#include "RandomOperation.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Compiler/OperationModule.h"
#include "rooftile/InitAll.h"
#include "rooftile/Operation/Text.h"

#include <gtest/gtest.h>

using namespace rooftile;
using namespace rooftile::operation;

namespace {

struct OperationOfTest : testing::Test {
  OperationOfTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  /// The line of the one operation of a module that has one; "none" where none has.
  std::string lineOf(mlir::ModuleOp module) {
    std::string line = "none";
    module.walk([&](mlir::Operation *op) {
      if (auto operation = planning::operationOf(op))
        line = text(*operation);
    });
    return line;
  }
  /// That of a function's body in MLIR, whose arguments are %a, %b and %c of these types.
  std::string lineOf(std::string a, std::string b, std::string c, std::string body) {
    std::string source = "func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c + ", %s: f32) {\n" +
                         body + "\nreturn }";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    return module ? lineOf(*module) : "does not parse";
  }

  mlir::MLIRContext context;
};

bool isSplit(const Operation &operation) {
  for (int index : {0, 1, 2})
    if (operation.has(index) && compiler::isSplit(operation.operand(index)))
      return true;
  return false;
}

TEST_F(OperationOfTest, ModulesRoundTrip) {
  Random random;
  int seen[std::size(kRoutines)] = {};
  for (int i = 0; i < 6000; ++i) {
    Operation operation = random.operation();
    if (operation.info().hasEpilogue)
      operation.epilogue.activation = random.choice<Activation>();
    operation = planning::asInIR(operation);
    if (isSplit(operation) || whatIsWrong(operation))
      continue;
    ++seen[size_t(operation.routine)];
    auto module = compiler::moduleOf(operation, &context);
    ASSERT_TRUE(succeeded(mlir::verify(*module))) << text(operation);
    ASSERT_EQ(lineOf(*module), text(canonical(operation)));
  }
  for (const RoutineInfo &info : kRoutines)
    EXPECT_GT(seen[size_t(info.routine)], 20) << info.name;
}

TEST_F(OperationOfTest, PointersAndMemoryRoundTrip) {
  for (std::string line :
       {"v1 gemm type=f32 op=nt m=8 n=9 k=7 batch=pointers count=5 align=16/any/16",
        "v1 trsm type=c64 op=c side=right m=8 n=9 ld=12/9 batch=pointers count=5 align=any",
        "v1 gemm type=f64 op=nn m=8 n=9 k=7 alpha=memory beta=memory",
        "v1 gemm type=f16/f16/f32 op=nn m=8 n=9 k=7 beta=one",
        "v1 gemm type=f32 op=tn m=9 n=9 k=7 alias=ab"}) {
    Parsed parsed = parse(line);
    ASSERT_EQ(parsed.error, "") << line;
    EXPECT_EQ(lineOf(*compiler::moduleOf(parsed.operation, &context)), line);
  }
}

TEST_F(OperationOfTest, OtherSourcesOfIR) {
  std::string a = "memref<8x7xf32>", b = "memref<7x9xf32>", c = "memref<8x9xf32>";
  std::string dynamic = "memref<?x?xf32, strided<[?, 1], offset: ?>>";
  std::string ins = " ins(%a, %b : " + a + ", " + b + ") outs(%c : " + c + ")";
  EXPECT_EQ(lineOf(a, b, c, "blas.gemm" + ins), "v1 gemm type=f32 op=nn m=8 n=9 k=7");
  // Facts that are given hold beside those of types; constants that are not 0 or 1 are any.
  EXPECT_EQ(lineOf(dynamic, dynamic, dynamic,
                   "%two = arith.constant 2.0 : f32\n blas.gemm ins(%a, %b : " + dynamic + ", " +
                       dynamic + ") outs(%c : " + dynamic + ") alpha(%two : f32) given(<b = 2>)"),
            "v1 gemm type=f32 op=nn m=any n=any k=any align=any/8/any alpha=any");
  // A column-major C is computed as its transpose.
  std::string columns = "memref<8x9xf32, strided<[1, 8]>>";
  EXPECT_EQ(lineOf(a, b, columns,
                   "blas.gemm ins(%a, %b : " + a + ", " + b + ") outs(%c : " + columns + ")"),
            "v1 gemm type=f32 op=nn m=9 n=8 k=7 order=column/column/row");
}

TEST_F(OperationOfTest, WhatALineCannotState) {
  std::string a = "memref<8x8xf32>",
              ins = " ins(%a, %b : " + a + ", " + a + ") outs(%c : " + a + ")";
  std::string strided = "memref<8x8xf32, strided<[20, 2]>>", wide = "memref<8x8xf64>";
  EXPECT_EQ(lineOf(a, a, a, "blas.gemm triangle<lower>" + ins), "none");
  EXPECT_EQ(lineOf(a, a, a, "blas.gemm structureA<lower>" + ins), "none");
  EXPECT_EQ(lineOf(a, a, a, "blas.trmm side<left> uplo<lower>" + ins), "none");
  EXPECT_EQ(lineOf(strided, a, a,
                   "blas.gemm ins(%a, %b : " + strided + ", " + a + ") outs(%c : " + a + ")"),
            "none");
  EXPECT_EQ(
      lineOf(a, a, wide, "blas.gemm ins(%a, %b : " + a + ", " + a + ") outs(%c : " + wide + ")"),
      "none");
  // A function that is no activation.
  EXPECT_EQ(lineOf(a, a, a,
                   "blas.gemm" + ins +
                       " epilogue(%sum : f32) {\n %x = arith.mulf %sum, %sum : f32\n"
                       " blas.yield %x : f32\n}"),
            "none");
}

} // namespace
