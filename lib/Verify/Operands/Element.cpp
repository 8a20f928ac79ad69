//===- Element.cpp - Values of all element types --------------------------===//

#include "rooftile/Verify/Operands/Element.h"

#include <cmath>
#include <cstring>

using namespace rooftile::verify;

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
