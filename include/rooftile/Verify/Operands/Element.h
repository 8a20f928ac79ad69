//===- Element.h - Values of all element types ------------------*- C++ -*-===//
//
// Arithmetic on elements of the table of element types (rooftile/Operation/Element.h).
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERANDS_ELEMENT_H
#define ROOFTILE_VERIFY_OPERANDS_ELEMENT_H

#include "rooftile/Operation/Element.h"

#include <cmath>
#include <complex>
#include <limits>

namespace rooftile::verify {

using operation::Element;

/// Half the distance from 1 to the next number.
double roundoff(Element element);

/// A number of 16 bits with so many bits of exponent: `double` to the nearest, ties to even.
template <int exponentBits> struct Narrow {
  uint16_t bits = 0;
  Narrow() = default;
  explicit Narrow(double value);
  operator double() const;
};
using Half = Narrow<5>;
using Bfloat = Narrow<8>;
extern template struct Narrow<5>;
extern template struct Narrow<8>;

} // namespace rooftile::verify

/// The traits of float and double, of the narrow types as well, in doubles.
template <int exponentBits> struct std::numeric_limits<rooftile::verify::Narrow<exponentBits>> {
  static double epsilon() { return std::ldexp(1, exponentBits - 15); }
  static double denorm_min() {
    return std::ldexp(1, exponentBits - 13 - (1 << (exponentBits - 1)));
  }
};

namespace rooftile::verify {

/// Half the distance from 1 to the next number of a type.
template <typename T> double roundoffOf() { return std::numeric_limits<T>::epsilon() / 2; }

/// `visit(T())` for the C++ type T of the element's components.
template <typename Visit> auto withReal(Element element, Visit visit) {
  switch (realOf(element)) {
  case Element::F16:
    return visit(Half());
  case Element::BF16:
    return visit(Bfloat());
  case Element::F32:
    return visit(float());
  default:
    return visit(double());
  }
}

/// alpha or beta.
using Scalar = std::complex<double>;
/// Upper bound of what a scalar makes of a component of a value: |re| + |im|.
inline double magnitudeOf(Scalar scalar) {
  return std::abs(scalar.real()) + std::abs(scalar.imag());
}

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERANDS_ELEMENT_H
