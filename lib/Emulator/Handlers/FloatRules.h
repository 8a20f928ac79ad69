//===- FloatRules.h - Extrema, rounding and rules of NaN values -*- C++ -*-===//
//
// A result that is no number is the first source that is none, quieted, or the default NaN. Rules
// of minima and maxima: "Vega 7nm ISA", V_MAX_F32 and V_MIN_F32.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EMULATOR_HANDLERS_FLOATRULES_H
#define ROOFTILE_EMULATOR_HANDLERS_FLOATRULES_H

#include "LaneLoops.h"
#include "rooftile/Emulator/Handlers.h"

namespace rooftile::emulator {

/// Handlers that addFloatHandlers adds from other files.
void addDivisionHandlers(Handlers &handlers);
void addPackedFloatHandlers(Handlers &handlers);

inline uint32_t bitsOf(float value) { return bitsAs<uint32_t>(value); }
inline uint64_t bitsOf(double value) { return bitsAs<uint64_t>(value); }
inline float quiet(float value) { return bitsAs<float>(bitsOf(value) | 1u << 22); }
inline double quiet(double value) { return bitsAs<double>(bitsOf(value) | uint64_t(1) << 51); }
template <class Value> bool isSignalling(Value value) {
  return value != value && bitsOf(quiet(value)) != bitsOf(value);
}
/// The biased exponent.
inline int exponentOf(float value) { return int(bitsOf(value) >> 23 & 255); }
inline int exponentOf(double value) { return int(bitsOf(value) >> 52 & 2047); }
template <class Value> bool isDenormal(Value value) {
  return exponentOf(value) == 0 && value != Value(0);
}

template <class Value> Value firstNan(Value value) {
  return value != value ? quiet(value) : std::numeric_limits<Value>::quiet_NaN();
}
template <class Value, class... Values> Value firstNan(Value first, Values... others) {
  return first != first ? quiet(first) : firstNan<Value>(others...);
}

/// `function` with the rule of NaN values.
template <class Function> auto propagating(Function function) {
  return [function](auto first, auto... others) {
    auto result = function(first, others...);
    return result != result ? firstNan(first, others...) : result;
  };
}

/// Rounds once to an f16 what is then rounded from f64: a sum that is not exact gets an odd last
/// bit, which keeps it apart from the middle of two f16.
inline double fusedForHalf(double a, double b, double c) {
  double product = a * b, sum = product + c; // The product is exact.
  double fromC = sum - product, error = (product - (sum - fromC)) + (c - fromC);
  uint64_t bits = bitsOf(sum);
  bool isFinite = std::fabs(sum) <= std::numeric_limits<double>::max();
  if (isFinite && error != 0 && !(bits & 1))
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  return bitsAs<double>(bits);
}
/// Fused multiply-add of a format.
template <class Format>
typename Format::Value fused(typename Format::Value a, typename Format::Value b,
                             typename Format::Value c) {
  if constexpr (sizeof(typename Format::Bits) == 2)
    return fusedForHalf(a, b, c);
  else
    return std::fma(a, b, c);
}

/// -0 is less than +0, and a number wins over a NaN, but in IEEE mode not over a signalling one.
template <bool isIeee, bool isMaximum, class Value> Value extremum(Value a, Value b) {
  bool isFirst =
      isMaximum ? a > b || (a == b && !std::signbit(a)) : a < b || (a == b && std::signbit(a));
  Value chosen = a != a ? b : b != b ? a : isFirst ? a : b;
  if constexpr (isIeee)
    return isSignalling(a) ? quiet(a) : isSignalling(b) ? quiet(b) : chosen;
  return chosen;
}
template <bool isIeee, class Value> Value maximum(Value a, Value b) {
  return extremum<isIeee, true>(a, b);
}
template <bool isIeee, class Value> Value minimum(Value a, Value b) {
  return extremum<isIeee, false>(a, b);
}
template <bool isIeee, class Value> Value median(Value a, Value b, Value c) {
  if (a != a || b != b || c != c)
    return minimum<isIeee>(minimum<isIeee>(a, b), c);
  Value most = maximum<isIeee>(maximum<isIeee>(a, b), c);
  return most == a   ? maximum<isIeee>(b, c)
         : most == b ? maximum<isIeee>(a, c)
                     : maximum<isIeee>(a, b);
}

/// One function in IEEE mode, the other without.
template <class Out, class... In, class Ieee, class Other>
Instruction::Handler lanesByMode(Ieee ieee, Other other) {
  keep(ieee);
  keep(other);
  return [](Wave &wave, const Instruction &instruction) {
    if (wave.mode.isIeee)
      runLanes<false, Ieee, Out, In...>(wave, instruction);
    else
      runLanes<false, Other, Out, In...>(wave, instruction);
  };
}

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_HANDLERS_FLOATRULES_H
