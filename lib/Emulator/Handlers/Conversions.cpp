//===- Conversions.cpp - Conversions between number formats ---------------===//
//
// v_cvt_* of "Vega 7nm ISA", "MI200 ISA", "MI300 ISA" and "RDNA3 ISA". To integers: toward zero,
// saturated, 0 of a NaN. To floating-point formats: to nearest, ties to even, but v_cvt_pkrtz.
//
//===----------------------------------------------------------------------===//

#include "FloatRules.h"

using namespace rooftile::emulator;

/// The nearest integer in range of one that was rounded to an integer.
template <class Integer, class Value> static Integer saturated(Value value) {
  using Limits = std::numeric_limits<Integer>;
  constexpr double least = double(Limits::min()), end = double(Limits::max()) + 1;
  double wide = double(value);
  if (!(wide > least)) // A NaN, too.
    return wide != wide ? Integer(0) : Limits::min();
  return wide >= end ? Limits::max() : Integer(wide);
}

/// Toward zero: an f32 beyond the largest f16 is that, but for infinities.
static uint16_t halfTowardZero(float value) {
  if (std::isnan(value) || std::isinf(value))
    return doubleToHalf(value != value ? quiet(double(value)) : double(value));
  uint16_t bits = doubleToHalf(value);
  double rounded = halfToDouble(bits);
  return std::fabs(rounded) > std::fabs(double(value)) ? uint16_t(bits - 1) : bits;
}

static void addFloatToFloat(Handlers &handlers) {
  auto convert = [](auto a) { return a != a ? quiet(a) : a; };
  handlers["v_cvt_f16_f32"] = lanes<F16, F32>(convert);
  handlers["v_cvt_f32_f16"] = lanes<F32, F16>(convert);
  handlers["v_cvt_f32_f64"] = lanes<F32, F64>(convert);
  handlers["v_cvt_f64_f32"] = lanes<F64, F32>(convert);
  handlers["v_cvt_pkrtz_f16_f32"] = handlers["v_cvt_pk_rtz_f16_f32"] =
      lanes<U32, F32, F32>([](float low, float high) {
        return halfTowardZero(low) | uint32_t(halfTowardZero(high)) << 16;
      });
}

static void addIntegerToFloat(Handlers &handlers) {
  auto convert = [](auto a) { return a; };
  handlers["v_cvt_f32_i32"] = lanes<F32, S32>(convert);
  handlers["v_cvt_f32_u32"] = lanes<F32, U32>(convert);
  handlers["v_cvt_f64_i32"] = lanes<F64, S32>(convert);
  handlers["v_cvt_f64_u32"] = lanes<F64, U32>(convert);
  handlers["v_cvt_f16_i16"] = lanes<F16, S16>(convert);
  handlers["v_cvt_f16_u16"] = lanes<F16, U16>(convert);
  handlers["v_cvt_f32_ubyte0"] = lanes<F32, U32>([](uint32_t a) { return a & 255; });
  handlers["v_cvt_f32_ubyte1"] = lanes<F32, U32>([](uint32_t a) { return a >> 8 & 255; });
  handlers["v_cvt_f32_ubyte2"] = lanes<F32, U32>([](uint32_t a) { return a >> 16 & 255; });
  handlers["v_cvt_f32_ubyte3"] = lanes<F32, U32>([](uint32_t a) { return a >> 24; });
  // Sixteenths: four bits with a sign.
  handlers["v_cvt_off_f32_i4"] =
      lanes<F32, U32>([](uint32_t a) { return float(int32_t(a << 28) >> 28) / 16; });
}

static void addFloatToInteger(Handlers &handlers) {
  auto toSigned = [](auto a) { return saturated<int32_t>(std::trunc(a)); };
  auto toUnsigned = [](auto a) { return saturated<uint32_t>(std::trunc(a)); };
  handlers["v_cvt_i32_f32"] = lanes<S32, F32>(toSigned);
  handlers["v_cvt_u32_f32"] = lanes<U32, F32>(toUnsigned);
  handlers["v_cvt_i32_f64"] = lanes<S32, F64>(toSigned);
  handlers["v_cvt_u32_f64"] = lanes<U32, F64>(toUnsigned);
  handlers["v_cvt_i16_f16"] =
      lanes<S16, F16>([](double a) { return saturated<int16_t>(std::trunc(a)); });
  handlers["v_cvt_u16_f16"] =
      lanes<U16, F16>([](double a) { return saturated<uint16_t>(std::trunc(a)); });
  handlers["v_cvt_flr_i32_f32"] = handlers["v_cvt_floor_i32_f32"] =
      lanes<S32, F32>([](float a) { return saturated<int32_t>(std::floor(a)); });
  handlers["v_cvt_rpi_i32_f32"] = handlers["v_cvt_nearest_i32_f32"] =
      lanes<S32, F32>([](float a) { return saturated<int32_t>(std::floor(double(a) + 0.5)); });
}

/// Between integers, with saturation.
static void addIntegerToInteger(Handlers &handlers) {
  handlers["v_cvt_pk_u16_u32"] = lanes<U32, U32, U32>([](uint32_t low, uint32_t high) {
    return saturated<uint16_t>(double(low)) | uint32_t(saturated<uint16_t>(double(high))) << 16;
  });
  handlers["v_cvt_pk_i16_i32"] = lanes<U32, S32, S32>([](int32_t low, int32_t high) {
    return uint16_t(saturated<int16_t>(double(low))) |
           uint32_t(uint16_t(saturated<int16_t>(double(high)))) << 16;
  });
  // A byte of source 2, which source 1 chooses.
  handlers["v_cvt_pk_u8_f32"] =
      lanes<U32, F32, U32, U32>([](float value, uint32_t byte, uint32_t others) {
        unsigned shift = 8 * (byte & 3);
        return (others & ~(255u << shift)) | uint32_t(saturated<uint8_t>(std::trunc(value)))
                                                 << shift;
      });
  handlers["v_cvt_i32_i16"] = lanes<S32, S16>([](int16_t a) { return int32_t(a); });
  handlers["v_cvt_u32_u16"] = lanes<U32, U16>([](uint16_t a) { return uint32_t(a); });
}

void rooftile::emulator::addConversionHandlers(Handlers &handlers) {
  addFloatToFloat(handlers);
  addIntegerToFloat(handlers);
  addFloatToInteger(handlers);
  addIntegerToInteger(handlers);
}
