//===- IntegersTest.cpp - Integer arithmetic of lanes ---------------------===//
//
// Each instruction on random registers, with partial EXEC masks, against a formula in wider
// integers or bit by bit.
//
//===----------------------------------------------------------------------===//

#include "RandomWave.h"

#include <algorithm>
#include <bitset>

using namespace rooftile::emulator;

namespace {

Wide s32(uint64_t value) { return signOf(value, 32); }
Wide s24(uint64_t value) { return signOf(value, 24); }
Wide s16(uint64_t value) { return signOf(value, 16); }
Wide s64(uint64_t value) { return signOf(value, 64); }
Wide u24(uint64_t value) { return Wide(value % (1 << 24)); }
uint64_t bit(uint64_t value, unsigned index) { return index < 64 ? value >> index & 1 : 0; }
uint64_t byte(uint64_t value, unsigned index) { return value >> 8 * index & 255; }
template <typename T> T median(T a, T b, T c) {
  std::array<T, 3> all{a, b, c};
  std::sort(all.begin(), all.end());
  return all[1];
}
uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }
/// Bits from `first` on, those of a sign beyond the end.
Wide field(uint64_t value, unsigned first, unsigned width, bool isSigned) {
  Wide result = 0;
  for (unsigned index = 0; index < width; ++index)
    result |= Wide(bit(value, isSigned ? std::min(first + index, 31U) : first + index)) << index;
  return isSigned && width && result >> (width - 1) ? result - (Wide(1) << width) : result;
}
uint64_t permute(uint64_t a, uint64_t b, uint64_t selectors) {
  uint64_t result = 0;
  for (unsigned index = 0; index < 4; ++index) {
    uint64_t select = byte(selectors, index);
    uint64_t both = a << 32 | b;
    uint64_t chosen = select < 8     ? byte(both, unsigned(select))
                      : select < 12  ? bit(both, unsigned(16 * (select - 8) + 15)) * 255
                      : select == 12 ? 0
                                     : 255;
    result |= chosen << 8 * index;
  }
  return result;
}

/// Function of up to three sources, which are zero-extended.
using Formula = Wide (*)(uint64_t a, uint64_t b, uint64_t c);
struct Row {
  std::vector<const char *> names;
  Formula formula;
  bool keepsHalf = false; ///< The other half, on gfx9, too.
};

/// Bits of the destination and the sources.
struct Widths {
  unsigned destination;
  std::vector<unsigned> sources;
};

/// High halves of registers at random.
void drawHalves(RandomWave &on, Instruction &instruction, const Widths &widths) {
  for (unsigned index = 0; index < instruction.operands.size(); ++index) {
    Operand &operand = instruction.operands[index];
    bool is16 = (index ? widths.sources[index - 1] : widths.destination) == 16;
    operand.isHigh = is16 && operand.kind == Operand::Kind::Vector && on.random() % 2;
  }
}

/// With op_sel for high halves, as gfx9 has it; the destination has the last bit.
Instruction bySelection(Instruction instruction) {
  auto sources = unsigned(instruction.operands.size() - 1);
  for (unsigned index = 0; index <= sources; ++index)
    if (std::exchange(instruction.operands[index].isHigh, false))
      instruction.modifiers.opSel |= uint8_t(1 << (index ? index - 1 : sources));
  return instruction;
}

void expectLane(const RandomWave &on, const Instruction &instruction, const Widths &widths,
                unsigned lane, const Row &row) {
  const Operand &destination = instruction.operands[0];
  uint64_t old = valueOf(*on.before, destination, lane, std::max(widths.destination, 32U));
  uint64_t actual = valueOf(on.wave, destination, lane, std::max(widths.destination, 32U));
  if (!on.wave.isActive(lane)) {
    EXPECT_EQ(actual, old) << instruction.name;
    return;
  }
  uint64_t values[3] = {};
  for (unsigned index = 0; index < widths.sources.size(); ++index)
    values[index] =
        valueOf(*on.before, instruction.operands[index + 1], lane, widths.sources[index]);
  auto expected = uint64_t(row.formula(values[0], values[1], values[2]));
  if (widths.destination == 32)
    expected = uint32_t(expected);
  if (widths.destination == 16)
    expected = destination.isHigh ? uint64_t(uint16_t(expected)) << 16 | uint16_t(old)
               : on.lanes == 32 || row.keepsHalf ? uint16_t(expected) | (old >> 16 << 16)
                                                 : uint16_t(expected);
  EXPECT_EQ(actual, expected) << instruction.name << " of " << values[0] << ", " << values[1]
                              << ", " << values[2];
}

void check(const Row &row, const Widths &widths) {
  std::mt19937_64 random(row.names.size() + widths.destination);
  for (int round = 0; round < kRounds; ++round) {
    RandomWave on(random() % 2 ? 64 : 32, random);
    Instruction instruction;
    instruction.name = row.names[random() % row.names.size()];
    // v[0:1], v[2:3], v[4:5] are sources, too.
    auto first = unsigned(2 * (random() % 4));
    instruction.operands.push_back(vector(first, widths.destination == 64 ? 2 : 1));
    for (unsigned index = 0; index < widths.sources.size(); ++index)
      instruction.operands.push_back(drawSource(on, index, widths.sources[index]));
    drawHalves(on, instruction, widths);
    ASSERT_NO_FATAL_FAILURE(on.run(on.lanes == 32 ? instruction : bySelection(instruction)));
    for (unsigned lane = 0; lane < on.lanes; ++lane)
      expectLane(on, instruction, widths, lane, row);
    ASSERT_NO_FATAL_FAILURE(on.expectOthersKept(first, widths.destination == 64 ? 2 : 1));
    if (::testing::Test::HasFailure())
      return;
  }
}

#define FORMULA(...) [](uint64_t a, uint64_t b, uint64_t c) -> Wide { return Wide(__VA_ARGS__); }

TEST(Integers, OneSource) {
  const Row rows[] = {
      {{"v_mov_b32"}, FORMULA(a)},
      {{"v_not_b32"}, FORMULA(0xffffffff - a)},
      {{"v_bfrev_b32"},
       [](uint64_t a, uint64_t, uint64_t) {
         Wide result = 0;
         for (unsigned index = 0; index < 32; ++index)
           result = result * 2 + Wide(bit(a, index));
         return result;
       }},
      {{"v_ffbh_u32", "v_clz_i32_u32"},
       [](uint64_t a, uint64_t, uint64_t) {
         for (unsigned index = 0; index < 32; ++index)
           if (bit(a, 31 - index))
             return Wide(index);
         return Wide(-1);
       }},
      {{"v_ffbl_b32", "v_ctz_i32_b32"},
       [](uint64_t a, uint64_t, uint64_t) {
         for (unsigned index = 0; index < 32; ++index)
           if (bit(a, index))
             return Wide(index);
         return Wide(-1);
       }},
      {{"v_ffbh_i32", "v_cls_i32"},
       [](uint64_t a, uint64_t, uint64_t) {
         for (unsigned index = 1; index < 32; ++index)
           if (bit(a, 31 - index) != bit(a, 31))
             return Wide(index);
         return Wide(-1);
       }},
  };
  for (const Row &row : rows)
    check(row, {32, {32}});
  check({{"v_mov_b64"}, FORMULA(a)}, {64, {64}});
  check({{"v_mov_b16"}, FORMULA(a)}, {16, {16}});
  check({{"v_not_b16"}, FORMULA(0xffff - a)}, {16, {16}});
}

TEST(Integers, TwoSources) {
  const Row rows[] = {
      {{"v_add_u32", "v_add_nc_u32"}, FORMULA(a + b)},
      {{"v_sub_u32", "v_sub_nc_u32"}, FORMULA(Wide(a) - Wide(b))},
      {{"v_subrev_u32", "v_subrev_nc_u32"}, FORMULA(Wide(b) - Wide(a))},
      {{"v_add_i32", "v_add_nc_i32"}, FORMULA(a + b)},
      {{"v_sub_i32", "v_sub_nc_i32"}, FORMULA(Wide(a) - Wide(b))},
      {{"v_mul_lo_u32"}, FORMULA(a * b)},
      {{"v_mul_hi_u32"}, FORMULA(Wide(a) * Wide(b) >> 32)},
      {{"v_mul_hi_i32"}, FORMULA(s32(a) * s32(b) >> 32)},
      {{"v_mul_u32_u24"}, FORMULA(u24(a) * u24(b))},
      {{"v_mul_hi_u32_u24"}, FORMULA(u24(a) * u24(b) >> 32)},
      {{"v_mul_i32_i24"}, FORMULA(s24(a) * s24(b))},
      {{"v_mul_hi_i32_i24"}, FORMULA(s24(a) * s24(b) >> 32)},
      {{"v_lshlrev_b32"}, FORMULA(Wide(b) * (Wide(1) << a % 32))},
      {{"v_lshrrev_b32"}, FORMULA(Wide(b) / (Wide(1) << a % 32))},
      {{"v_ashrrev_i32"}, FORMULA(s32(b) >> a % 32)},
      {{"v_and_b32"}, FORMULA(a + b - (a | b))},
      {{"v_or_b32"}, FORMULA(a + b - (a & b))},
      {{"v_xor_b32"}, FORMULA((a | b) - (a & b))},
      {{"v_xnor_b32"}, FORMULA(0xffffffff - ((a | b) - (a & b)))},
      {{"v_min_u32"}, FORMULA(a < b ? a : b)},
      {{"v_max_u32"}, FORMULA(a > b ? a : b)},
      {{"v_min_i32"}, FORMULA(s32(a) < s32(b) ? a : b)},
      {{"v_max_i32"}, FORMULA(s32(a) > s32(b) ? a : b)},
      {{"v_bfm_b32"}, FORMULA(((Wide(1) << a % 32) - 1) << b % 32)},
      {{"v_bcnt_u32_b32"}, FORMULA(std::bitset<32>(a).count() + b)},
  };
  for (const Row &row : rows)
    check(row, {32, {32, 32}});
}

TEST(Integers, Halves) {
  const Row rows[] = {
      {{"v_add_u16", "v_add_nc_u16"}, FORMULA(a + b)},
      {{"v_add_i16", "v_add_nc_i16"}, FORMULA(a + b), true},
      {{"v_sub_i16", "v_sub_nc_i16"}, FORMULA(Wide(a) - Wide(b)), true},
      {{"v_sub_u16", "v_sub_nc_u16"}, FORMULA(Wide(a) - Wide(b))},
      {{"v_subrev_u16"}, FORMULA(Wide(b) - Wide(a))},
      {{"v_mul_lo_u16"}, FORMULA(a * b)},
      {{"v_lshlrev_b16"}, FORMULA(b << a % 16)},
      {{"v_lshrrev_b16"}, FORMULA(b >> a % 16)},
      {{"v_ashrrev_i16"}, FORMULA(s16(b) >> a % 16)},
      {{"v_min_u16"}, FORMULA(a < b ? a : b)},
      {{"v_max_u16"}, FORMULA(a > b ? a : b)},
      {{"v_min_i16"}, FORMULA(s16(a) < s16(b) ? a : b)},
      {{"v_max_i16"}, FORMULA(s16(a) > s16(b) ? a : b)},
      {{"v_and_b16"}, FORMULA(a + b - (a | b))},
      {{"v_or_b16"}, FORMULA(a + b - (a & b))},
      {{"v_xor_b16"}, FORMULA((a | b) - (a & b))},
  };
  for (const Row &row : rows)
    check(row, {16, {16, 16}});
}

TEST(Integers, ThreeSources) {
  const Row rows[] = {
      {{"v_add3_u32"}, FORMULA(a + b + c)},
      {{"v_lshl_add_u32"}, FORMULA((a << b % 32) + c)},
      {{"v_add_lshl_u32"}, FORMULA((a + b) << c % 32)},
      {{"v_lshl_or_b32"}, FORMULA((a << b % 32) | c)},
      {{"v_and_or_b32"}, FORMULA((a & b) | c)},
      {{"v_or3_b32"}, FORMULA(a | b | c)},
      {{"v_xor3_b32"}, FORMULA(a ^ b ^ c)},
      {{"v_xad_u32"}, FORMULA((a ^ b) + c)},
      {{"v_mad_u32_u24"}, FORMULA(u24(a) * u24(b) + c)},
      {{"v_mad_i32_i24"}, FORMULA(s24(a) * s24(b) + c)},
      {{"v_bfe_u32"}, FORMULA(field(a, b % 32, c % 32, false))},
      {{"v_bfe_i32"}, FORMULA(field(a, b % 32, c % 32, true))},
      {{"v_bfi_b32"},
       [](uint64_t a, uint64_t b, uint64_t c) {
         Wide result = 0;
         for (unsigned index = 0; index < 32; ++index)
           result |= Wide(bit(a, index) ? bit(b, index) : bit(c, index)) << index;
         return result;
       }},
      {{"v_perm_b32"},
       [](uint64_t a, uint64_t b, uint64_t c) { return Wide(permute(a, b, c % 0x100000000)); }},
      {{"v_alignbit_b32"}, FORMULA((Wide(a) << 32 | b) >> c % 32)},
      {{"v_alignbyte_b32"}, FORMULA((Wide(a) << 32 | b) >> 8 * (c % 4))},
      {{"v_sad_u32"}, FORMULA(distance(a, b) + c)},
      {{"v_sad_u16"}, FORMULA(distance(a >> 16, b >> 16) + distance(a & 0xffff, b & 0xffff) + c)},
      {{"v_sad_u8"},
       FORMULA(distance(byte(a, 0), byte(b, 0)) + distance(byte(a, 1), byte(b, 1)) +
               distance(byte(a, 2), byte(b, 2)) + distance(byte(a, 3), byte(b, 3)) + c)},
      {{"v_sad_hi_u8"},
       FORMULA((distance(byte(a, 0), byte(b, 0)) + distance(byte(a, 1), byte(b, 1)) +
                distance(byte(a, 2), byte(b, 2)) + distance(byte(a, 3), byte(b, 3))) *
                   65536 +
               c)},
      {{"v_msad_u8"},
       [](uint64_t a, uint64_t b, uint64_t c) {
         for (unsigned index = 0; index < 4; ++index)
           c += byte(b, index) ? distance(byte(a, index), byte(b, index)) : 0;
         return Wide(c);
       }},
      {{"v_lerp_u8"},
       [](uint64_t a, uint64_t b, uint64_t c) {
         Wide result = 0;
         for (unsigned index = 4; index-- > 0;)
           result = result * 256 + Wide((byte(a, index) + byte(b, index) + byte(c, index) % 2) / 2);
         return result;
       }},
      {{"v_min3_u32"}, FORMULA(std::min({a, b, c}))},
      {{"v_max3_u32"}, FORMULA(std::max({a, b, c}))},
      {{"v_med3_u32"}, FORMULA(median(a, b, c))},
      {{"v_min3_i32"}, FORMULA(std::min({s32(a), s32(b), s32(c)}))},
      {{"v_max3_i32"}, FORMULA(std::max({s32(a), s32(b), s32(c)}))},
      {{"v_med3_i32"}, FORMULA(median(s32(a), s32(b), s32(c)))},
      {{"v_maxmin_u32"}, FORMULA(std::min(std::max(a, b), c))},
      {{"v_minmax_u32"}, FORMULA(std::max(std::min(a, b), c))},
      {{"v_maxmin_i32"}, FORMULA(std::min(std::max(s32(a), s32(b)), s32(c)))},
      {{"v_minmax_i32"}, FORMULA(std::max(std::min(s32(a), s32(b)), s32(c)))},
  };
  for (const Row &row : rows)
    check(row, {32, {32, 32, 32}});
}

TEST(Integers, ThreeHalves) {
  const Row rows[] = {
      {{"v_min3_u16"}, FORMULA(std::min({a, b, c})), true},
      {{"v_max3_u16"}, FORMULA(std::max({a, b, c})), true},
      {{"v_med3_u16"}, FORMULA(median(a, b, c)), true},
      {{"v_min3_i16"}, FORMULA(std::min({s16(a), s16(b), s16(c)})), true},
      {{"v_max3_i16"}, FORMULA(std::max({s16(a), s16(b), s16(c)})), true},
      {{"v_med3_i16"}, FORMULA(median(s16(a), s16(b), s16(c))), true},
  };
  for (const Row &row : rows)
    check(row, {16, {16, 16, 16}});
  check({{"v_mad_u16"}, FORMULA(a * b + c), true}, {16, {16, 16, 16}});
  check({{"v_mad_legacy_u16", "v_mad_legacy_i16"}, FORMULA(a * b + c)}, {16, {16, 16, 16}});
  check({{"v_mad_u32_u16"}, FORMULA(a * b + c)}, {32, {16, 16, 32}});
  check({{"v_mad_i32_i16"}, FORMULA(s16(a) * s16(b) + Wide(c))}, {32, {16, 16, 32}});
}

TEST(Integers, Pairs) {
  check({{"v_lshlrev_b64"}, FORMULA(Wide(b) << a % 64)}, {64, {32, 64}});
  check({{"v_lshrrev_b64"}, FORMULA(Wide(b) >> a % 64)}, {64, {32, 64}});
  check({{"v_ashrrev_i64"}, FORMULA(s64(b) >> a % 64)}, {64, {32, 64}});
  check({{"v_lshl_add_u64"}, FORMULA((Wide(a) << b % 8) + Wide(c))}, {64, {64, 32, 64}});
}

} // namespace
