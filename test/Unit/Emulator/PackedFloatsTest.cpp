//===- PackedFloatsTest.cpp - Packed and mixed precision ------------------===//

#include "OneInstruction.h"

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

constexpr auto kNearest = APFloat::rmNearestTiesToEven;

uint64_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }
uint64_t wordsOf(float low, float high) { return bitsOf(low) | bitsOf(high) << 32; }
uint64_t halvesOf(double low, double high) {
  auto half = [](double value) {
    APFloat number(value);
    bool isInexact;
    number.convert(APFloat::IEEEhalf(), kNearest, &isInexact);
    return bitsOfNumber(number);
  };
  return half(low) | half(high) << 16;
}

/// A packed instruction with halves as text has them where nothing is printed.
Instruction packedOf(const char *name, unsigned words, unsigned sources) {
  Instruction instruction = instructionOf(name, words, sources);
  instruction.modifiers.opSelHi = 7;
  return instruction;
}

APFloat fmaOf(APFloat a, APFloat b, APFloat c) {
  bool isInvalid = (a.isInfinity() && b.isZero()) || (a.isZero() && b.isInfinity());
  if (isInvalid && c.isNaN())
    return c.makeQuiet();
  a.fusedMultiplyAdd(b, c, kNearest);
  return a;
}

} // namespace

TEST(PackedFloats, BothWordsAreThoseOfApFloat) {
  std::vector<Sources> low = inputsOf(32, 3000), inputs = low;
  for (size_t index = 0; index < low.size(); ++index)
    for (unsigned source = 0; source < 3; ++source)
      inputs[index][source] |= low[low.size() - 1 - index][source] << 32;
  struct {
    const char *name;
    unsigned sources;
    APFloat (*reference)(APFloat, APFloat, APFloat);
  } cases[] = {
      {"v_pk_fma_f32", 3, fmaOf},
      {"v_pk_mul_f32", 2, [](APFloat a, APFloat b, APFloat) { return a.multiply(b, kNearest), a; }},
      {"v_pk_add_f32", 2, [](APFloat a, APFloat b, APFloat) { return a.add(b, kNearest), a; }}};
  for (auto &each : cases) {
    std::vector<uint64_t> results = execute(packedOf(each.name, 2, each.sources), inputs);
    for (size_t index = 0; index < inputs.size(); ++index)
      for (unsigned word = 0; word < 2; ++word) {
        auto source = [&](unsigned number) {
          return numberOf(32, inputs[index][number] >> 32 * word);
        };
        ASSERT_EQ(results[index] >> 32 * word & 0xffffffff,
                  bitsOfNumber(each.reference(source(0), source(1), source(2))))
            << each.name;
      }
  }
}

TEST(PackedFloats, BothHalvesAreThoseOfApFloat) {
  std::vector<Sources> low = inputsOf(16, 3000), inputs = low;
  for (size_t index = 0; index < low.size(); ++index)
    for (unsigned source = 0; source < 3; ++source)
      inputs[index][source] |= low[low.size() - 1 - index][source] << 16;
  std::vector<uint64_t> results = execute(packedOf("v_pk_fma_f16", 1, 3), inputs);
  for (size_t index = 0; index < inputs.size(); ++index)
    for (unsigned half = 0; half < 2; ++half) {
      auto source = [&](unsigned number) {
        return numberOf(16, inputs[index][number] >> 16 * half);
      };
      ASSERT_EQ(results[index] >> 16 * half & 0xffff,
                bitsOfNumber(fmaOf(source(0), source(1), source(2))));
    }
}

TEST(PackedFloats, WordsAreChosenAndNegated) {
  Instruction fma = packedOf("v_pk_fma_f32", 2, 3);
  std::vector<Sources> inputs = {{wordsOf(2, 3), wordsOf(5, 7), wordsOf(11, 13)}};
  EXPECT_EQ(execute(fma, inputs)[0], wordsOf(2 * 5 + 11, 3 * 7 + 13));
  fma.modifiers.opSelHi = 5; // Low word of source 1 for both.
  EXPECT_EQ(execute(fma, inputs)[0], wordsOf(2 * 5 + 11, 3 * 5 + 13));
  fma.modifiers.opSel = 1; // High word of source 0 for the low result.
  EXPECT_EQ(execute(fma, inputs)[0], wordsOf(3 * 5 + 11, 3 * 5 + 13));
  fma.modifiers.negLo = 1, fma.modifiers.negHi = 4;
  EXPECT_EQ(execute(fma, inputs)[0], wordsOf(-3 * 5 + 11, 3 * 5 - 13));
}

TEST(PackedFloats, ScalarsAndConstantsAreSources) {
  Instruction fma = packedOf("v_pk_fma_f32", 2, 3);
  fma.operands[2] = scalar(8, 2);
  fma.operands[3] = real(0.5);
  fma.modifiers.opSelHi = 3; // The constant's low word for both.
  TestWave wave;
  wave.set(2, 9, wordsOf(2, 3));
  wave.scalar(8) = uint32_t(bitsOf(5)), wave.scalar(9) = uint32_t(bitsOf(7));
  fma.execute(wave, fma);
  EXPECT_EQ(wave.get(0, 9, 2), wordsOf(10.5, 21.5));
  fma.modifiers.opSelHi = 7;
  fma.execute(wave, fma);
  EXPECT_NE(wave.failure(), "");
}

TEST(PackedFloats, ResultsMayBeSources) {
  Instruction add = packedOf("v_pk_add_f32", 2, 2);
  add.operands[0].index = 2;
  add.modifiers.opSel = 1, add.modifiers.opSelHi = 2; // Words of source 0 are exchanged.
  TestWave wave;
  wave.set(2, 0, wordsOf(2, 3)), wave.set(4, 0, wordsOf(10, 20));
  add.execute(wave, add);
  EXPECT_EQ(wave.get(2, 0, 2), wordsOf(13, 22));
}

TEST(PackedFloats, MovesChooseAWordOfEachSource) {
  Instruction move = packedOf("v_pk_mov_b32", 2, 2);
  std::vector<Sources> inputs = {{0x2222222211111111, 0x4444444433333333}};
  EXPECT_EQ(execute(move, inputs)[0], 0x3333333311111111u);
  move.modifiers.opSel = 2;
  EXPECT_EQ(execute(move, inputs)[0], 0x4444444411111111u);
  move.modifiers.opSel = 1;
  EXPECT_EQ(execute(move, inputs)[0], 0x3333333322222222u);
}

TEST(PackedFloats, ExtremaAndPackedHalves) {
  std::vector<Sources> inputs = {{halvesOf(2, -3), halvesOf(-5, 7)}};
  EXPECT_EQ(execute(packedOf("v_pk_max_f16", 1, 2), inputs)[0], halvesOf(2, 7));
  EXPECT_EQ(execute(packedOf("v_pk_min_f16", 1, 2), inputs)[0], halvesOf(-5, -3));
  EXPECT_EQ(execute(packedOf("v_pk_add_f16", 1, 2), inputs)[0], halvesOf(-3, 4));
  EXPECT_EQ(execute(packedOf("v_pk_mul_f16", 1, 2), inputs)[0], halvesOf(-10, -21));
  Instruction pack = instructionOf("v_pack_b32_f16", 1, 2);
  EXPECT_EQ(execute(pack, inputs)[0], halvesOf(2, -5));
  pack.modifiers.opSel = 1;
  pack.operands[2].negated = true;
  EXPECT_EQ(execute(pack, inputs)[0], halvesOf(-3, 5));
}

//===----------------------------------------------------------------------===//
// Mixed precision
//===----------------------------------------------------------------------===//

TEST(MixedFloats, HalvesAndWordsAreSources) {
  Instruction mix = packedOf("v_fma_mix_f32", 1, 3);
  mix.modifiers.opSelHi = 3; // Sources 0 and 1 are f16.
  mix.modifiers.opSel = 2;
  std::vector<Sources> inputs = {{halvesOf(2, 3), halvesOf(5, 7), bitsOf(0.25f)}};
  EXPECT_EQ(execute(mix, inputs)[0], bitsOf(14.25f));
  mix.operands[1].negated = true;
  EXPECT_EQ(execute(mix, inputs)[0], bitsOf(-13.75f));
  mix.operands[3].negated = mix.operands[3].absolute = true;
  EXPECT_EQ(execute(mix, inputs)[0], bitsOf(-14.25f));
  mix.modifiers.clamp = true;
  EXPECT_EQ(execute(mix, inputs)[0], 0u);
}

TEST(MixedFloats, SumsAreThoseOfApFloat) {
  Instruction mix = packedOf("v_fma_mix_f32", 1, 3);
  mix.modifiers.opSelHi = 3;
  std::vector<Sources> halves = inputsOf(16, 5000), inputs = inputsOf(32, 5000);
  for (size_t index = 0; index < inputs.size(); ++index)
    inputs[index][0] = halves[index][0], inputs[index][1] = halves[index][1];
  std::vector<uint64_t> results = execute(mix, inputs);
  for (size_t index = 0; index < inputs.size(); ++index) {
    auto wide = [&](unsigned source) {
      APFloat value = numberOf(16, inputs[index][source]);
      bool isInexact;
      value.convert(APFloat::IEEEsingle(), kNearest, &isInexact);
      return value;
    };
    ASSERT_EQ(results[index], bitsOfNumber(fmaOf(wide(0), wide(1), numberOf(32, inputs[index][2]))))
        << index;
  }
}

TEST(MixedFloats, ResultsInHalvesKeepTheOtherHalf) {
  for (bool isHigh : {false, true}) {
    Instruction mix = packedOf(isHigh ? "v_fma_mixhi_f16" : "v_fma_mixlo_f16", 1, 3);
    mix.modifiers.opSelHi = 3;
    TestWave wave;
    wave.set(0, 63, 0xaaaabbbb);
    wave.set(2, 63, halvesOf(2, 0)), wave.set(4, 63, halvesOf(3, 0)), wave.set(6, 63, bitsOf(1));
    mix.execute(wave, mix);
    uint64_t seven = halvesOf(7, 0);
    EXPECT_EQ(wave.get(0, 63, 1), isHigh ? seven << 16 | 0xbbbb : seven | 0xaaaa0000);
  }
}

TEST(MixedFloats, SumsOfTwoProducts) {
  Instruction dot = packedOf("v_dot2_f32_f16", 1, 3);
  std::vector<Sources> inputs = {{halvesOf(2, 3), halvesOf(5, 7), bitsOf(0.5f)}};
  EXPECT_EQ(execute(dot, inputs)[0], bitsOf(31.5f));
  dot.modifiers.negHi = 1;
  EXPECT_EQ(execute(dot, inputs)[0], bitsOf(-10.5f));
  uint64_t two = bitsOf(2) >> 16, three = bitsOf(3), five = bitsOf(5) >> 16, seven = bitsOf(7);
  EXPECT_EQ(execute(packedOf("v_dot2_f32_bf16", 1, 3), {{two | three, five | seven, bitsOf(1)}})[0],
            bitsOf(32));
  Instruction accumulating = instructionOf("v_dot2c_f32_f16", 1, 2);
  accumulating.operands[0].index = 6;
  TestWave wave;
  for (unsigned source = 0; source < 3; ++source)
    wave.set(2 + 2 * source, 1, inputs[0][source]);
  accumulating.execute(wave, accumulating);
  EXPECT_EQ(wave.get(6, 1, 1), bitsOf(31.5f));
}

TEST(Accumulators, MoveToAndFromVectors) {
  TestWave wave;
  Operand accumulator = vector(1);
  accumulator.kind = Operand::Kind::Accumulator;
  wave.set(2, 17, 42);
  Instruction write = instructionOf("v_accvgpr_write_b32", 1, 1);
  write.operands[0] = accumulator;
  write.execute(wave, write);
  EXPECT_EQ(wave.lane32(accumulator, 17), 42u);
  Instruction read = instructionOf("v_accvgpr_read_b32", 1, 1);
  read.operands[1] = accumulator;
  read.execute(wave, read);
  EXPECT_EQ(wave.get(0, 17, 1), 42u);
}
