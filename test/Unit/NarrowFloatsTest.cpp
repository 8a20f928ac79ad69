//===- NarrowFloatsTest.cpp - Narrow floats as integer arithmetic ---------===//
//
// The pass works on constants, which fold: every pattern of every type is widened, and rounded is
// every f16 and bf16, and what lies on and beside the middle of two neighbours, from f32 (from f64
// in test/Execution/narrow-floats.mlir: that does not fold). llvm::APFloat is the reference.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "gtest/gtest.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace {

struct NarrowFloats : testing::Test {
  MLIRContext context;
  NarrowFloats() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                        vector::VectorDialect>();
  }

  SmallVector<FloatType> types() {
    return {Float8E5M2Type::get(&context),     Float8E4M3Type::get(&context),
            Float8E4M3FNType::get(&context),   Float8E5M2FNUZType::get(&context),
            Float8E4M3FNUZType::get(&context), Float8E4M3B11FNUZType::get(&context),
            Float8E3M4Type::get(&context),     Float6E2M3FNType::get(&context),
            Float6E3M2FNType::get(&context),   Float4E2M1FNType::get(&context)};
  }

  /// `values` through the conversion `Op` to `to`, as the pass expands it.
  template <typename Op> std::vector<APFloat> convert(ArrayRef<APFloat> values, FloatType to) {
    OpBuilder builder(&context);
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    auto from = cast<FloatType>(typeOf(values.front()));
    auto size = static_cast<int64_t>(values.size());
    auto source = VectorType::get({size}, from), target = VectorType::get({size}, to);
    auto function = func::FuncOp::create(builder, loc, "f", builder.getFunctionType({}, target));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    Value in = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(source, values));
    Value out = Op::create(builder, loc, target, in);
    func::ReturnOp::create(builder, loc, out);
    PassManager passes(&context);
    passes.addPass(rooftile::createExpandNarrowFloats());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    DenseElementsAttr result;
    Value returned = function.getBody().front().getTerminator()->getOperand(0);
    EXPECT_TRUE(matchPattern(returned, m_Constant(&result))) << "not folded";
    EXPECT_FALSE(isa<Op>(returned.getDefiningOp()));
    auto folded = result.getValues<APFloat>();
    return {folded.begin(), folded.end()};
  }

  Type typeOf(const APFloat &value) {
    const llvm::fltSemantics &semantics = value.getSemantics();
    if (&semantics == &APFloat::IEEEsingle())
      return Float32Type::get(&context);
    if (&semantics == &APFloat::IEEEdouble())
      return Float64Type::get(&context);
    if (&semantics == &APFloat::IEEEhalf())
      return Float16Type::get(&context);
    if (&semantics == &APFloat::BFloat())
      return BFloat16Type::get(&context);
    for (FloatType type : types())
      if (&type.getFloatSemantics() == &semantics)
        return type;
    return Type();
  }
};

std::vector<APFloat> patterns(const llvm::fltSemantics &semantics) {
  unsigned width = APFloat::semanticsSizeInBits(semantics);
  std::vector<APFloat> all;
  for (uint64_t bits = 0; bits < (uint64_t(1) << width); ++bits)
    all.emplace_back(semantics, APInt(width, bits));
  return all;
}

APFloat to(APFloat value, const llvm::fltSemantics &semantics) {
  bool inexact;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &inexact);
  return value;
}

/// Middles of neighbours of the type, and what lies beside them, as `wide` numbers.
std::vector<APFloat> ties(const llvm::fltSemantics &narrow, const llvm::fltSemantics &wide) {
  std::vector<APFloat> numbers, result;
  for (const APFloat &value : patterns(narrow))
    if (value.isFinite())
      numbers.push_back(to(value, wide));
  llvm::sort(numbers, [](const APFloat &a, const APFloat &b) { return a < b; });
  for (size_t i = 0; i + 1 < numbers.size(); ++i) {
    APFloat middle = numbers[i];
    middle.add(numbers[i + 1], APFloat::rmNearestTiesToEven);
    middle.multiply(APFloat(wide, "0.5"), APFloat::rmNearestTiesToEven);
    APFloat above = middle, below = middle;
    above.next(/*nextDown=*/false);
    below.next(/*nextDown=*/true);
    result.insert(result.end(), {below, middle, above});
  }
  // Beyond the largest: the middle to what would come next, and beside it.
  APFloat step = numbers.back();
  step.subtract(numbers[numbers.size() - 2], APFloat::rmNearestTiesToEven);
  step.multiply(APFloat(wide, "0.5"), APFloat::rmNearestTiesToEven);
  APFloat edge = numbers.back();
  edge.add(step, APFloat::rmNearestTiesToEven);
  for (bool down : {false, true}) {
    APFloat beside = edge;
    beside.next(down);
    result.push_back(beside);
    result.push_back(neg(beside));
  }
  result.insert(result.end(), {edge, neg(edge), APFloat::getInf(wide), APFloat::getNaN(wide)});
  return result;
}

void expectEqual(ArrayRef<APFloat> sources, ArrayRef<APFloat> results, FloatType type) {
  ASSERT_EQ(sources.size(), results.size());
  bool hasNan = APFloat::semanticsHasNaN(type.getFloatSemantics());
  for (auto [source, result] : llvm::zip_equal(sources, results)) {
    bool hasNoMeaning = !hasNan && (source.isNaN() || source.isInfinity());
    if (hasNoMeaning)
      continue; // the type can say neither
    APFloat right = to(source, type.getFloatSemantics());
    bool equal = right.isNaN() ? result.isNaN() : right.bitwiseIsEqual(result);
    SmallString<16> text;
    source.toString(text);
    EXPECT_TRUE(equal) << text.c_str() << " -> "
                       << llvm::toString(result.bitcastToAPInt(), 16, false) << ", expected "
                       << llvm::toString(right.bitcastToAPInt(), 16, false);
    if (!equal)
      return;
  }
}

TEST_F(NarrowFloats, EveryPatternIsWidened) {
  Builder builder(&context);
  for (FloatType type : types())
    for (FloatType wide : {FloatType(builder.getF16Type()), FloatType(builder.getBF16Type()),
                           FloatType(builder.getF32Type()), FloatType(builder.getF64Type())}) {
      std::vector<APFloat> all = patterns(type.getFloatSemantics());
      expectEqual(all, convert<arith::ExtFOp>(all, wide), wide);
    }
}

TEST_F(NarrowFloats, EveryHalfIsRounded) {
  for (FloatType type : types())
    for (const llvm::fltSemantics *wide : {&APFloat::IEEEhalf(), &APFloat::BFloat()}) {
      std::vector<APFloat> all;
      for (const APFloat &value : patterns(*wide))
        if (!value.isSignaling()) // which does not fold
          all.push_back(value);
      expectEqual(all, convert<arith::TruncFOp>(all, type), type);
    }
}

TEST_F(NarrowFloats, TiesAreRoundedToEven) {
  for (FloatType type : types()) {
    std::vector<APFloat> all = ties(type.getFloatSemantics(), APFloat::IEEEsingle());
    expectEqual(all, convert<arith::TruncFOp>(all, type), type);
  }
}

} // namespace
