//===- ExpandNarrowFloats.cpp - Floats of 8 bits and fewer ----------------===//
//
// The meaning of a bit pattern comes from llvm::APFloat, it is not written down here: the
// largest finite number, where NaN and infinity lie, whether there is -0. Every
// such number is one of f32, so that widening is exact, and rounding from f32 is
// once: an f64 is rounded to odd first, which keeps what decides a tie.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include <cmath>

using namespace mlir;
using llvm::APFloat;

namespace rooftile {
#define GEN_PASS_DEF_EXPANDNARROWFLOATS
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

static FloatType narrowTypeOf(Type type) {
  auto number = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return number && number.getWidth() <= 8 ? number : FloatType();
}

/// The scalar `element`, or a vector of it in the shape of `like`.
static Type shapedLike(Type like, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(like))
    return shaped.clone(element);
  return element;
}

namespace {
/// Meaning of the patterns of a type, without their sign; e8m0, which has none, is upstream's.
struct Meaning {
  int64_t width, mantissa, bias;
  int64_t largest;                      ///< of the finite values
  std::optional<int64_t> infinity, nan; ///< the first of each, without sign
  bool hasMinusZero;                    ///< else that pattern is NaN

  static std::optional<Meaning> of(FloatType type);
};

/// Integer and f32 operations on scalars or vectors in the shape of one of them.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;
  Type like;

  Type i32() const { return shapedLike(like, builder.getI32Type()); }
  Type f32() const { return shapedLike(like, builder.getF32Type()); }
  Value constant(TypedAttr value) const {
    Type type = shapedLike(like, value.getType());
    if (auto shaped = dyn_cast<ShapedType>(type))
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(shaped, Attribute(value)));
    return arith::ConstantOp::create(builder, loc, value);
  }
  Value number(int64_t value) const {
    return constant(builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  /// 2^exponent
  Value power(int64_t exponent) const {
    return constant(builder.getF32FloatAttr(std::ldexp(1.0f, exponent)));
  }
  template <typename Op, typename... Operands> Value make(Operands... operands) const {
    return builder.createOrFold<Op>(loc, operands...);
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) const {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, left, right);
  }
  Value equal(Value left, int64_t right) const {
    return compare(arith::CmpIPredicate::eq, left, number(right));
  }
  Value below(Value left, int64_t right) const {
    return compare(arith::CmpIPredicate::ult, left, number(right));
  }
  Value choose(Value condition, Value yes, Value no) const {
    return make<arith::SelectOp>(condition, yes, no);
  }
};
} // namespace

std::optional<Meaning> Meaning::of(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  int64_t width = type.getWidth(), sign = int64_t(1) << (width - 1);
  auto pattern = [&](int64_t bits) { return APFloat(semantics, llvm::APInt(width, bits)); };
  if (!APFloat::semanticsHasSignedRepr(semantics) || !APFloat::semanticsHasZero(semantics))
    return std::nullopt;
  Meaning meaning{width, APFloat::semanticsPrecision(semantics) - 1, 0, 0, {}, {}, true};
  meaning.bias = 1 - APFloat::semanticsMinExponent(semantics);
  for (int64_t bits = 0; bits < sign; ++bits) {
    if (pattern(bits).isFinite())
      meaning.largest = bits;
    else if (pattern(bits).isInfinity())
      meaning.infinity = bits;
    else if (!meaning.nan)
      meaning.nan = bits;
  }
  meaning.hasMinusZero = pattern(sign).isZero();
  return meaning;
}

static constexpr int64_t kF32Mantissa = 23, kF32Bias = 127, kF32Infinity = 0x7F800000,
                         kF32Nan = 0x7FC00000;

/// The f32 that the patterns `bits` (i32) stand for.
static Value widen(const Arithmetic &make, const Meaning &meaning, Value bits) {
  int64_t signBit = int64_t(1) << (meaning.width - 1);
  Value sign = make.make<arith::AndIOp>(bits, make.number(signBit));
  sign = make.make<arith::ShLIOp>(sign, make.number(32 - meaning.width));
  Value magnitude = make.make<arith::AndIOp>(bits, make.number(signBit - 1));
  Value normal = make.make<arith::ShLIOp>(magnitude, make.number(kF32Mantissa - meaning.mantissa));
  normal = make.make<arith::AddIOp>(normal, make.number((kF32Bias - meaning.bias) << kF32Mantissa));
  // A subnormal is its mantissa times the smallest one.
  Value count = make.make<arith::UIToFPOp>(make.f32(), magnitude);
  Value product = make.make<arith::MulFOp>(count, make.power(1 - meaning.bias - meaning.mantissa));
  Value subnormal = make.make<arith::BitcastOp>(make.i32(), product);
  Value isSmall = make.below(magnitude, int64_t(1) << meaning.mantissa);
  Value result = make.choose(isSmall, subnormal, normal);
  if (meaning.nan)
    result = make.choose(make.below(magnitude, *meaning.nan), result, make.number(kF32Nan));
  if (meaning.infinity)
    result =
        make.choose(make.equal(magnitude, *meaning.infinity), make.number(kF32Infinity), result);
  if (!meaning.hasMinusZero)
    result = make.choose(make.equal(bits, signBit), make.number(kF32Nan), result);
  result = make.make<arith::OrIOp>(result, sign);
  return make.make<arith::BitcastOp>(make.f32(), result);
}

/// The pattern (i32) nearest to the f32 `value`, of two as near that with an even last digit.
static Value narrow(const Arithmetic &make, const Meaning &meaning, Value value) {
  int64_t signBit = int64_t(1) << (meaning.width - 1);
  int64_t dropped = kF32Mantissa - meaning.mantissa;
  Value bits = make.make<arith::BitcastOp>(make.i32(), value);
  Value magnitude = make.make<arith::AndIOp>(bits, make.number(0x7FFFFFFF));
  Value sign = make.make<arith::ShRUIOp>(bits, make.number(32 - meaning.width));
  sign = make.make<arith::AndIOp>(sign, make.number(signBit));

  Value moved =
      make.make<arith::SubIOp>(magnitude, make.number((kF32Bias - meaning.bias) << kF32Mantissa));
  Value last = make.make<arith::ShRUIOp>(moved, make.number(dropped));
  last = make.make<arith::AndIOp>(last, make.number(1));
  Value half = make.make<arith::AddIOp>(last, make.number((int64_t(1) << (dropped - 1)) - 1));
  Value rounded = make.make<arith::AddIOp>(moved, half);
  rounded = make.make<arith::ShRUIOp>(rounded, make.number(dropped));
  // Added to this power of two, a small number is rounded to a multiple of the smallest one.
  Value anchor = make.power(1 - meaning.bias - meaning.mantissa + kF32Mantissa);
  Value size = make.make<arith::BitcastOp>(make.f32(), magnitude);
  Value anchored = make.make<arith::AddFOp>(size, anchor);
  Value subnormal = make.make<arith::SubIOp>(make.make<arith::BitcastOp>(make.i32(), anchored),
                                             make.make<arith::BitcastOp>(make.i32(), anchor));
  Value isSmall = make.below(magnitude, (kF32Bias + 1 - meaning.bias) << kF32Mantissa);
  Value result = make.choose(isSmall, subnormal, rounded);

  int64_t tooLarge = meaning.infinity.value_or(meaning.nan.value_or(meaning.largest));
  if (!meaning.infinity && !meaning.hasMinusZero)
    tooLarge = signBit; // NaN
  Value fits = make.below(result, meaning.largest + 1);
  result = make.choose(fits, result, make.number(tooLarge));
  int64_t nan = meaning.hasMinusZero ? meaning.nan.value_or(0) : signBit;
  if (meaning.infinity) // the pattern of quiet NaN
    nan = *meaning.infinity | (int64_t(1) << (meaning.mantissa - 1));
  Value isNan = make.compare(arith::CmpIPredicate::ugt, magnitude, make.number(kF32Infinity));
  result = make.choose(isNan, make.number(nan), result);
  if (!meaning.hasMinusZero)
    sign = make.choose(make.equal(result, 0), make.number(0), sign);
  return make.make<arith::OrIOp>(result, sign);
}

/// The f64 `value` as an f32: where it is none, the neighbour with an odd last digit.
static Value roundToOdd(const Arithmetic &make, Value value) {
  Type f64 = value.getType(), i64 = shapedLike(f64, make.builder.getI64Type());
  Value nearest = make.make<arith::TruncFOp>(make.f32(), value);
  Value bits = make.make<arith::BitcastOp>(make.i32(), nearest);
  Value exact = make.make<arith::BitcastOp>(i64, value);
  Value back = make.make<arith::BitcastOp>(i64, make.make<arith::ExtFOp>(f64, nearest));
  Value inexact = make.compare(arith::CmpIPredicate::ne, back, exact);
  Value mask = make.constant(make.builder.getI64IntegerAttr(INT64_MAX));
  Value outward = make.compare(arith::CmpIPredicate::ugt, make.make<arith::AndIOp>(back, mask),
                               make.make<arith::AndIOp>(exact, mask));
  Value inner = make.choose(outward, make.make<arith::SubIOp>(bits, make.number(1)), bits);
  Value odd = make.make<arith::OrIOp>(inner, make.number(1));
  return make.make<arith::BitcastOp>(make.f32(), make.choose(inexact, odd, bits));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static bool hasNarrow(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return narrowTypeOf(type) != nullptr; });
}

static bool computesWithNarrowFloats(Operation *root) {
  return root
      ->walk([](Operation *op) {
        bool narrow = hasNarrow(op->getOperandTypes()) || hasNarrow(op->getResultTypes());
        return WalkResult(failure(narrow));
      })
      .wasInterrupted();
}

/// Bodies of named linalg operations are fixed; those of linalg.generic are not.
static void generalize(Operation *root) {
  SmallVector<linalg::LinalgOp> named;
  root->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(*op) && hasNarrow(op.getBlock()->getArgumentTypes()))
      named.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op); // what has no other form has no body of its own
  }
}

/// Conversions with a scale become plain ones and a product, or a quotient.
static void expandScaling(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  arith::populateExpandScalingExtTruncPatterns(patterns);
  walkAndApplyPatterns(root, std::move(patterns));
}

/// Arithmetic and functions of narrow floats become those of f32, between conversions.
static LogicalResult computeInF32(Operation *root) {
  MLIRContext *context = root->getContext();
  Builder builder(context);
  Type narrow[] = {Float8E5M2Type::get(context),     Float8E4M3Type::get(context),
                   Float8E4M3FNType::get(context),   Float8E5M2FNUZType::get(context),
                   Float8E4M3FNUZType::get(context), Float8E4M3B11FNUZType::get(context),
                   Float8E3M4Type::get(context),     Float4E2M1FNType::get(context),
                   Float6E2M3FNType::get(context),   Float6E3M2FNType::get(context),
                   Float8E8M0FNUType::get(context)};
  TypeConverter numbers;
  arith::populateEmulateUnsupportedFloatsConversions(numbers, narrow, builder.getF32Type());
  RewritePatternSet arithmetic(context);
  arith::populateEmulateUnsupportedFloatsPatterns(arithmetic, numbers);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, numbers);
  target.addDynamicallyLegalOp<math::FmaOp>(
      [&](math::FmaOp op) { return numbers.isLegal(op.getOperation()); });
  if (failed(applyPartialConversion(root, target, std::move(arithmetic))))
    return failure();
  TypeConverter results;
  SetVector<Type> kept;
  for (Type type : {Type(builder.getF32Type()), Type(builder.getF64Type()),
                    Type(builder.getF16Type()), Type(builder.getBF16Type())})
    kept.insert(type);
  math::populateExtendToSupportedTypesTypeConverter(results, kept, builder.getF32Type());
  RewritePatternSet functions(context);
  math::populateExtendToSupportedTypesPatterns(functions, results);
  ConversionTarget known(*context);
  math::populateExtendToSupportedTypesConversionTarget(known, results);
  return applyPartialConversion(root, known, std::move(functions));
}

static LogicalResult checkExpanded(Operation *root) {
  WalkResult walk = root->walk([](Operation *op) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op) ||
        !(hasNarrow(op->getOperandTypes()) || hasNarrow(op->getResultTypes())))
      return WalkResult::advance();
    op->emitOpError("from ") << op->getOperand(0).getType() << " to " << op->getResult(0).getType()
                             << " cannot be expanded: narrow floats are rounded to nearest even, "
                                "from f64 and narrower";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct Widen : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    FloatType from = narrowTypeOf(op.getIn().getType());
    auto to = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    std::optional<Meaning> meaning = from ? Meaning::of(from) : std::nullopt;
    if (!meaning)
      return failure();
    Arithmetic make{rewriter, op.getLoc(), op.getType()};
    Type pattern = shapedLike(op.getType(), rewriter.getIntegerType(from.getWidth()));
    Value bits = make.make<arith::BitcastOp>(pattern, op.getIn());
    bits = make.make<arith::ExtUIOp>(make.i32(), bits);
    Value result = widen(make, *meaning, bits);
    if (to.getWidth() < 32)
      result = make.make<arith::TruncFOp>(op.getType(), result);
    else if (to.getWidth() > 32)
      result = make.make<arith::ExtFOp>(op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct Narrow : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    FloatType to = narrowTypeOf(op.getType());
    auto from = cast<FloatType>(getElementTypeOrSelf(op.getIn().getType()));
    std::optional<Meaning> meaning = to ? Meaning::of(to) : std::nullopt;
    auto rounding = op.getRoundingmode();
    if (!meaning || from.getWidth() > 64 ||
        (rounding && *rounding != arith::RoundingMode::to_nearest_even))
      return failure();
    Arithmetic make{rewriter, op.getLoc(), op.getType()};
    Value value = op.getIn();
    if (from.getWidth() < 32)
      value = make.make<arith::ExtFOp>(make.f32(), value);
    else if (from.getWidth() > 32)
      value = roundToOdd(make, value);
    Value bits = narrow(make, *meaning, value);
    Type pattern = shapedLike(op.getType(), rewriter.getIntegerType(to.getWidth()));
    bits = make.make<arith::TruncIOp>(pattern, bits);
    rewriter.replaceOp(op, make.make<arith::BitcastOp>(op.getType(), bits));
    return success();
  }
};

struct ExpandNarrowFloatsPass : rooftile::impl::ExpandNarrowFloatsBase<ExpandNarrowFloatsPass> {
  void runOnOperation() override {
    if (!computesWithNarrowFloats(getOperation()))
      return;
    generalize(getOperation());
    expandScaling(getOperation());
    if (failed(computeInF32(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<Widen, Narrow>(&getContext());
    arith::populateExpandF8E8M0Patterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (int step = 0; step < 2; ++step) // from one narrow type to another: by way of f32
      walkAndApplyPatterns(getOperation(), frozen);
    if (failed(checkExpanded(getOperation())))
      signalPassFailure();
  }
};
} // namespace
