//===- ElementMath.cpp - Arithmetic on elements of any type ---------------===//

#include "ElementMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rooftile;

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

/// True of a part of a constant that is 0.
static bool isZero(Value part) { return matchPattern(part, m_AnyZeroFloat()); }

Components ElementMath::multiply(const Components &left, const Components &right) {
  auto product = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(builder, loc, a, b);
  };
  if (left.size() == 1)
    return {product(left[0], right[0])};
  if (isZero(left[1]))
    return {product(left[0], right[0]), product(left[0], right[1])};
  if (isZero(left[0]))
    return {product(negate(left[1]), right[1]), product(left[1], right[0])};
  return {multiplyAdd(negate(left[1]), right[1], product(left[0], right[0])),
          multiplyAdd(left[1], right[0], product(left[0], right[1]))};
}

Components ElementMath::multiplyAdd(const Components &left, const Components &right,
                                    const Components &sum) {
  if (left.size() == 1)
    return {multiplyAdd(left[0], right[0], sum[0])};
  if (isZero(left[1]))
    return {multiplyAdd(left[0], right[0], sum[0]), multiplyAdd(left[0], right[1], sum[1])};
  if (isZero(left[0]))
    return {multiplyAdd(negate(left[1]), right[1], sum[0]), multiplyAdd(left[1], right[0], sum[1])};
  return {multiplyAdd(negate(left[1]), right[1], multiplyAdd(left[0], right[0], sum[0])),
          multiplyAdd(left[1], right[0], multiplyAdd(left[0], right[1], sum[1]))};
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
