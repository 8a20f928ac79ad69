//===- Formats.h - Number formats of vector instructions --------*- C++ -*-===//
//
// A format is how a handler sees the bits of a register: `Bits` in it, `Value` to compute with.
// f16 is computed in f64: sums and products are exact there and rounded once.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EMULATOR_HANDLERS_FORMATS_H
#define ROOFTILE_EMULATOR_HANDLERS_FORMATS_H

#include "rooftile/Emulator/Wave.h"

#include <cmath>
#include <cstring>

namespace rooftile::emulator {

template <class To, class From> To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Integers, without modifiers of sources.
template <class BitsType, class ValueType = BitsType> struct Word {
  using Bits = BitsType;
  using Value = ValueType;
  static constexpr bool isFloat = false, keepsHigh = false;
  static Value value(Bits bits) { return Value(bits); }
  static Bits bits(Value value) { return Bits(value); }
};
using U16 = Word<uint16_t>;
using S16 = Word<uint16_t, int16_t>;
using U32 = Word<uint32_t>;
using S32 = Word<uint32_t, int32_t>;
using U64 = Word<uint64_t>;
using S64 = Word<uint64_t, int64_t>;

/// A 16-bit result that leaves the other half of its register, before gfx11, too.
template <class Format> struct Keeping : Format {
  static constexpr bool keepsHigh = true;
};

/// Value of an f16. NaN values keep their payload, and signalling ones stay so.
inline double halfToDouble(uint16_t bits) {
  uint64_t sign = uint64_t(bits & 0x8000) << 48, exponent = bits >> 10 & 31,
           fraction = bits & 0x3ff;
  uint64_t biased = exponent == 31 ? 2047 : exponent + (1023 - 15);
  double normal = bitsAs<double>(sign | biased << 52 | fraction << 42);
  double denormal = bitsAs<double>(bitsAs<uint64_t>(double(int64_t(fraction)) * 0x1p-24) | sign);
  return exponent == 0 ? denormal : normal;
}

/// Rounded to the nearest f16, ties to even.
inline uint16_t doubleToHalf(double value) {
  auto bits = bitsAs<uint64_t>(value);
  uint64_t sign = bits >> 48 & 0x8000, magnitude = bits & ~(uint64_t(1) << 63);
  double absolute = bitsAs<double>(magnitude);
  if (absolute < 0x1p-14) // A sum with 2^28 has a last place of 2^-24, that of denormals.
    return uint16_t(sign | (bitsAs<uint64_t>(absolute + 0x1p28) - bitsAs<uint64_t>(0x1p28)));
  if (absolute < 65520) {
    magnitude += (uint64_t(1) << 41) - 1 + (magnitude >> 42 & 1);
    return uint16_t(sign | ((magnitude >> 42) - (uint64_t(1023 - 15) << 10)));
  }
  uint64_t payload = std::isnan(value) ? (magnitude >> 42 & 0x3ff) : 0;
  return uint16_t(sign | 0x7c00 | payload | (std::isnan(value) && payload == 0 ? 0x200 : 0));
}

/// Denormals of sources and results.
enum class Denormals { ByMode, Flushed, Kept };

/// Fields and modes that floating-point formats share.
template <class BitsType, class ValueType, unsigned fractionBits, Denormals denormals>
struct Float {
  using Bits = BitsType;
  using Value = ValueType;
  static constexpr bool isFloat = true, keepsHigh = false;
  static constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  static constexpr Bits fraction = (Bits(1) << fractionBits) - 1;
  static constexpr Bits exponent = Bits(~sign & ~fraction);
  static bool keepsDenormals(const FloatMode &mode) {
    return sizeof(Bits) == 4 ? mode.keepsDenormals32 : mode.keepsDenormals16And64;
  }
  static bool flushes(const FloatMode &mode) {
    return denormals == Denormals::Flushed ||
           (denormals == Denormals::ByMode && !keepsDenormals(mode));
  }
  static Bits flushed(Bits bits) { return Bits(bits & exponent ? bits : bits & sign); }
};

template <Denormals denormals> struct Float16 : Float<uint16_t, double, 10, denormals> {
  static double value(uint16_t bits) { return halfToDouble(bits); }
  static uint16_t bits(double value) { return doubleToHalf(value); }
};
template <Denormals denormals> struct Float32 : Float<uint32_t, float, 23, denormals> {
  static float value(uint32_t bits) { return bitsAs<float>(bits); }
  static uint32_t bits(float value) { return bitsAs<uint32_t>(value); }
};
template <Denormals denormals> struct Float64 : Float<uint64_t, double, 52, denormals> {
  static double value(uint64_t bits) { return bitsAs<double>(bits); }
  static uint64_t bits(double value) { return bitsAs<uint64_t>(value); }
};
using F16 = Float16<Denormals::ByMode>;
using F32 = Float32<Denormals::ByMode>;
using F64 = Float64<Denormals::ByMode>;
using FlushedF32 = Float32<Denormals::Flushed>;

/// Sources of bits that have modifiers, and results that have none: v_cndmask.
template <class Format> struct Bitwise : Format {
  using Value = typename Format::Bits;
  static Value value(Value bits) { return bits; }
  static Value bits(Value value) { return value; }
};
using B16 = Bitwise<Float16<Denormals::Kept>>;
using B32 = Bitwise<Float32<Denormals::Kept>>;
using B64 = Bitwise<Float64<Denormals::Kept>>;

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_HANDLERS_FORMATS_H
