//===- ConversionsTest.cpp - Conversions against APFloat ------------------===//

#include "OneInstruction.h"
#include "llvm/ADT/APSInt.h"

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

/// Sources of one number: special values, random bits, and those about integers and halves of 16
/// and 32 bits, where rounding and saturation change.
std::vector<Sources> numbersOf(unsigned bits) {
  std::vector<Sources> inputs = inputsOf(bits, 10000);
  std::mt19937_64 generator(7);
  for (unsigned index = 0; index < 20000; ++index) {
    APFloat value(semanticsOf(bits));
    int power = int(generator() % 70) - 35;
    value.convertFromAPInt(llvm::APInt(64, generator() >> generator() % 63), true,
                           APFloat::rmNearestTiesToEven);
    inputs.push_back({bitsOfNumber(scalbn(value, power, APFloat::rmTowardZero)), 0, 0});
  }
  for (double edge : {0x1p7, 0x1p8, 0x1p15, 0x1p16, 0x1p31, 0x1p32, 65504.0, 65520.0, 0.5, 1.0})
    for (double sign : {-1.0, 1.0}) {
      APFloat value(sign * edge);
      bool isInexact;
      value.convert(semanticsOf(bits), APFloat::rmTowardZero, &isInexact);
      uint64_t middle = bitsOfNumber(value);
      for (uint64_t near = middle - 3; near != middle + 4; ++near)
        inputs.push_back({near, 0, 0});
    }
  return inputs;
}

APFloat convertedTo(unsigned bits, APFloat value, bool towardZero = false) {
  bool isInexact;
  value.convert(semanticsOf(bits),
                towardZero ? APFloat::rmTowardZero : APFloat::rmNearestTiesToEven, &isInexact);
  return value;
}

struct Pair {
  const char *name;
  unsigned to, from; ///< Bits.
};

/// The integer that a rounding of a number gives, saturated.
uint64_t integerOf(APFloat value, unsigned bits, bool isSigned, APFloat::roundingMode rounding) {
  llvm::APSInt result(bits, !isSigned);
  bool isExact;
  value.convertToInteger(result, rounding, &isExact);
  return result.getZExtValue();
}

} // namespace

TEST(Conversions, BetweenFloatsAsApFloat) {
  for (Pair pair : {Pair{"v_cvt_f16_f32", 16, 32}, Pair{"v_cvt_f32_f16", 32, 16},
                    Pair{"v_cvt_f32_f64", 32, 64}, Pair{"v_cvt_f64_f32", 64, 32}}) {
    std::vector<Sources> inputs = numbersOf(pair.from);
    if (pair.from == 16)
      for (unsigned bits = 0; bits < 65536; ++bits)
        inputs.push_back({bits, 0, 0});
    std::vector<uint64_t> results =
        execute(instructionOf(pair.name, pair.to == 64 ? 2 : 1, 1), inputs);
    for (size_t index = 0; index < inputs.size(); ++index)
      ASSERT_EQ(results[index],
                bitsOfNumber(convertedTo(pair.to, numberOf(pair.from, inputs[index][0]))))
          << pair.name << std::hex << " 0x" << inputs[index][0];
  }
}

TEST(Conversions, DenormalsFollowTheModeOfTheirFormat) {
  FloatMode mode;
  mode.keepsDenormals16And64 = false;
  // 2^-20 is a denormal f16 and a normal f32.
  EXPECT_EQ(execute(instructionOf("v_cvt_f16_f32", 1, 1), {{0x35800000}}, mode)[0], 0u);
  EXPECT_EQ(execute(instructionOf("v_cvt_f32_f16", 1, 1), {{0x8010}}, mode)[0], 0x80000000u);
  EXPECT_EQ(execute(instructionOf("v_cvt_f16_f32", 1, 1), {{0x35800000}})[0], 0x10u);
  EXPECT_EQ(execute(instructionOf("v_cvt_f32_f16", 1, 1), {{0x10}})[0], 0x35800000u);
}

TEST(Conversions, PairsOfHalvesTowardZero) {
  std::vector<Sources> inputs = numbersOf(32);
  for (const char *name : {"v_cvt_pkrtz_f16_f32", "v_cvt_pk_rtz_f16_f32"}) {
    std::vector<uint64_t> results = execute(instructionOf(name, 1, 2), inputs);
    for (size_t index = 0; index < inputs.size(); ++index) {
      uint64_t low = bitsOfNumber(convertedTo(16, numberOf(32, inputs[index][0]), true));
      uint64_t high = bitsOfNumber(convertedTo(16, numberOf(32, inputs[index][1]), true));
      ASSERT_EQ(results[index], low | high << 16) << std::hex << inputs[index][0];
    }
  }
}

TEST(Conversions, FloatsToIntegersAreSaturated) {
  struct Case {
    const char *name;
    unsigned to, from;
    bool isSigned;
    APFloat::roundingMode rounding = APFloat::rmTowardZero;
  };
  for (Case each : {Case{"v_cvt_i32_f32", 32, 32, true}, Case{"v_cvt_u32_f32", 32, 32, false},
                    Case{"v_cvt_i32_f64", 32, 64, true}, Case{"v_cvt_u32_f64", 32, 64, false},
                    Case{"v_cvt_i16_f16", 16, 16, true}, Case{"v_cvt_u16_f16", 16, 16, false},
                    Case{"v_cvt_flr_i32_f32", 32, 32, true, APFloat::rmTowardNegative},
                    Case{"v_cvt_floor_i32_f32", 32, 32, true, APFloat::rmTowardNegative}}) {
    std::vector<Sources> inputs = numbersOf(each.from);
    std::vector<uint64_t> results = execute(instructionOf(each.name, 1, 1), inputs);
    for (size_t index = 0; index < inputs.size(); ++index)
      ASSERT_EQ(results[index], integerOf(numberOf(each.from, inputs[index][0]), each.to,
                                          each.isSigned, each.rounding))
          << each.name << std::hex << " 0x" << inputs[index][0];
  }
}

TEST(Conversions, HalvesRoundUpToIntegers) {
  auto bits = [](float value) { return uint64_t(llvm::bit_cast<uint32_t>(value)); };
  for (const char *name : {"v_cvt_rpi_i32_f32", "v_cvt_nearest_i32_f32"})
    EXPECT_EQ(execute(instructionOf(name, 1, 1),
                      {{bits(2.5f)}, {bits(-2.5f)}, {bits(2.25f)}, {bits(0x1.fffffep-2f)}}),
              (std::vector<uint64_t>{3, uint32_t(-2), 2, 0}));
}

TEST(Conversions, IntegersToFloatsAsApFloat) {
  struct Case {
    const char *name;
    unsigned to, from;
    bool isSigned;
  };
  std::vector<Sources> inputs = inputsOf(32, 10000);
  for (uint32_t integer = 0xffffff; integer < 0x1000010; ++integer) // Ties.
    for (unsigned shift = 0; shift < 8; ++shift)
      inputs.push_back({uint64_t(integer) << shift, 0, 0});
  for (Case each : {Case{"v_cvt_f32_i32", 32, 32, true}, Case{"v_cvt_f32_u32", 32, 32, false},
                    Case{"v_cvt_f64_i32", 64, 32, true}, Case{"v_cvt_f64_u32", 64, 32, false},
                    Case{"v_cvt_f16_i16", 16, 16, true}, Case{"v_cvt_f16_u16", 16, 16, false}}) {
    std::vector<uint64_t> results =
        execute(instructionOf(each.name, each.to == 64 ? 2 : 1, 1), inputs);
    for (size_t index = 0; index < inputs.size(); ++index) {
      APFloat expected(semanticsOf(each.to));
      uint64_t mask = (uint64_t(1) << each.from) - 1;
      expected.convertFromAPInt(llvm::APInt(each.from, inputs[index][0] & mask), each.isSigned,
                                APFloat::rmNearestTiesToEven);
      ASSERT_EQ(results[index], bitsOfNumber(expected)) << each.name << " " << inputs[index][0];
    }
  }
}

TEST(Conversions, BytesToFloats) {
  for (unsigned byte = 0; byte < 4; ++byte) {
    std::string name = "v_cvt_f32_ubyte" + std::to_string(byte);
    float expected[] = {0x84, 0x93, 0xa2, 0xf1};
    EXPECT_EQ(execute(instructionOf(name, 1, 1), {{0xf1a29384}})[0],
              llvm::bit_cast<uint32_t>(expected[byte]));
  }
  EXPECT_EQ(
      execute(instructionOf("v_cvt_off_f32_i4", 1, 1), {{7}, {8}, {0xf9}}),
      (std::vector<uint64_t>{llvm::bit_cast<uint32_t>(7.0f / 16), llvm::bit_cast<uint32_t>(-0.5f),
                             llvm::bit_cast<uint32_t>(-7.0f / 16)}));
}

TEST(Conversions, IntegersArePackedWithSaturation) {
  EXPECT_EQ(execute(instructionOf("v_cvt_pk_u16_u32", 1, 2), {{65535, 65536}, {3, 0xffffffff}}),
            (std::vector<uint64_t>{0xffffffff, 0xffff0003}));
  EXPECT_EQ(execute(instructionOf("v_cvt_pk_i16_i32", 1, 2),
                    {{0xffff0000, 40000}, {0xffffffff, 0x80000000}}),
            (std::vector<uint64_t>{0x7fff8000, 0x8000ffff}));
  EXPECT_EQ(execute(instructionOf("v_cvt_pk_u8_f32", 1, 3), {{0x43800000, 2, 0x11223344}})[0],
            0x11ff3344u);
  EXPECT_EQ(execute(instructionOf("v_cvt_i32_i16", 1, 1), {{0x18000}})[0], 0xffff8000u);
  EXPECT_EQ(execute(instructionOf("v_cvt_u32_u16", 1, 1), {{0x18000}})[0], 0x8000u);
}
