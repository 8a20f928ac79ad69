//===- Activation.cpp - The function that is applied to a product ---------===//

#include "rooftile/Dialect/Blas/Activation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace rooftile;
using operation::Activation;

namespace {
/// Operations on real elements of one type.
struct Reals {
  OpBuilder &builder;
  Location loc;
  Type type;

  Value number(double value) const {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  }
  template <typename Op> Value apply(ValueRange operands) const {
    return Op::create(builder, loc, type, operands);
  }
  Value add(Value left, Value right) const { return apply<arith::AddFOp>({left, right}); }
  Value mul(Value left, Value right) const { return apply<arith::MulFOp>({left, right}); }
};
} // namespace

/// 1 / (1 + exp(-x))
static Value sigmoid(const Reals &reals, Value x) {
  Value decay = reals.apply<math::ExpOp>(reals.apply<arith::NegFOp>(x));
  Value one = reals.number(1);
  return reals.apply<arith::DivFOp>({one, reals.add(one, decay)});
}

/// x (1 + f) / 2
static Value halfOf(const Reals &reals, Value x, Value f) {
  Value factor = reals.add(reals.number(1), f);
  return reals.mul(reals.mul(reals.number(0.5), x), factor);
}

static Value geluTanh(const Reals &reals, Value x) {
  constexpr double kRootOf2OverPi = 0.79788456080286535588, kCubic = 0.044715;
  Value square = reals.mul(x, x);
  Value cube = reals.mul(reals.mul(reals.number(kCubic), square), x);
  Value inner = reals.mul(reals.number(kRootOf2OverPi), reals.add(x, cube));
  return halfOf(reals, x, reals.apply<math::TanhOp>(inner));
}

static Value activate(const Reals &reals, Activation activation, Value x) {
  constexpr double kRootOfHalf = 0.70710678118654752440;
  switch (activation) {
  case Activation::None:
    return x;
  case Activation::Relu:
    return reals.apply<arith::MaximumFOp>({x, reals.number(0)});
  case Activation::Gelu:
    return halfOf(reals, x, reals.apply<math::ErfOp>(reals.mul(x, reals.number(kRootOfHalf))));
  case Activation::GeluTanh:
    return geluTanh(reals, x);
  case Activation::Sigmoid:
    return sigmoid(reals, x);
  case Activation::Silu:
    return reals.mul(x, sigmoid(reals, x));
  case Activation::Tanh:
    return reals.apply<math::TanhOp>(x);
  }
  return x;
}

Value blas::applyEpilogue(OpBuilder &builder, Activation activation, Value sum, Value bias) {
  Location loc = sum.getLoc();
  Type type = sum.getType();
  if (bias && bias.getType() != type)
    bias = arith::ExtFOp::create(builder, loc, type, bias);
  if (bias && isa<ComplexType>(type))
    sum = complex::AddOp::create(builder, loc, sum, bias);
  else if (bias)
    sum = arith::AddFOp::create(builder, loc, sum, bias);
  return activate({builder, loc, type}, activation, sum);
}
