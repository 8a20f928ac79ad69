//===- Division.cpp - Steps of a division: scale, FMAs, fix up ------------===//
//
// "RDNA3 ISA", V_DIV_SCALE_*, V_DIV_FMAS_* and V_DIV_FIXUP_*. Sources of the scale: the one that is
// scaled, the denominator, the numerator; of the fix-up: quotient, denominator, numerator. Where
// both the reciprocal of the denominator and the quotient are denormal, the document scales the
// denominator up, beyond the largest number; here it is scaled down, as where only its reciprocal
// is denormal, and so quotients are right (tests divide with all three).
//
//===----------------------------------------------------------------------===//

#include "FloatRules.h"
#include "llvm/ADT/APFloat.h"

using namespace rooftile::emulator;

namespace {

/// Exponents of the rules. `largeDifference`: of a quotient near overflow.
template <class F> struct Limits;
template <> struct Limits<F32> {
  static constexpr int scale = 64, largeDifference = 96, tinyNumerator = 23;
  static constexpr int bias = 127, underflow = -150;
};
template <> struct Limits<F64> {
  static constexpr int scale = 128, largeDifference = 768, tinyNumerator = 53;
  static constexpr int bias = 1023, underflow = -1075;
};

/// A scaled source, and whether v_div_fmas scales back.
template <class F> struct Scaled {
  typename F::Value value;
  bool isScaledBack;
};

} // namespace

template <class F, class Value>
static Scaled<F> scaleForDivision(Value value, Value denominator, Value numerator) {
  using L = Limits<F>;
  bool isDenominator = value == denominator, isNumerator = value == numerator;
  auto scaled = [&](bool condition, int power) {
    return condition ? Value(std::ldexp(value, power)) : value;
  };
  if (numerator == 0 || denominator == 0)
    return {std::numeric_limits<Value>::quiet_NaN(), false};
  bool hasDenormalReciprocal = isDenormal(Value(1) / denominator);
  bool hasDenormalQuotient = isDenormal(numerator / denominator);
  if (exponentOf(numerator) - exponentOf(denominator) >= L::largeDifference)
    return {scaled(isDenominator, L::scale), true};
  if (isDenormal(denominator))
    return {scaled(true, L::scale), false};
  if (hasDenormalReciprocal && hasDenormalQuotient)
    return {scaled(isDenominator, -L::scale), true};
  if (hasDenormalReciprocal)
    return {scaled(true, -L::scale), false};
  if (hasDenormalQuotient)
    return {scaled(isNumerator, L::scale), true};
  return {scaled(exponentOf(numerator) <= L::tinyNumerator, L::scale), false};
}

/// Operands: result, mask of lanes that are scaled back, and three sources.
template <class F, class Raw> static void divScale(Wave &wave, const Instruction &instruction) {
  Row<typename F::Bits> buffers[3], result{};
  const typename F::Bits *sources[3];
  for (unsigned source = 0; source < 3; ++source)
    sources[source] = readRow<Raw>(wave, instruction, source + 2, source, buffers[source]);
  uint64_t active = wave.exec(), scaledBack = 0;
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    Scaled<F> scaled = scaleForDivision<F>(F::value(sources[0][lane]), F::value(sources[1][lane]),
                                           F::value(sources[2][lane]));
    result[lane] = F::bits(scaled.value);
    scaledBack |= uint64_t(scaled.isScaledBack) << lane;
  }
  writeRow<Raw>(wave, instruction, 0, 3, active, result);
  wave.setMask(instruction.operands[1], scaledBack & active);
}

/// A product and a sum that are rounded after the power of 2, which is that of a denormal quotient.
template <class F>
static typename F::Bits scaledFma(typename F::Bits a, typename F::Bits b, typename F::Bits c) {
  using llvm::APFloat;
  constexpr unsigned width = 8 * sizeof(typename F::Bits);
  const llvm::fltSemantics &format = width == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  bool isInexact;
  auto wide = [&](typename F::Bits bits) {
    APFloat value(format, llvm::APInt(width, bits));
    value.convert(APFloat::IEEEquad(), nearest, &isInexact);
    return value;
  };
  APFloat result = wide(a);
  // A last bit that is odd keeps what is cut off apart from the middle of two numbers.
  if (result.fusedMultiplyAdd(wide(b), wide(c), APFloat::rmTowardZero) & APFloat::opInexact)
    result = APFloat(APFloat::IEEEquad(), result.bitcastToAPInt() | 1);
  using L = Limits<F>;
  result = scalbn(result, exponentOf(F::value(c)) > L::bias ? L::scale : -L::scale, nearest);
  result.convert(format, nearest, &isInexact);
  return typename F::Bits(result.bitcastToAPInt().getZExtValue());
}

/// A product and a sum, scaled back where VCC has a bit.
template <class F> static void divFmas(Wave &wave, const Instruction &instruction) {
  using Value = typename F::Value;
  Row<typename F::Bits> buffers[3], result{};
  const typename F::Bits *sources[3];
  for (unsigned source = 0; source < 3; ++source)
    sources[source] = readRow<F>(wave, instruction, source + 1, source, buffers[source]);
  uint64_t scaledBack = wave.scalar(kVcc);
  if (wave.lanes() == 64)
    scaledBack |= uint64_t(wave.scalar(kVcc + 1)) << 32;
  auto fma = propagating([](Value a, Value b, Value c) { return std::fma(a, b, c); });
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    auto a = sources[0][lane], b = sources[1][lane], c = sources[2][lane];
    result[lane] = scaledBack >> lane & 1 ? scaledFma<F>(a, b, c)
                                          : F::bits(fma(F::value(a), F::value(b), F::value(c)));
  }
  writeRow<F>(wave, instruction, 0, 3, wave.exec(), result);
}

/// The cases that both f16 and the wider formats have.
template <class Value> static Value fixUp(Value quotient, Value denominator, Value numerator) {
  constexpr Value infinity = std::numeric_limits<Value>::infinity();
  bool isNegative = std::signbit(denominator) != std::signbit(numerator);
  auto withSign = [&](Value magnitude) {
    return std::copysign(magnitude, isNegative ? -1.0 : 1.0);
  };
  if (numerator != numerator || denominator != denominator)
    return quiet(numerator != numerator ? numerator : denominator);
  bool isInfinite = std::isinf(numerator);
  if ((denominator == 0 && numerator == 0) || (std::isinf(denominator) && isInfinite))
    return std::copysign(std::numeric_limits<Value>::quiet_NaN(), Value(-1));
  if (denominator == 0 || isInfinite)
    return Value(withSign(infinity));
  if (std::isinf(denominator) || numerator == 0)
    return Value(withSign(0));
  // Steps of a quotient that overflows meet infinities.
  return Value(withSign(quotient != quotient ? infinity : std::fabs(quotient)));
}

template <class F>
static typename F::Value divFixup(typename F::Value quotient, typename F::Value denominator,
                                  typename F::Value numerator) {
  using Value = typename F::Value;
  bool isFinite = std::isfinite(denominator) && std::isfinite(numerator);
  bool isTiny = isFinite && denominator != 0 &&
                exponentOf(numerator) - exponentOf(denominator) < Limits<F>::underflow;
  return fixUp(isTiny ? Value(0) : quotient, denominator, numerator);
}

void rooftile::emulator::addDivisionHandlers(Handlers &handlers) {
  handlers["v_div_scale_f32"] = divScale<F32, Float32<Denormals::Kept>>;
  handlers["v_div_scale_f64"] = divScale<F64, Float64<Denormals::Kept>>;
  handlers["v_div_fmas_f32"] = divFmas<F32>;
  handlers["v_div_fmas_f64"] = divFmas<F64>;
  handlers["v_div_fixup_f16"] = lanes<Keeping<F16>, F16, F16, F16>(
      [](double a, double b, double c) { return fixUp(a, b, c); });
  handlers["v_div_fixup_f32"] =
      lanes<F32, F32, F32, F32>([](float a, float b, float c) { return divFixup<F32>(a, b, c); });
  handlers["v_div_fixup_f64"] = lanes<F64, F64, F64, F64>(
      [](double a, double b, double c) { return divFixup<F64>(a, b, c); });
}
