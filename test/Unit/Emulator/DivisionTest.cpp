//===- DivisionTest.cpp - Divisions as LLVM expands them ------------------===//
//
// The sequence of instructions of a division that is rounded correctly, for pairs of numbers whose
// quotients overflow, underflow and are denormal, against APFloat's quotient.
//
//===----------------------------------------------------------------------===//

#include "OneInstruction.h"

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

/// Executes instructions of one format on registers v0, v2, .. v14 of a wave.
struct Sequence {
  unsigned bits;
  TestWave wave;
  std::string suffix = "_f" + std::to_string(bits);

  explicit Sequence(unsigned bits) : bits(bits) {}
  Operand of(int reg) const {
    Operand operand = vector(unsigned(std::abs(reg)), bits / 32);
    operand.negated = reg < 0;
    return operand;
  }
  /// A negative number of a register negates the source.
  void run(llvm::StringRef name, int result, std::initializer_list<Operand> sources) {
    Instruction instruction = instructionOf(name.str() + suffix, bits / 32, 0);
    instruction.operands[0] = of(result);
    instruction.operands.append(sources.begin(), sources.end());
    instruction.execute(wave, instruction);
    EXPECT_EQ(wave.failure(), "");
  }

  enum : int { Numerator = 2, Denominator = 4, D = 6, N = 8, R = 10, Q = 12, E = 14 };

  /// v0 = v2 / v4.
  void divide() {
    Operand vcc = scalar(kVcc, 2), none = scalar(kNull), one = real(1);
    run("v_div_scale", D, {none, of(Denominator), of(Denominator), of(Numerator)});
    run("v_div_scale", N, {vcc, of(Numerator), of(Denominator), of(Numerator)});
    run("v_rcp", R, {of(D)});
    run("v_fma", E, {of(-D), of(R), one});
    run("v_fma", R, {of(E), of(R), of(R)});
    if (bits == 64) {
      run("v_fma", E, {of(-D), of(R), one});
      run("v_fma", R, {of(R), of(E), of(R)});
    }
    run("v_mul", Q, {of(N), of(R)});
    if (bits == 32) {
      run("v_fma", E, {of(-D), of(Q), of(N)});
      run("v_fma", Q, {of(E), of(R), of(Q)});
    }
    run("v_fma", E, {of(-D), of(Q), of(N)});
    run("v_div_fmas", Q, {of(E), of(R), of(Q)});
    run("v_div_fixup", 0, {of(Q), of(Denominator), of(Numerator)});
  }
};

void compareQuotients(unsigned bits) {
  std::vector<Sources> inputs = inputsOf(bits, 5000);
  unsigned wrong = 0;
  for (size_t begin = 0; begin < inputs.size(); begin += 64) {
    Sequence sequence(bits);
    size_t count = std::min<size_t>(64, inputs.size() - begin);
    for (unsigned lane = 0; lane < count; ++lane) {
      sequence.wave.set(Sequence::Numerator, lane, inputs[begin + lane][0]);
      sequence.wave.set(Sequence::Denominator, lane, inputs[begin + lane][1]);
    }
    sequence.divide();
    for (unsigned lane = 0; lane < count; ++lane) {
      APFloat a = numberOf(bits, inputs[begin + lane][0]),
              b = numberOf(bits, inputs[begin + lane][1]);
      APFloat expected = a;
      bool isDefaultNan = false;
      expected.divide(b, APFloat::rmNearestTiesToEven);
      if (expected.isNaN() && !a.isNaN() && !b.isNaN())
        isDefaultNan = true;
      uint64_t result = sequence.wave.get(0, lane, bits / 32);
      bool isRight = isDefaultNan
                         ? numberOf(bits, result).isNaN() && numberOf(bits, result).isNegative()
                         : result == bitsOfNumber(expected);
      if (!isRight && ++wrong < 10)
        ADD_FAILURE() << bits << std::hex << " 0x" << bitsOfNumber(a) << " / 0x" << bitsOfNumber(b)
                      << ": 0x" << result << ", not 0x" << bitsOfNumber(expected);
    }
  }
  EXPECT_EQ(wrong, 0u);
}

} // namespace

TEST(Division, QuotientsOf32BitsAreRoundedCorrectly) { compareQuotients(32); }
TEST(Division, QuotientsOf64BitsAreRoundedCorrectly) { compareQuotients(64); }

TEST(Division, ScalesDenominatorsOfLargeQuotients) {
  auto bits = [](float value) { return uint64_t(llvm::bit_cast<uint32_t>(value)); };
  Instruction scale = instructionOf("v_div_scale_f32", 1, 3);
  scale.operands.insert(scale.operands.begin() + 1, scalar(kVcc, 2));
  for (int difference : {95, 96}) {
    TestWave wave;
    wave.set(2, 7, bits(1)), wave.set(4, 7, bits(1));
    wave.set(6, 7, bits(std::ldexp(1.0f, difference)));
    wave.setExec(0x80);
    scale.execute(wave, scale);
    EXPECT_EQ(wave.get(0, 7, 1), difference == 96 ? bits(0x1p64f) : bits(1));
    EXPECT_EQ(wave.mask(scalar(kVcc, 2)), difference == 96 ? 0x80u : 0u);
  }
}
