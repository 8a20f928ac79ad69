//===- ElementTraits.h - The numbers that results are checked in -*- C++ -*-===//
#ifndef ROOFTILE_BENCH_ELEMENTTRAITS_H
#define ROOFTILE_BENCH_ELEMENTTRAITS_H

#include "llvm/Support/FormatVariadic.h"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace rooftile::bench {

/// The upper half of an f32.
struct Bfloat {
  uint16_t bits;
  operator double() const {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

/// What kernels sum elements of T in, and numbers that are twice as precise; half the distance
/// from 1 to the next number of T's reals.
template <typename T> struct ElementTraits {
  using Sum = T;
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  static constexpr double rounding = std::numeric_limits<T>::epsilon() / 2;
};
template <> struct ElementTraits<_Float16> {
  using Sum = float;
  using Wide = double;
  static constexpr double rounding = 0x1p-11;
};
template <> struct ElementTraits<Bfloat> {
  using Sum = float;
  using Wide = double;
  static constexpr double rounding = 0x1p-8;
};
template <typename Real> struct ElementTraits<std::complex<Real>> {
  using Sum = Real;
  using Wide = std::complex<typename ElementTraits<Real>::Wide>;
  static constexpr double rounding = ElementTraits<Real>::rounding;
};
template <typename T> using Wide = typename ElementTraits<T>::Wide;
/// A vector of signs, and sums of such.
template <typename T> using Vector = std::vector<Wide<T>>;
/// Parts of an element.
template <typename T>
inline constexpr int kComponents =
    std::is_same_v<T, std::complex<typename ElementTraits<T>::Sum>> ? 2 : 1;

/// The rounding of sums; that of C where it is coarser, else 0.
template <typename T>
inline constexpr double kSumRounding = ElementTraits<typename ElementTraits<T>::Sum>::rounding;
template <typename T>
inline constexpr double kLastRounding =
    ElementTraits<T>::rounding > kSumRounding<T> ? ElementTraits<T>::rounding : 0;

template <typename T> std::string show(const T &value) {
  if constexpr (std::is_arithmetic_v<T>)
    return llvm::formatv("{0}", double(value));
  else
    return llvm::formatv("{0} + {1} i", double(value.real()), double(value.imag()));
}

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_ELEMENTTRAITS_H
