//===- ModifiersTest.cpp - Modifiers of vector instructions ---------------===//

#include "OneInstruction.h"

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

uint64_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }

/// An addition whose source 0 of lane i is i, and whose source 1 is 0, with a permutation: the lane
/// that each lane has read, -1 where nothing was written.
std::vector<int> lanesRead(const LanePermutation &permutation, uint64_t exec = ~uint64_t(0),
                           unsigned lanes = 64) {
  Instruction add = instructionOf("v_add_f32", 1, 2);
  add.modifiers.lanes = permutation;
  TestWave wave(lanes);
  wave.setExec(exec);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    wave.set(0, lane, bitsOf(-1)), wave.set(2, lane, bitsOf(float(lane + 1)));
    wave.set(4, lane, bitsOf(0));
  }
  add.execute(wave, add);
  std::vector<int> results;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    float value = llvm::bit_cast<float>(uint32_t(wave.get(0, lane, 1)));
    results.push_back(value == -1 ? -1 : value == 0 ? -2 : int(value) - 1);
  }
  return results;
}

LanePermutation permutationOf(LanePermutation::Kind kind, unsigned value = 0,
                              bool boundControl = false) {
  LanePermutation permutation;
  permutation.kind = kind, permutation.value = value, permutation.boundControl = boundControl;
  return permutation;
}

constexpr int kUnwritten = -1, kZero = -2;

} // namespace

TEST(Modifiers, SignsOfSources) {
  Instruction add = instructionOf("v_add_f32", 1, 2);
  add.operands[1].absolute = true;
  EXPECT_EQ(execute(add, {{bitsOf(-2), bitsOf(5)}})[0], bitsOf(7));
  add.operands[1].negated = true;
  EXPECT_EQ(execute(add, {{bitsOf(-2), bitsOf(5)}})[0], bitsOf(3));
  add.operands[2].negated = true;
  EXPECT_EQ(execute(add, {{bitsOf(-2), bitsOf(5)}})[0], bitsOf(-7));
}

TEST(Modifiers, ConstantsHaveTheFormatOfTheirInstruction) {
  auto resultOf = [](const char *name, unsigned words, Operand constant, uint64_t other) {
    Instruction add = instructionOf(name, words, 2);
    add.operands[1] = constant;
    return execute(add, {{0, other}})[0];
  };
  EXPECT_EQ(resultOf("v_add_f32", 1, real(0.5), bitsOf(1)), bitsOf(1.5));
  EXPECT_EQ(resultOf("v_add_f16", 1, real(0.5), 0x3c00), 0x3e00u);
  EXPECT_EQ(resultOf("v_add_f64", 2, real(0.5), llvm::bit_cast<uint64_t>(1.0)),
            llvm::bit_cast<uint64_t>(1.5));
  Operand literal;
  literal.kind = Operand::Kind::Integer;
  literal.integer = 0x40080000, literal.isLiteral = true; // High half of 3.0 in f64.
  EXPECT_EQ(resultOf("v_add_f64", 2, literal, llvm::bit_cast<uint64_t>(1.0)),
            llvm::bit_cast<uint64_t>(4.0));
  literal.integer = 0x40400000;
  EXPECT_EQ(resultOf("v_add_f32", 1, literal, bitsOf(1)), bitsOf(4));
}

TEST(Modifiers, ScalarsAreSources) {
  Instruction add = instructionOf("v_add_f64", 2, 2);
  add.operands[1] = scalar(4, 2);
  add.operands[1].negated = true;
  TestWave wave;
  wave.set(4, 3, llvm::bit_cast<uint64_t>(1.0));
  wave.setScalar64(scalar(4, 2), llvm::bit_cast<uint64_t>(0.1));
  add.execute(wave, add);
  EXPECT_EQ(wave.get(0, 3, 2), llvm::bit_cast<uint64_t>(0.9));
}

TEST(Modifiers, OnlyActiveLanesAreWritten) {
  Instruction add = instructionOf("v_add_f64", 2, 2);
  TestWave wave;
  wave.setExec(0x8000000000000005);
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.set(0, lane, lane), wave.set(2, lane, llvm::bit_cast<uint64_t>(1.0));
    wave.set(4, lane, llvm::bit_cast<uint64_t>(2.0));
  }
  add.execute(wave, add);
  for (unsigned lane : {0, 1, 2, 3, 31, 32, 62, 63}) {
    bool isActive = lane == 0 || lane == 2 || lane == 63;
    EXPECT_EQ(wave.get(0, lane, 2), isActive ? llvm::bit_cast<uint64_t>(3.0) : lane);
  }
}

TEST(Modifiers, ClampGoesFromZeroToOne) {
  Instruction add = instructionOf("v_add_f32", 1, 2);
  add.modifiers.clamp = true;
  uint64_t nan = 0x7fc00000;
  EXPECT_EQ(execute(add, {{bitsOf(0.5), 0}, {bitsOf(-3), 0}, {bitsOf(2), bitsOf(2)}, {nan, 0}}),
            (std::vector<uint64_t>{bitsOf(0.5), 0, bitsOf(1), 0}));
  Instruction half = instructionOf("v_add_f16", 1, 2);
  half.modifiers.clamp = true;
  EXPECT_EQ(execute(half, {{0x4000, 0}, {0x3800, 0}}), (std::vector<uint64_t>{0x3c00, 0x3800}));
}

TEST(Modifiers, ScalesOfResultsNeedFlushingWithoutIeeeMode) {
  Instruction add = instructionOf("v_add_f32", 1, 2);
  add.modifiers.outputScale = 2;
  std::vector<Sources> inputs = {{bitsOf(3), bitsOf(0)}, {bitsOf(-0.0f), bitsOf(-0.0f)}};
  FloatMode mode;
  EXPECT_EQ(execute(add, inputs, mode)[0], bitsOf(3));
  mode.keepsDenormals32 = false;
  EXPECT_EQ(execute(add, inputs, mode)[0], bitsOf(3));
  mode.isIeee = false;
  EXPECT_EQ(execute(add, inputs, mode), (std::vector<uint64_t>{bitsOf(12), 0}));
  add.modifiers.outputScale = -1;
  EXPECT_EQ(execute(add, inputs, mode)[0], bitsOf(1.5));
}

//===----------------------------------------------------------------------===//
// Halves and parts
//===----------------------------------------------------------------------===//

TEST(Modifiers, HalvesOfSourcesAndResults) {
  auto resultOf = [](const Instruction &add, bool isGfx11) {
    TestWave wave;
    wave.hasStoreCounter = isGfx11;
    wave.set(0, 0, 0xaaaabbbb), wave.set(2, 0, 0x40003c00), wave.set(4, 0, 0x48004400);
    add.execute(wave, add); // Halves: 1, 2 and 4, 8.
    return wave.get(0, 0, 1);
  };
  Instruction add = instructionOf("v_add_f16", 1, 2);
  EXPECT_EQ(resultOf(add, false), 0x4500u);
  EXPECT_EQ(resultOf(add, true), 0xaaaa4500u);
  add.operands[1].isHigh = true;
  EXPECT_EQ(resultOf(add, true), 0xaaaa4600u);
  add.operands[0].isHigh = true;
  EXPECT_EQ(resultOf(add, true), 0x4600bbbbu);
  add = instructionOf("v_add_f16", 1, 2);
  add.modifiers.opSel = 6; // High halves of source 1 and of the result.
  EXPECT_EQ(resultOf(add, false), 0x4880bbbbu);
}

TEST(Modifiers, ThreeSourcesKeepTheOtherHalf) {
  Instruction fma = instructionOf("v_fma_f16", 1, 3);
  TestWave wave;
  wave.set(0, 0, 0xaaaabbbb);
  wave.set(2, 0, 0x3c00), wave.set(4, 0, 0x4000), wave.set(6, 0, 0);
  fma.execute(wave, fma);
  EXPECT_EQ(wave.get(0, 0, 1), 0xaaaa4000u);
}

TEST(Modifiers, PartsOfSourcesAndResults) {
  using Part = PartSelection::Part;
  Instruction add = instructionOf("v_add_f16", 1, 2);
  PartSelection &parts = add.modifiers.parts;
  parts.isUsed = true;
  parts.destination = Part::Word1, parts.sources[0] = Part::Word1, parts.sources[1] = Part::Word0;
  auto result = [&] {
    TestWave wave;
    wave.set(0, 0, 0xaaaabbbb), wave.set(2, 0, 0x4000ffff), wave.set(4, 0, 0xffff4400);
    add.execute(wave, add);
    return wave.get(0, 0, 1);
  };
  EXPECT_EQ(result(), 0x46000000u);
  parts.unused = PartSelection::Unused::Preserve;
  EXPECT_EQ(result(), 0x4600bbbbu);
  parts.destination = Part::Word0;
  add.operands[1].negated = true; // -2 + 4.
  EXPECT_EQ(result(), 0xaaaa4000u);
  add.operands[1].negated = false, add.operands[2].negated = true; // 2 - 4.
  parts.unused = PartSelection::Unused::Sext;
  EXPECT_EQ(result(), 0xffffc000u);

  Instruction convert = instructionOf("v_cvt_f32_i32", 1, 1);
  convert.modifiers.parts.isUsed = true;
  convert.modifiers.parts.sources[0] = Part::Byte2;
  EXPECT_EQ(execute(convert, {{0x00f00000}})[0], bitsOf(240));
  convert.operands[1].extended = true;
  EXPECT_EQ(execute(convert, {{0x00f00000}})[0], bitsOf(-16));
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

TEST(Modifiers, LanesOfQuadsAndRows) {
  using Kind = LanePermutation::Kind;
  // quad_perm:[1,3,0,2].
  std::vector<int> quads = lanesRead(permutationOf(Kind::QuadPerm, 1 | 3 << 2 | 0 << 4 | 2 << 6));
  for (int lane : {0, 20, 60})
    EXPECT_EQ(std::vector<int>(quads.begin() + lane, quads.begin() + lane + 4),
              (std::vector<int>{lane + 1, lane + 3, lane, lane + 2}));
  std::vector<int> left = lanesRead(permutationOf(Kind::RowShl, 3));
  EXPECT_EQ(left[16], 19);
  EXPECT_EQ(left[28], 31);
  EXPECT_EQ(left[29], kUnwritten);
  std::vector<int> right = lanesRead(permutationOf(Kind::RowShr, 3, true));
  EXPECT_EQ(right[19], 16);
  EXPECT_EQ(right[31], 28);
  EXPECT_EQ(right[18], kZero);
  std::vector<int> around = lanesRead(permutationOf(Kind::RowRor, 3));
  EXPECT_EQ(around[16], 29);
  EXPECT_EQ(around[19], 16);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowMirror))[18], 29);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowHalfMirror))[18], 21);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowHalfMirror))[26], 29);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowShare, 5))[50], 53);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowNewBroadcast, 5))[50], 53);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowXmask, 6))[49], 55);
}

TEST(Modifiers, LanesOfWaves) {
  using Kind = LanePermutation::Kind;
  std::vector<int> left = lanesRead(permutationOf(Kind::WaveShl, 1));
  EXPECT_EQ(left[15], 16);
  EXPECT_EQ(left[63], kUnwritten);
  EXPECT_EQ(lanesRead(permutationOf(Kind::WaveShl, 1), ~uint64_t(0), 32)[31], kUnwritten);
  std::vector<int> right = lanesRead(permutationOf(Kind::WaveShr, 1, true));
  EXPECT_EQ(right[16], 15);
  EXPECT_EQ(right[0], kZero);
  std::vector<int> rows = lanesRead(permutationOf(Kind::RowBroadcast, 15));
  EXPECT_EQ(rows[3], kUnwritten);
  EXPECT_EQ(rows[16], 15);
  EXPECT_EQ(rows[47], 31);
  std::vector<int> half = lanesRead(permutationOf(Kind::RowBroadcast, 31));
  EXPECT_EQ(half[31], kUnwritten);
  EXPECT_EQ(half[32], 31);
  EXPECT_EQ(half[63], 31);
}

TEST(Modifiers, MasksAndIdleLanesOfPermutations) {
  using Kind = LanePermutation::Kind;
  LanePermutation mirror = permutationOf(Kind::RowMirror);
  mirror.rowMask = 0xa, mirror.bankMask = 0x7;
  std::vector<int> masked = lanesRead(mirror);
  EXPECT_EQ(masked[0], kUnwritten);
  EXPECT_EQ(masked[16], 31);
  EXPECT_EQ(masked[28], kUnwritten);
  EXPECT_EQ(masked[40], kUnwritten);
  EXPECT_EQ(masked[59], 52);
  // Lane 1 is idle: lane 14 reads it.
  std::vector<int> idle = lanesRead(permutationOf(Kind::RowMirror), ~uint64_t(2));
  EXPECT_EQ(idle[14], kUnwritten);
  EXPECT_EQ(idle[1], kUnwritten);
  EXPECT_EQ(idle[13], 2);
  EXPECT_EQ(lanesRead(permutationOf(Kind::RowMirror, 0, true), ~uint64_t(2))[14], kZero);
}
