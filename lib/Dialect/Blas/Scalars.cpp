//===- Scalars.cpp - alpha and beta, real or complex ----------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;

Value rooftile::blas::cloneConstant(OpBuilder &builder, Value scalar) {
  Attribute attribute;
  if (!matchPattern(scalar, m_Constant(&attribute)))
    return {};
  if (auto typed = dyn_cast<TypedAttr>(attribute))
    return arith::ConstantOp::create(builder, scalar.getLoc(), typed);
  // The attribute of a complex constant has no type of its own.
  return complex::ConstantOp::create(builder, scalar.getLoc(), scalar.getType(),
                                     cast<ArrayAttr>(attribute));
}

std::optional<std::complex<double>> rooftile::blas::getConstantValue(Value value, double absent) {
  if (!value)
    return std::complex<double>(absent);
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  auto real = [](Attribute part) { return cast<FloatAttr>(part).getValueAsDouble(); };
  if (isa<FloatAttr>(attribute))
    return std::complex<double>(real(attribute));
  if (auto parts = dyn_cast<ArrayAttr>(attribute))
    return std::complex<double>(real(parts[0]), real(parts[1]));
  return std::nullopt;
}

Value rooftile::blas::createScalar(OpBuilder &builder, Location loc, Type type,
                                   std::complex<double> value) {
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value.real()));
  Type part = complex.getElementType();
  Attribute parts[] = {builder.getFloatAttr(part, value.real()),
                       builder.getFloatAttr(part, value.imag())};
  return complex::ConstantOp::create(builder, loc, type, builder.getArrayAttr(parts));
}

Type rooftile::blas::getDefaultSumType(Type element) {
  bool narrow = element.isF16() || element.isBF16();
  return narrow ? Float32Type::get(element.getContext()) : element;
}

Value rooftile::blas::createNonZeroTest(OpBuilder &builder, Location loc, Value scalar) {
  auto test = [&](Value part) -> Value {
    Value zero = createScalar(builder, loc, part.getType(), 0);
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, part, zero);
  };
  if (!isa<ComplexType>(scalar.getType()))
    return test(scalar);
  Value re = test(complex::ReOp::create(builder, loc, scalar));
  Value im = test(complex::ImOp::create(builder, loc, scalar));
  return arith::OrIOp::create(builder, loc, re, im);
}
