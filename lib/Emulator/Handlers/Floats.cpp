//===- Floats.cpp - Floating-point arithmetic of vector instructions ------===//
//
// Semantics: "Vega 7nm ISA", "MI200 ISA", "MI300 ISA" and "RDNA3 ISA", sections of VOP1, VOP2 and
// VOP3. All round to nearest, ties to even. v_mad_f32 and v_mac_f32 flush denormals and round
// twice; approximations (v_rcp_f32, v_exp_f32, ..) are rounded correctly and flush denormals of
// f32.
//
//===----------------------------------------------------------------------===//

#include "FloatRules.h"
#include "llvm/ADT/Twine.h"

using namespace rooftile::emulator;

namespace {

/// Puts handlers under a name and the suffix of a format.
struct Table {
  Handlers &handlers;
  llvm::StringRef suffix;
  Instruction::Handler &operator[](llvm::StringRef name) { return handlers[(name + suffix).str()]; }
};

} // namespace

//===----------------------------------------------------------------------===//
// Sums, products and extrema
//===----------------------------------------------------------------------===//

/// f16, f32 and f64. `Fused`: format of a result of three sources.
template <class F, class Fused> static void addArithmetic(Table table) {
  table["v_add"] = lanes<F, F, F>(propagating([](auto a, auto b) { return a + b; }));
  table["v_mul"] = lanes<F, F, F>(propagating([](auto a, auto b) { return a * b; }));
  table["v_sub"] = lanes<F, F, F>(propagating([](auto a, auto b) { return a - b; }));
  table["v_subrev"] = lanes<F, F, F>(propagating([](auto a, auto b) { return b - a; }));
  auto fma = propagating([](auto a, auto b, auto c) { return fused<F>(a, b, c); });
  table["v_fma"] = lanes<Fused, F, F, F>(fma);
  table["v_fmamk"] = table["v_fmaak"] = lanes<F, F, F, F>(fma);
  table["v_fmac"] = accumulatingLanes<F, F, F, F>(fma);
}

template <class F> static void addExtrema(Table table) {
  auto max = [](auto a, auto b) { return maximum<false>(a, b); };
  auto min = [](auto a, auto b) { return minimum<false>(a, b); };
  auto ieeeMax = [](auto a, auto b) { return maximum<true>(a, b); };
  auto ieeeMin = [](auto a, auto b) { return minimum<true>(a, b); };
  table["v_max"] = lanesByMode<F, F, F>(ieeeMax, max);
  table["v_min"] = lanesByMode<F, F, F>(ieeeMin, min);
}

template <class F> static void addExtremaOfThree(Table table) {
  table["v_max3"] = lanesByMode<F, F, F, F>(
      [](auto a, auto b, auto c) { return maximum<true>(maximum<true>(a, b), c); },
      [](auto a, auto b, auto c) { return maximum<false>(maximum<false>(a, b), c); });
  table["v_min3"] = lanesByMode<F, F, F, F>(
      [](auto a, auto b, auto c) { return minimum<true>(minimum<true>(a, b), c); },
      [](auto a, auto b, auto c) { return minimum<false>(minimum<false>(a, b), c); });
  table["v_maxmin"] = lanesByMode<F, F, F, F>(
      [](auto a, auto b, auto c) { return minimum<true>(maximum<true>(a, b), c); },
      [](auto a, auto b, auto c) { return minimum<false>(maximum<false>(a, b), c); });
  table["v_minmax"] = lanesByMode<F, F, F, F>(
      [](auto a, auto b, auto c) { return maximum<true>(minimum<true>(a, b), c); },
      [](auto a, auto b, auto c) { return maximum<false>(minimum<false>(a, b), c); });
  table["v_med3"] =
      lanesByMode<F, F, F, F>([](auto a, auto b, auto c) { return median<true>(a, b, c); },
                              [](auto a, auto b, auto c) { return median<false>(a, b, c); });
}

/// Products and sums that are rounded one after the other, and products that are 0 for any factor
/// of 0.
static void addUnfused(Handlers &handlers) {
  using F = FlushedF32;
  auto mad = propagating([](float a, float b, float c) {
    float product = F32::value(F32::flushed(F32::bits(a * b)));
    return product + c;
  });
  handlers["v_mad_f32"] = lanes<F, F, F, F>(mad);
  handlers["v_madmk_f32"] = handlers["v_madak_f32"] = lanes<F, F, F, F>(mad);
  handlers["v_mac_f32"] = accumulatingLanes<F, F, F, F>(mad);
  auto halves = propagating([](double a, double b, double c) {
    double product = halfToDouble(doubleToHalf(a * b));
    return product + c;
  });
  handlers["v_mad_f16"] = lanes<Keeping<F16>, F16, F16, F16>(halves);
  handlers["v_madmk_f16"] = handlers["v_madak_f16"] = lanes<F16, F16, F16, F16>(halves);
  handlers["v_mac_f16"] = accumulatingLanes<F16, F16, F16, F16>(halves);

  // Zero times anything is +0.
  auto legacy = propagating([](float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; });
  handlers["v_mul_legacy_f32"] = handlers["v_mul_dx9_zero_f32"] = lanes<F32, F32, F32>(legacy);
  auto legacyFma = propagating([](float a, float b, float c) {
    bool isZero = a == 0 || b == 0;
    return std::fma(isZero ? 0.0f : a, isZero ? 0.0f : b, c);
  });
  handlers["v_fma_legacy_f32"] = handlers["v_fma_dx9_zero_f32"] =
      lanes<F32, F32, F32, F32>(legacyFma);
  handlers["v_fmac_legacy_f32"] = handlers["v_fmac_dx9_zero_f32"] =
      accumulatingLanes<F32, F32, F32, F32>(legacyFma);
}

//===----------------------------------------------------------------------===//
// Integers near, exponents
//===----------------------------------------------------------------------===//

template <class F> static void addRoundings(Table table) {
  table["v_trunc"] = lanes<F, F>(propagating([](auto a) { return std::trunc(a); }));
  table["v_floor"] = lanes<F, F>(propagating([](auto a) { return std::floor(a); }));
  table["v_ceil"] = lanes<F, F>(propagating([](auto a) { return std::ceil(a); }));
  table["v_rndne"] = lanes<F, F>(propagating([](auto a) { return std::nearbyint(a); }));
  // Less than 1 even where the difference rounds to it.
  table["v_fract"] = lanes<F, F>(propagating([](auto a) {
    auto difference = a - std::floor(a);
    auto below = F::value(typename F::Bits(F::bits(typename F::Value(1)) - 1));
    return difference > below ? below : difference;
  }));
}

/// Significand in [0.5, 1) and exponent; infinities and NaN values have an exponent of 0.
template <class F, class Exponent>
static void addExponents(Handlers &handlers, llvm::StringRef suffix, llvm::StringRef exponent) {
  using Value = typename F::Value;
  handlers[("v_frexp_mant" + suffix).str()] = lanes<F, F>(propagating([](auto a) {
    int power;
    return std::isfinite(a) ? Value(std::frexp(a, &power)) : a;
  }));
  handlers[("v_frexp_exp" + exponent + suffix).str()] = lanes<Exponent, F>([](auto a) {
    int power = 0;
    if (std::isfinite(a))
      std::frexp(a, &power);
    return power;
  });
  handlers[("v_ldexp" + suffix).str()] =
      lanes<F, F, Exponent>([](Value a, typename Exponent::Value power) {
        return a != a ? quiet(a) : Value(std::ldexp(a, int(power)));
      });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Sine of a number of turns.
static double sineOfTurns(double turns) {
  return std::sin(2 * 3.14159265358979323846 * std::remainder(turns, 1.0));
}
static double cosineOfTurns(double turns) {
  return std::cos(2 * 3.14159265358979323846 * std::remainder(turns, 1.0));
}

/// f16 and f32, computed in f64.
template <class F> static void addFunctions(Table table) {
  table["v_rcp"] = lanes<F, F>(propagating([](auto a) { return 1 / a; }));
  using Value = typename F::Value;
  table["v_sqrt"] = lanes<F, F>(propagating([](auto a) { return std::sqrt(a); }));
  table["v_rsq"] = lanes<F, F>(propagating([](auto a) { return Value(1 / std::sqrt(double(a))); }));
  table["v_exp"] = lanes<F, F>(propagating([](auto a) { return Value(std::exp2(double(a))); }));
  table["v_log"] = lanes<F, F>(propagating([](auto a) { return Value(std::log2(double(a))); }));
  table["v_sin"] = lanes<F, F>(propagating([](auto a) { return Value(sineOfTurns(double(a))); }));
  table["v_cos"] = lanes<F, F>(propagating([](auto a) { return Value(cosineOfTurns(double(a))); }));
}

static void addFunctions64(Handlers &handlers) {
  handlers["v_rcp_f64"] = lanes<F64, F64>(propagating([](double a) { return 1 / a; }));
  handlers["v_sqrt_f64"] = lanes<F64, F64>(propagating([](double a) { return std::sqrt(a); }));
  handlers["v_rsq_f64"] = lanes<F64, F64>(propagating(
      [](double a) { return a == 0 ? 1 / a : double(1 / std::sqrt((long double)(a))); }));
}

void rooftile::emulator::addFloatHandlers(Handlers &handlers) {
  addArithmetic<F16, Keeping<F16>>({handlers, "_f16"});
  addArithmetic<F32, F32>({handlers, "_f32"});
  addArithmetic<F64, F64>({handlers, "_f64"});
  addExtrema<F16>({handlers, "_f16"});
  addExtrema<F32>({handlers, "_f32"});
  addExtrema<F64>({handlers, "_f64"});
  addExtremaOfThree<Keeping<F16>>({handlers, "_f16"});
  addExtremaOfThree<F32>({handlers, "_f32"});
  addUnfused(handlers);
  addRoundings<F16>({handlers, "_f16"});
  addRoundings<F32>({handlers, "_f32"});
  addRoundings<F64>({handlers, "_f64"});
  addExponents<F16, S16>(handlers, "_f16", "_i16");
  addExponents<F32, S32>(handlers, "_f32", "_i32");
  addExponents<F64, S32>(handlers, "_f64", "_i32");
  addFunctions<F16>({handlers, "_f16"});
  addFunctions<FlushedF32>({handlers, "_f32"});
  handlers["v_rcp_iflag_f32"] = handlers["v_rcp_f32"];
  addFunctions64(handlers);
  addDivisionHandlers(handlers);
  addPackedFloatHandlers(handlers);
}
