//===- Element.cpp - Numbers of all element types -------------------------===//

#include "rooftile/Verify/Operands/Element.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <cstring>

using namespace rooftile::verify;

static constexpr const char *kNames[] = {"f16", "bf16", "f32", "f64", "c64", "c128"};

const char *rooftile::verify::nameOf(Element element) { return kNames[static_cast<int>(element)]; }

bool rooftile::verify::elementNamed(const std::string &name, Element &element) {
  for (int index = 0; index < 6; ++index)
    if (name == kNames[index]) {
      element = static_cast<Element>(index);
      return true;
    }
  return false;
}

Element rooftile::verify::elementOf(mlir::Type type) {
  mlir::Type real = realTypeOf(type);
  if (mlir::isa<mlir::ComplexType>(type))
    return real.isF32() ? Element::C64 : Element::C128;
  return real.isF16()    ? Element::F16
         : real.isBF16() ? Element::BF16
         : real.isF32()  ? Element::F32
                         : Element::F64;
}

std::string rooftile::verify::typeText(Element element) {
  std::string real = nameOf(realOf(element));
  return componentsOf(element) == 2 ? "complex<" + real + ">" : real;
}

int64_t rooftile::verify::bytesOf(Element element) {
  static constexpr int64_t kBytes[] = {2, 2, 4, 8, 8, 16};
  return kBytes[static_cast<int>(element)];
}

double rooftile::verify::roundoff(Element element) {
  return withReal(element, [](auto zero) { return roundoffOf<decltype(zero)>(); });
}

template <int exponentBits> Narrow<exponentBits>::Narrow(double value) {
  constexpr int fractionBits = 15 - exponentBits, bias = (1 << (exponentBits - 1)) - 1;
  constexpr uint16_t infinity = ((1 << exponentBits) - 1) << fractionBits;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) {
    bits = sign | infinity | 1 << (fractionBits - 1);
    return;
  }
  int exponent;
  std::frexp(value, &exponent); // |value| = m 2^exponent with m in [1/2, 1)
  int least = value == 0 ? 1 - bias : std::max(exponent - 1, 1 - bias);
  double steps = std::nearbyint(std::ldexp(std::fabs(value), fractionBits - least));
  // In steps of 2^(least - fractionBits): the leading bit counts as one more of the exponent.
  double code = steps + std::ldexp(double(least + bias - 1), fractionBits);
  bits = sign | (std::isinf(value) || code >= infinity ? infinity : uint16_t(code));
}

/// bf16 is the upper half of an f32; f16 is a type of compilers.
template <int exponentBits> Narrow<exponentBits>::operator double() const {
  if constexpr (exponentBits == 5) {
    _Float16 value;
    std::memcpy(&value, &bits, sizeof(value));
    return double(value);
  } else {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }
}

template struct rooftile::verify::Narrow<5>;
template struct rooftile::verify::Narrow<8>;
