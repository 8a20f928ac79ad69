//===- OverflowTest.cpp - Carries, clamp and packed halves of integers ----===//
//
// Results that do not fit, against the exact ones in wider integers.
//
//===----------------------------------------------------------------------===//

#include "RandomWave.h"

#include <algorithm>

using namespace rooftile::emulator;

namespace {

/// Exact result of up to three sources, whose signs are extended where the row has signs.
using Exact = Wide (*)(Wide a, Wide b, Wide c);
Wide add(Wide a, Wide b, Wide) { return a + b; }
Wide subtract(Wide a, Wide b, Wide) { return a - b; }
Wide reverse(Wide a, Wide b, Wide) { return b - a; }
Wide multiplyAdd(Wide a, Wide b, Wide c) { return a * b + c; }

struct Row {
  const char *name;
  unsigned bits, sources;
  bool isSigned;
  Exact exact;
};

/// Bits of a result: the low ones, or with clamp those of the nearest value in range.
uint64_t resultOf(Wide exact, unsigned bits, bool isSigned, bool clamps) {
  Wide size = Wide(1) << bits, least = isSigned ? -size / 2 : 0;
  return uint64_t((clamps ? std::clamp(exact, least, least + size - 1) : exact) & (size - 1));
}

Wide extended(uint64_t value, unsigned bits, bool isSigned) {
  return isSigned ? signOf(value, bits) : Wide(value);
}

TEST(Overflow, Clamps) {
  const Row rows[] = {
      {"v_add_u32", 32, 2, false, add},
      {"v_add_nc_u32", 32, 2, false, add},
      {"v_sub_u32", 32, 2, false, subtract},
      {"v_sub_nc_u32", 32, 2, false, subtract},
      {"v_subrev_u32", 32, 2, false, reverse},
      {"v_subrev_nc_u32", 32, 2, false, reverse},
      {"v_add_i32", 32, 2, true, add},
      {"v_add_nc_i32", 32, 2, true, add},
      {"v_sub_i32", 32, 2, true, subtract},
      {"v_sub_nc_i32", 32, 2, true, subtract},
      {"v_add_u16", 16, 2, false, add},
      {"v_add_nc_u16", 16, 2, false, add},
      {"v_sub_u16", 16, 2, false, subtract},
      {"v_sub_nc_u16", 16, 2, false, subtract},
      {"v_subrev_u16", 16, 2, false, reverse},
      {"v_add_i16", 16, 2, true, add},
      {"v_add_nc_i16", 16, 2, true, add},
      {"v_sub_i16", 16, 2, true, subtract},
      {"v_sub_nc_i16", 16, 2, true, subtract},
      {"v_mad_u16", 16, 3, false, multiplyAdd},
      {"v_mad_i16", 16, 3, true, multiplyAdd},
      {"v_mad_legacy_u16", 16, 3, false, multiplyAdd},
      {"v_mad_legacy_i16", 16, 3, true, multiplyAdd},
  };
  std::mt19937_64 random(3);
  for (const Row &row : rows)
    for (int round = 0; round < kRounds; ++round) {
      RandomWave on(64, random);
      Instruction instruction;
      instruction.name = row.name;
      bool clamps = instruction.modifiers.clamp = random() % 4;
      instruction.operands = {vector(1), vector(0), vector(1), vector(2)};
      instruction.operands.resize(1 + row.sources);
      ASSERT_NO_FATAL_FAILURE(on.run(instruction));
      for (unsigned lane = 0; lane < 64; ++lane) {
        Wide values[3];
        for (unsigned index = 0; index < 3; ++index)
          values[index] =
              extended(valueOf(*on.before, vector(index), lane, row.bits), row.bits, row.isSigned);
        uint64_t expected =
            resultOf(row.exact(values[0], values[1], values[2]), row.bits, row.isSigned, clamps);
        if (!on.wave.isActive(lane))
          expected = valueOf(*on.before, vector(1), lane, row.bits);
        ASSERT_EQ(valueOf(on.wave, vector(1), lane, row.bits), expected) << row.name;
      }
      ASSERT_NO_FATAL_FAILURE(on.expectOthersKept(1, 1));
    }
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

/// An operand of a mask, which is a pair in waves of 64 lanes.
Operand drawMask(RandomWave &on) {
  unsigned count = on.lanes / 32;
  return on.random() % 2 ? scalar(kVcc, count) : scalar(unsigned(8 + on.random() % 3 * 2), count);
}

/// A row's instruction with a carry out, and a carry in, `c`, where it has three sources of 32
/// bits.
Instruction drawCarry(RandomWave &on, const Row &row) {
  Instruction instruction;
  instruction.name = row.name;
  instruction.modifiers.clamp = on.random() % 4 == 0;
  instruction.operands = {vector(unsigned(2 * (on.random() % 4)), row.bits / 32),
                          on.random() % 8 ? drawMask(on) : scalar(kNull), drawSource(on, 0, 32),
                          drawSource(on, 1, 32)};
  if (row.sources == 3)
    instruction.operands.push_back(row.bits == 64 ? drawSource(on, 2, 64) : drawMask(on));
  return instruction;
}

Wide exactOf(const RandomWave &on, const Instruction &instruction, const Row &row, unsigned lane) {
  Wide third = 0;
  if (row.sources == 3)
    third = row.bits == 64
                ? extended(valueOf(*on.before, instruction.operands[4], lane, 64), 64, row.isSigned)
                : Wide(on.before->mask(instruction.operands[4]) >> lane & 1);
  return row.exact(
      extended(valueOf(*on.before, instruction.operands[2], lane, 32), 32, row.isSigned),
      extended(valueOf(*on.before, instruction.operands[3], lane, 32), 32, row.isSigned), third);
}

void checkCarry(const Row &row) {
  std::mt19937_64 random(row.bits);
  for (int round = 0; round < kRounds; ++round) {
    RandomWave on(random() % 2 ? 64 : 32, random);
    Instruction instruction = drawCarry(on, row);
    const Operand &destination = instruction.operands[0], &carries = instruction.operands[1];
    ASSERT_NO_FATAL_FAILURE(on.run(instruction));
    uint64_t expectedCarries = 0;
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      Wide exact = exactOf(on, instruction, row, lane);
      uint64_t expected = resultOf(exact, row.bits, row.isSigned, instruction.modifiers.clamp);
      bool isActive = on.wave.isActive(lane);
      ASSERT_EQ(valueOf(on.wave, destination, lane, row.bits),
                isActive ? expected : valueOf(*on.before, destination, lane, row.bits))
          << row.name;
      expectedCarries |= uint64_t(isActive && (exact >> row.bits) % 2 != 0) << lane;
    }
    if (carries.index != kNull) {
      ASSERT_EQ(on.wave.mask(carries), expectedCarries) << row.name;
    }
    ASSERT_NO_FATAL_FAILURE(on.expectOthersKept(destination.index, destination.count));
  }
}

TEST(Overflow, Carries) {
  Exact addCarry = [](Wide a, Wide b, Wide c) { return a + b + c; };
  Exact subtractCarry = [](Wide a, Wide b, Wide c) { return a - b - c; };
  Exact reverseCarry = [](Wide a, Wide b, Wide c) { return b - a - c; };
  const Row rows[] = {
      {"v_add_co_u32", 32, 2, false, add},
      {"v_sub_co_u32", 32, 2, false, subtract},
      {"v_subrev_co_u32", 32, 2, false, reverse},
      {"v_addc_co_u32", 32, 3, false, addCarry},
      {"v_add_co_ci_u32", 32, 3, false, addCarry},
      {"v_subb_co_u32", 32, 3, false, subtractCarry},
      {"v_sub_co_ci_u32", 32, 3, false, subtractCarry},
      {"v_subbrev_co_u32", 32, 3, false, reverseCarry},
      {"v_subrev_co_ci_u32", 32, 3, false, reverseCarry},
      {"v_mad_u64_u32", 64, 3, false, multiplyAdd},
      {"v_mad_i64_i32", 64, 3, true, multiplyAdd},
  };
  for (const Row &row : rows)
    ASSERT_NO_FATAL_FAILURE(checkCarry(row));
}

//===----------------------------------------------------------------------===//
// Packed halves
//===----------------------------------------------------------------------===//

void checkPacked(const Row &row) {
  std::mt19937_64 random(row.sources);
  for (int round = 0; round < kRounds; ++round) {
    RandomWave on(random() % 2 ? 64 : 32, random);
    Instruction instruction;
    instruction.name = row.name;
    auto first = unsigned(random() % 4);
    instruction.operands = {vector(first), vector(0), vector(1), vector(2)};
    instruction.operands.resize(1 + row.sources);
    Modifiers &modifiers = instruction.modifiers;
    modifiers.opSel = uint8_t(random() % 8), modifiers.opSelHi = uint8_t(random() % 8);
    modifiers.clamp = random() % 2;
    ASSERT_NO_FATAL_FAILURE(on.run(instruction));
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      uint64_t expected = 0;
      for (unsigned half = 0; half < 2; ++half) {
        Wide values[3];
        for (unsigned index = 0; index < 3; ++index) {
          bool isHigh = (half ? modifiers.opSelHi : modifiers.opSel) >> index & 1;
          uint64_t value = on.before->lane32(vector(index), lane) >> (isHigh ? 16 : 0) & 0xffff;
          values[index] = extended(value, 16, row.isSigned);
        }
        expected |=
            resultOf(row.exact(values[0], values[1], values[2]), 16, row.isSigned, modifiers.clamp)
            << 16 * half;
      }
      ASSERT_EQ(on.wave.lane32(vector(first), lane),
                on.wave.isActive(lane) ? expected : on.before->lane32(vector(first), lane))
          << row.name;
    }
    ASSERT_NO_FATAL_FAILURE(on.expectOthersKept(first, 1));
  }
}

TEST(Overflow, PackedHalves) {
  Exact least = [](Wide a, Wide b, Wide) { return std::min(a, b); };
  Exact most = [](Wide a, Wide b, Wide) { return std::max(a, b); };
  Exact right = [](Wide a, Wide b, Wide) { return b >> (a & 15); };
  const Row rows[] = {
      {"v_pk_add_u16", 16, 2, false, add},
      {"v_pk_add_i16", 16, 2, true, add},
      {"v_pk_sub_u16", 16, 2, false, subtract},
      {"v_pk_sub_i16", 16, 2, true, subtract},
      {"v_pk_mul_lo_u16", 16, 2, false, [](Wide a, Wide b, Wide) { return a * b % 65536; }},
      {"v_pk_mad_u16", 16, 3, false, multiplyAdd},
      {"v_pk_mad_i16", 16, 3, true, multiplyAdd},
      {"v_pk_min_u16", 16, 2, false, least},
      {"v_pk_min_i16", 16, 2, true, least},
      {"v_pk_max_u16", 16, 2, false, most},
      {"v_pk_max_i16", 16, 2, true, most},
      {"v_pk_lshlrev_b16", 16, 2, false,
       [](Wide a, Wide b, Wide) { return (b << a % 16) % 65536; }},
      {"v_pk_lshrrev_b16", 16, 2, false, right},
      {"v_pk_ashrrev_i16", 16, 2, true, right},
  };
  for (const Row &row : rows)
    ASSERT_NO_FATAL_FAILURE(checkPacked(row));
}

} // namespace
