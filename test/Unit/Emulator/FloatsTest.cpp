//===- FloatsTest.cpp - Floating-point instructions against APFloat -------===//

#include "OneInstruction.h"

#include <cmath>

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

constexpr auto kNearest = APFloat::rmNearestTiesToEven;

/// Function of an instruction, in a number format.
using Reference = APFloat (*)(APFloat, APFloat, APFloat);

struct Case {
  const char *name;
  unsigned sources;
  Reference reference;
};

/// Names follow a case, as in "v_add" + "_f16".
std::string suffixOf(unsigned bits) { return "_f" + std::to_string(bits); }

APFloat flushed(APFloat value) {
  return value.isDenormal() ? APFloat::getZero(value.getSemantics(), value.isNegative()) : value;
}

/// Compares all results, and reports the first that differs.
void compare(const Instruction &instruction, unsigned bits, Reference reference,
             FloatMode mode = FloatMode(), bool flushes = false) {
  std::vector<Sources> inputs = inputsOf(bits);
  std::vector<uint64_t> results = execute(instruction, inputs, mode);
  ASSERT_EQ(results.size(), inputs.size()) << instruction.name;
  for (size_t index = 0; index < inputs.size(); ++index) {
    std::vector<APFloat> sources;
    for (uint64_t each : inputs[index])
      sources.push_back(flushes ? flushed(numberOf(bits, each)) : numberOf(bits, each));
    APFloat expected = reference(sources[0], sources[1], sources[2]);
    if (flushes)
      expected = flushed(expected);
    ASSERT_EQ(results[index], bitsOfNumber(expected))
        << instruction.name << std::hex << " 0x" << inputs[index][0] << " 0x" << inputs[index][1]
        << " 0x" << inputs[index][2];
  }
}

APFloat add(APFloat a, APFloat b, APFloat) { return a.add(b, kNearest), a; }
APFloat subtract(APFloat a, APFloat b, APFloat) { return a.subtract(b, kNearest), a; }
APFloat subtractReversed(APFloat a, APFloat b, APFloat) {
  // The first source that is a NaN counts, in the order of the instruction.
  if (a.isNaN())
    return a.makeQuiet();
  return b.subtract(a, kNearest), b;
}
APFloat multiply(APFloat a, APFloat b, APFloat) { return a.multiply(b, kNearest), a; }
APFloat multiplyAdd(APFloat a, APFloat b, APFloat c) {
  // A NaN that is added counts before that of zero times infinity.
  bool isInvalid = (a.isInfinity() && b.isZero()) || (a.isZero() && b.isInfinity());
  if (isInvalid && c.isNaN())
    return c.makeQuiet();
  return a.fusedMultiplyAdd(b, c, kNearest), a;
}
/// Maxima of IEEE mode.
APFloat maximumOf(APFloat a, APFloat b, APFloat) {
  if (a.isSignaling() || b.isSignaling())
    return (a.isSignaling() ? a : b).makeQuiet();
  if (a.isNaN() || b.isNaN())
    return a.isNaN() ? b : a;
  return llvm::maximum(a, b);
}
APFloat minimumOf(APFloat a, APFloat b, APFloat) {
  if (a.isSignaling() || b.isSignaling())
    return (a.isSignaling() ? a : b).makeQuiet();
  if (a.isNaN() || b.isNaN())
    return a.isNaN() ? b : a;
  return llvm::minimum(a, b);
}

template <APFloat::roundingMode mode> APFloat toIntegral(APFloat a, APFloat, APFloat) {
  if (a.isNaN())
    return a.makeQuiet();
  return a.roundToIntegral(mode), a;
}

const Case kOfAllFormats[] = {
    {"v_add", 2, add},
    {"v_sub", 2, subtract},
    {"v_subrev", 2, subtractReversed},
    {"v_mul", 2, multiply},
    {"v_fma", 3, multiplyAdd},
    {"v_max", 2, maximumOf},
    {"v_min", 2, minimumOf},
    {"v_trunc", 1, toIntegral<APFloat::rmTowardZero>},
    {"v_floor", 1, toIntegral<APFloat::rmTowardNegative>},
    {"v_ceil", 1, toIntegral<APFloat::rmTowardPositive>},
    {"v_rndne", 1, toIntegral<APFloat::rmNearestTiesToEven>},
};

} // namespace

TEST(Floats, ArithmeticIsThatOfApFloat) {
  for (unsigned bits : {16, 32, 64})
    for (const Case &each : kOfAllFormats)
      compare(instructionOf(each.name + suffixOf(bits), bits == 64 ? 2 : 1, each.sources), bits,
              each.reference);
}

TEST(Floats, ModesFlushDenormals) {
  FloatMode mode;
  mode.keepsDenormals32 = mode.keepsDenormals16And64 = false;
  for (unsigned bits : {16, 32, 64})
    for (const Case &each : kOfAllFormats)
      compare(instructionOf(each.name + suffixOf(bits), bits == 64 ? 2 : 1, each.sources), bits,
              each.reference, mode, true);
}

TEST(Floats, EachModeHasItsFormats) {
  FloatMode mode;
  mode.keepsDenormals32 = false;
  compare(instructionOf("v_mul_f16", 1, 2), 16, multiply, mode);
  compare(instructionOf("v_mul_f64", 2, 2), 64, multiply, mode);
  compare(instructionOf("v_mul_f32", 1, 2), 32, multiply, mode, true);
}

TEST(Floats, MadRoundsTwiceAndFlushes) {
  auto reference = [](APFloat a, APFloat b, APFloat c) {
    bool isInvalid = (a.isInfinity() && b.isZero()) || (a.isZero() && b.isInfinity());
    if (isInvalid && c.isNaN())
      return c.makeQuiet();
    a.multiply(b, kNearest);
    a = flushed(a);
    a.add(c, kNearest);
    return a;
  };
  for (const char *name : {"v_mad_f32", "v_madmk_f32", "v_madak_f32"})
    compare(instructionOf(name, 1, 3), 32, reference, FloatMode(), true);
}

TEST(Floats, AccumulatingInstructionsReadTheirResult) {
  for (auto [name, bits] :
       {std::pair("v_fmac_f16", 16), std::pair("v_fmac_f32", 32), std::pair("v_fmac_f64", 64)}) {
    Instruction instruction = instructionOf(name, bits == 64 ? 2 : 1, 2);
    instruction.operands[0].index = 6; // Source 2 of the inputs.
    for (const Sources &input : inputsOf(bits, 300)) {
      TestWave wave;
      for (unsigned source = 0; source < 3; ++source)
        wave.set(2 + 2 * source, 5, input[source]);
      instruction.execute(wave, instruction);
      APFloat expected =
          multiplyAdd(numberOf(bits, input[0]), numberOf(bits, input[1]), numberOf(bits, input[2]));
      ASSERT_EQ(wave.get(6, 5, bits == 64 ? 2 : 1), bitsOfNumber(expected)) << name;
    }
  }
}

TEST(Floats, MinimaWithoutIeeeModeIgnoreNans) {
  FloatMode mode;
  mode.isIeee = false;
  auto max = [](APFloat a, APFloat b, APFloat) {
    return a.isNaN() ? b : b.isNaN() ? a : llvm::maximum(a, b);
  };
  compare(instructionOf("v_max_f32", 1, 2), 32, max, mode);
}

TEST(Floats, MediansAndExtremaOfThree) {
  auto max3 = [](APFloat a, APFloat b, APFloat c) { return maximumOf(maximumOf(a, b, c), c, c); };
  auto min3 = [](APFloat a, APFloat b, APFloat c) { return minimumOf(minimumOf(a, b, c), c, c); };
  auto med3 = [](APFloat a, APFloat b, APFloat c) {
    if (a.isNaN() || b.isNaN() || c.isNaN())
      return minimumOf(minimumOf(a, b, c), c, c);
    APFloat values[3] = {a, b, c};
    auto isLess = [](const APFloat &x, const APFloat &y) {
      return x < y || (x.isZero() && y.isZero() && x.isNegative() && !y.isNegative());
    };
    std::sort(values, values + 3, isLess);
    return values[1];
  };
  for (unsigned bits : {16, 32}) {
    compare(instructionOf("v_max3" + suffixOf(bits), 1, 3), bits, max3);
    compare(instructionOf("v_min3" + suffixOf(bits), 1, 3), bits, min3);
    auto medianInstruction = instructionOf("v_med3" + suffixOf(bits), 1, 3);
    for (const Sources &input : inputsOf(bits, 500)) {
      uint64_t result = execute(medianInstruction, {input})[0];
      APFloat expected =
          med3(numberOf(bits, input[0]), numberOf(bits, input[1]), numberOf(bits, input[2]));
      // The document compares with ==, which does not tell the zeros apart.
      if (expected.isZero())
        ASSERT_TRUE(numberOf(bits, result).isZero());
      else
        ASSERT_EQ(result, bitsOfNumber(expected));
    }
  }
}

//===----------------------------------------------------------------------===//
// Exponents and functions
//===----------------------------------------------------------------------===//

TEST(Floats, SignificandsAndExponents) {
  for (unsigned bits : {16, 32, 64}) {
    unsigned words = bits == 64 ? 2 : 1;
    compare(instructionOf("v_frexp_mant" + suffixOf(bits), words, 1), bits,
            [](APFloat a, APFloat, APFloat) {
              int exponent;
              return a.isNaN() ? a.makeQuiet() : a.isInfinity() ? a : frexp(a, exponent, kNearest);
            });
    std::string integer = bits == 16 ? "_i16" : "_i32";
    std::vector<Sources> inputs = inputsOf(bits);
    Instruction exponents = instructionOf("v_frexp_exp" + integer + suffixOf(bits), 1, 1);
    std::vector<uint64_t> results = execute(exponents, inputs);
    for (size_t index = 0; index < inputs.size(); ++index) {
      APFloat value = numberOf(bits, inputs[index][0]);
      int exponent = 0;
      if (value.isFinite() && !value.isZero())
        frexp(value, exponent, kNearest);
      ASSERT_EQ(results[index], bits == 16 ? uint16_t(exponent) : uint32_t(exponent));
    }
  }
}

TEST(Floats, ScalesByPowersOfTwo) {
  for (unsigned bits : {16, 32, 64}) {
    std::vector<Sources> inputs = inputsOf(bits);
    for (size_t index = 0; index < inputs.size(); ++index) // Exponents: some are far away.
      inputs[index][1] = index % 7 == 0 ? inputs[index][1] & 0xffffffff
                                        : uint32_t(int(inputs[index][1] % 300) - 150);
    std::vector<uint64_t> results =
        execute(instructionOf("v_ldexp" + suffixOf(bits), bits == 64 ? 2 : 1, 2), inputs);
    for (size_t index = 0; index < inputs.size(); ++index) {
      auto power = bits == 16 ? int(int16_t(inputs[index][1])) : int(uint32_t(inputs[index][1]));
      APFloat value = numberOf(bits, inputs[index][0]);
      APFloat expected = value.isNaN() ? value.makeQuiet() : scalbn(value, power, kNearest);
      ASSERT_EQ(results[index], bitsOfNumber(expected)) << bits << " " << inputs[index][0];
    }
  }
}

TEST(Floats, ReciprocalsAreRoundedCorrectly) {
  auto reciprocal = [](APFloat a, APFloat, APFloat) {
    APFloat one(a.getSemantics(), 1);
    return one.divide(a, kNearest), one;
  };
  compare(instructionOf("v_rcp_f16", 1, 1), 16, reciprocal);
  compare(instructionOf("v_rcp_f64", 2, 1), 64, reciprocal);
  for (const char *name : {"v_rcp_f32", "v_rcp_iflag_f32"})
    compare(instructionOf(name, 1, 1), 32, reciprocal, FloatMode(), true);
}

namespace {

/// A function of f32 by the host's functions of more digits, which flushes denormals.
template <long double (*function)(long double)> APFloat ofHost(APFloat a, APFloat, APFloat) {
  if (a.isNaN())
    return a.makeQuiet();
  long double result = function(a.convertToFloat());
  return result != result ? APFloat::getNaN(a.getSemantics()) : APFloat(float(result));
}
long double reciprocalRoot(long double a) { return 1 / std::sqrt(a); }
long double root(long double a) { return std::sqrt(a); }
long double power(long double a) { return std::exp2(a); }
long double logarithm(long double a) { return std::log2(a); }

} // namespace

TEST(Floats, FunctionsAreRoundedCorrectly) {
  compare(instructionOf("v_rsq_f32", 1, 1), 32, ofHost<reciprocalRoot>, FloatMode(), true);
  compare(instructionOf("v_sqrt_f32", 1, 1), 32, ofHost<root>, FloatMode(), true);
  compare(instructionOf("v_exp_f32", 1, 1), 32, ofHost<power>, FloatMode(), true);
  compare(instructionOf("v_log_f32", 1, 1), 32, ofHost<logarithm>, FloatMode(), true);
}

TEST(Floats, SinesAreOfTurns) {
  auto bits = [](float value) { return uint64_t(llvm::bit_cast<uint32_t>(value)); };
  Instruction sine = instructionOf("v_sin_f32", 1, 1), cosine = instructionOf("v_cos_f32", 1, 1);
  std::vector<Sources> turns = {{bits(0.25f)}, {bits(-0.25f)}, {bits(1.25f)}, {bits(0)}};
  EXPECT_EQ(execute(sine, turns), (std::vector<uint64_t>{bits(1), bits(-1), bits(1), bits(0)}));
  EXPECT_EQ(execute(cosine, {{bits(0)}, {bits(0.5f)}, {bits(-3)}}),
            (std::vector<uint64_t>{bits(1), bits(-1), bits(1)}));
}

TEST(Floats, FractionsStayBelowOne) {
  auto bits = [](float value) { return uint64_t(llvm::bit_cast<uint32_t>(value)); };
  EXPECT_EQ(execute(instructionOf("v_fract_f32", 1, 1),
                    {{bits(2.75f)}, {bits(-0.25f)}, {bits(-0x1p-40f)}, {bits(3)}}),
            (std::vector<uint64_t>{bits(0.75f), bits(0.75f), bits(0x1.fffffep-1f), bits(0)}));
}

TEST(Floats, LegacyProductsOfZeroAreZero) {
  auto product = [](APFloat a, APFloat b, APFloat c) {
    return a.isZero() || b.isZero() ? APFloat(0.0f) : multiply(a, b, c);
  };
  compare(instructionOf("v_mul_legacy_f32", 1, 2), 32, product);
  compare(instructionOf("v_mul_dx9_zero_f32", 1, 2), 32, product);
}
