//===- Element.h - Numbers of all element types -----------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_OPERANDS_ELEMENT_H
#define ROOFTILE_VERIFY_OPERANDS_ELEMENT_H

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

namespace mlir {
class Type;
} // namespace mlir

namespace rooftile::verify {

/// f16, bf16, f32, f64, complex<f32> and complex<f64>.
enum class Element { F16, BF16, F32, F64, C64, C128 };

/// "c64" for complex<f32>, as numpy has it.
const char *nameOf(Element element);
/// The element of that name; false where there is none.
bool elementNamed(const std::string &name, Element &element);
/// What elements of this type of MLIR are: one of the six.
Element elementOf(mlir::Type type);

/// Real numbers in an element: the real part comes first.
inline int64_t componentsOf(Element element) {
  return element == Element::C64 || element == Element::C128 ? 2 : 1;
}
/// The type of these numbers.
inline Element realOf(Element element) {
  return element == Element::C64 ? Element::F32 : element == Element::C128 ? Element::F64 : element;
}
int64_t bytesOf(Element element);
/// The type in MLIR: complex<f32>.
std::string typeText(Element element);
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

/// What the standard says of float and double, of the narrow types as well, in doubles.
template <int exponentBits> struct std::numeric_limits<rooftile::verify::Narrow<exponentBits>> {
  static double epsilon() { return std::ldexp(1, exponentBits - 15); }
  static double denorm_min() {
    return std::ldexp(1, exponentBits - 13 - (1 << (exponentBits - 1)));
  }
};

namespace rooftile::verify {

/// Half the distance from 1 to the next number of a type.
template <typename T> double roundoffOf() { return std::numeric_limits<T>::epsilon() / 2; }

/// `visit(T())` for the C++ type T of the element's real numbers.
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
/// Upper bound of what a scalar makes of a part of a number: |re| + |im|.
inline double magnitudeOf(Scalar scalar) {
  return std::abs(scalar.real()) + std::abs(scalar.imag());
}

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERANDS_ELEMENT_H
