//===- BuildersTest.cpp - Operations made from C++ ------------------------===//
//
// docs/Embedding.md shows the function below.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace rooftile;

namespace {

/// X of L L^T X = B, where L is the lower triangle of `l`.
Value solvePositive(OpBuilder &builder, Location loc, Value l, Value b) {
  for (blas::Transpose op : {blas::Transpose::None, blas::Transpose::Trans}) {
    auto solve = blas::TrsmOp::create(builder, loc, /*results=*/b.getType(), l, /*b=*/Value(),
                                      /*c=*/b, /*alpha=*/Value(), blas::Side::Left,
                                      blas::Uplo::Lower, op, blas::Diag::NonUnit, /*plan=*/{});
    b = solve.getResults()[0];
  }
  return b;
}

struct BuildersTest : ::testing::Test {
  BuildersTest() {
    context.loadDialect<blas::BlasDialect, func::FuncDialect, linalg::LinalgDialect>();
  }

  /// A module with a function whose body `fill` makes of its arguments.
  void build(ArrayRef<Type> inputs, function_ref<SmallVector<Value>(ValueRange)> fill) {
    OpBuilder builder(&context);
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    auto function = func::FuncOp::create(builder, loc, "f", builder.getFunctionType(inputs, {}));
    at = OpBuilder::atBlockBegin(function.addEntryBlock());
    SmallVector<Value> results = fill(function.getArguments());
    func::ReturnOp::create(at, loc, results);
    function.setFunctionType(builder.getFunctionType(inputs, ValueRange(results).getTypes()));
    EXPECT_TRUE(succeeded(verify(*module)));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder at{&context};
};

TEST_F(BuildersTest, SolvesOnTensors) {
  Type real = Float64Type::get(&context);
  Type l = RankedTensorType::get({8, 8}, real), b = RankedTensorType::get({8, 3}, real);
  build({l, b}, [&](ValueRange args) -> SmallVector<Value> {
    return {solvePositive(at, UnknownLoc::get(&context), args[0], args[1])};
  });
  SmallVector<blas::TrsmOp> solves;
  module->walk([&](blas::TrsmOp solve) { solves.push_back(solve); });
  ASSERT_EQ(solves.size(), 2u);
  EXPECT_EQ(solves[1].getC(), solves[0].getResults()[0]);
  EXPECT_EQ(solves[0].getK(), 8);
}

TEST_F(BuildersTest, MultipliesMemRefsInPlace) {
  Type real = Float32Type::get(&context);
  Type a = MemRefType::get({8, 8}, real), b = MemRefType::get({5, 8}, real);
  build({a, b}, [&](ValueRange args) -> SmallVector<Value> {
    auto product = blas::TrmmOp::create(
        at, UnknownLoc::get(&context), /*results=*/TypeRange(), args[0], /*b=*/Value(),
        /*c=*/args[1], /*alpha=*/Value(), blas::Side::Right, blas::Uplo::Upper,
        blas::Transpose::None, blas::Diag::Unit, /*plan=*/{});
    EXPECT_TRUE(product.isInPlace());
    return {};
  });
}

} // namespace
