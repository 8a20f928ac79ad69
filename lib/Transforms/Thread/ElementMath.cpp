//===- ElementMath.cpp - Arithmetic on elements of any type ---------------===//

#include "rooftile/Transforms/Thread/ElementMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rooftile;

SmallVector<Value> rooftile::realsOf(ArrayRef<Components> elements) {
  SmallVector<Value> parts;
  for (const Components &each : elements)
    llvm::append_range(parts, each);
  return parts;
}

SmallVector<Components> rooftile::elementsOf(ValueRange parts, int64_t components) {
  SmallVector<Components> elements;
  for (size_t first = 0; first < parts.size(); first += components)
    elements.push_back(Components(parts.slice(first, components)));
  return elements;
}

Components ElementMath::split(Value scalar) {
  if (!isa<ComplexType>(scalar.getType()))
    return {scalar};
  ArrayAttr constant;
  if (!matchPattern(scalar, m_Constant(&constant)))
    return {complex::ReOp::create(builder, loc, scalar),
            complex::ImOp::create(builder, loc, scalar)};
  Components components;
  for (Attribute part : constant)
    components.push_back(arith::ConstantOp::create(builder, loc, cast<TypedAttr>(part)));
  return components;
}

Value ElementMath::convert(Value number, Type type) {
  Type from = number.getType();
  if (from == type)
    return number;
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, number);
  return arith::TruncFOp::create(builder, loc, type, number);
}

Value ElementMath::negate(Value number) { return arith::NegFOp::create(builder, loc, number); }

Value ElementMath::multiplyAdd(Value left, Value right, Value sum) {
  return math::FmaOp::create(builder, loc, left, right, sum);
}

/// Whether `value` is a constant component that is 0.
static bool isZero(Value part) { return matchPattern(part, m_AnyZeroFloat()); }

Components ElementMath::multiply(const Components &left, const Components &right) {
  auto product = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(builder, loc, a, b);
  };
  if (left.size() == 1) {
    Components parts;
    for (Value part : right)
      parts.push_back(product(left[0], part));
    return parts;
  }
  if (isZero(left[1]))
    return {product(left[0], right[0]), product(left[0], right[1])};
  if (isZero(left[0]))
    return {product(negate(left[1]), right[1]), product(left[1], right[0])};
  return {multiplyAdd(negate(left[1]), right[1], product(left[0], right[0])),
          multiplyAdd(left[1], right[0], product(left[0], right[1]))};
}

Components ElementMath::multiplyAdd(const Components &left, const Components &right,
                                    const Components &sum) {
  if (left.size() == 1) {
    Components parts;
    for (auto [part, before] : llvm::zip_equal(right, sum))
      parts.push_back(multiplyAdd(left[0], part, before));
    return parts;
  }
  if (isZero(left[1]))
    return {multiplyAdd(left[0], right[0], sum[0]), multiplyAdd(left[0], right[1], sum[1])};
  if (isZero(left[0]))
    return {multiplyAdd(negate(left[1]), right[1], sum[0]), multiplyAdd(left[1], right[0], sum[1])};
  return {multiplyAdd(negate(left[1]), right[1], multiplyAdd(left[0], right[0], sum[0])),
          multiplyAdd(left[1], right[0], multiplyAdd(left[0], right[1], sum[1]))};
}

Components ElementMath::add(const Components &left, const Components &right) {
  Components sum;
  for (auto [a, b] : llvm::zip_equal(left, right))
    sum.push_back(arith::AddFOp::create(builder, loc, a, b));
  return sum;
}

Value ElementMath::isOne(Value scalar) {
  if (!isa<ComplexType>(scalar.getType()) || matchPattern(scalar, m_Constant()))
    return {};
  Components parts = split(scalar);
  auto equals = [&](Value part, double number) -> Value {
    Value other =
        arith::ConstantOp::create(builder, loc, builder.getFloatAttr(part.getType(), number));
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, part, other);
  };
  Value re = equals(parts[0], 1), im = equals(parts[1], 0);
  return arith::AndIOp::create(builder, loc, re, im);
}

Components ElementMath::choose(Value condition, const Components &yes, const Components &no) {
  if (!condition)
    return no;
  Components chosen;
  for (auto [a, b] : llvm::zip_equal(yes, no))
    chosen.push_back(arith::SelectOp::create(builder, loc, condition, a, b));
  return chosen;
}

Components ElementMath::negate(const Components &element) {
  Components parts;
  for (Value part : element)
    parts.push_back(negate(part));
  return parts;
}

Components ElementMath::convert(const Components &element, Type type) {
  Components parts;
  for (Value part : element)
    parts.push_back(convert(part, type));
  return parts;
}

/// 1 / 2^e for a number of [2^e, 2^(e + 1)), or minus that: its exponent field from that of 2 to
/// the bias. Values below the normal ones count as the least of them, and none is above 2^(bias -
/// 1).
Value ElementMath::powerOfTwo(Value number) {
  auto type = cast<FloatType>(number.getType());
  int64_t fraction = type.getFPMantissaWidth() - 1;
  int64_t bias = (int64_t(1) << (type.getWidth() - fraction - 2)) - 1;
  Type bits = builder.getIntegerType(type.getWidth());
  auto field = [&](int64_t exponent) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(bits, exponent << fraction));
  };
  Value all = arith::BitcastOp::create(builder, loc, bits, number);
  Value exponent = arith::AndIOp::create(builder, loc, all, field(2 * bias + 1));
  exponent = arith::MinUIOp::create(builder, loc, exponent, field(2 * bias - 1));
  Value inverse = arith::SubIOp::create(builder, loc, field(2 * bias), exponent);
  return arith::BitcastOp::create(builder, loc, type, inverse);
}

Divisor ElementMath::prepareDivisor(const Components &element) {
  if (element.size() == 1)
    return {element, Value()};
  Value larger =
      arith::MaxNumFOp::create(builder, loc, math::AbsFOp::create(builder, loc, element[0]),
                               math::AbsFOp::create(builder, loc, element[1]));
  Value scale = powerOfTwo(larger);
  Value re = arith::MulFOp::create(builder, loc, element[0], scale);
  Value im = arith::MulFOp::create(builder, loc, element[1], scale);
  Value square = multiplyAdd(im, im, arith::MulFOp::create(builder, loc, re, re));
  return {{arith::DivFOp::create(builder, loc, re, square),
           arith::DivFOp::create(builder, loc, negate(im), square)},
          scale};
}

Divisor ElementMath::prepareInverse(const Components &element) {
  if (element.size() == 2)
    return prepareDivisor(element);
  Value scale = powerOfTwo(element[0]);
  Value scaled = arith::MulFOp::create(builder, loc, element[0], scale);
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element[0].getType(), 1));
  return {{arith::DivFOp::create(builder, loc, one, scaled)}, scale};
}

Components ElementMath::divide(const Components &left, const Divisor &right) {
  Components parts;
  if (right.scale) {
    for (Value part : multiply(right.factor, left))
      parts.push_back(arith::MulFOp::create(builder, loc, part, right.scale));
    return parts;
  }
  for (Value part : left)
    parts.push_back(arith::DivFOp::create(builder, loc, part, right.factor[0]));
  return parts;
}

Value Factors::get(int64_t index, int64_t part, bool negative) {
  int64_t number = index * components + part;
  Value &plain = known[2 * number], &minus = known[2 * number + 1];
  if (!plain)
    plain = numbers.convert(registers[number], type);
  if (negative && !minus)
    minus = numbers.negate(plain);
  return negative ? minus : plain;
}
