//===- MovesTest.cpp - Copies, exchanges of lanes, DPP and SDWA -----------===//
//
// Results on random registers against loops over lanes that are written here.
//
//===----------------------------------------------------------------------===//

#include "RandomWave.h"

#include <bitset>

using namespace rooftile::emulator;

namespace {

Instruction make(const char *name, std::initializer_list<Operand> operands) {
  Instruction instruction;
  instruction.name = name;
  instruction.operands = operands;
  return instruction;
}

/// Value of a vector register before the instruction.
uint32_t old(const RandomWave &on, unsigned index, unsigned lane) {
  return on.before->lane32(vector(index), lane);
}

/// `count` registers from v[first] on have the values of `expected(register, lane)` where EXEC is
/// set, and theirs of before elsewhere.
template <typename Expected>
void expectRegisters(const RandomWave &on, unsigned first, unsigned count, Expected expected) {
  for (unsigned index = 0; index < count; ++index)
    for (unsigned lane = 0; lane < on.lanes; ++lane)
      ASSERT_EQ(on.wave.lane32(vector(first + index), lane), on.before->isActive(lane)
                                                                 ? uint32_t(expected(index, lane))
                                                                 : old(on, first + index, lane))
          << "v" << first + index << " of lane " << lane;
  on.expectOthersKept(first, count);
}

/// Visits waves of both sizes.
template <typename Visit> void forWaves(Visit visit) {
  std::mt19937_64 random(11);
  for (int round = 0; round < kRounds && !::testing::Test::HasFailure(); ++round) {
    RandomWave on(round % 2 ? 64 : 32, random);
    visit(on);
  }
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

TEST(Moves, PairsOfRegisters) {
  forWaves([](RandomWave &on) {
    bool isScalar = on.random() % 2;
    Operand second = isScalar ? scalar(4, 2) : vector(2, 2);
    unsigned first = unsigned(on.random() % 3); // v[1:2] is half of both sources.
    Instruction instruction = make("v_pk_mov_b32", {vector(first, 2), vector(0, 2), second});
    unsigned select = instruction.modifiers.opSel = uint8_t(on.random() % 4);
    on.run(instruction);
    expectRegisters(on, first, 2, [&](unsigned index, unsigned lane) {
      if (index == 0)
        return old(on, select & 1, lane);
      return isScalar ? on.before->scalar(4 + select / 2) : old(on, 2 + select / 2, lane);
    });
  });
}

TEST(Moves, PacksTwoHalves) {
  forWaves([](RandomWave &on) {
    Instruction instruction = make("v_pack_b32_f16", {vector(0), vector(0), vector(1)});
    unsigned select = instruction.modifiers.opSel = uint8_t(on.random() % 4);
    instruction.operands[1].negated = true;
    instruction.operands[2].absolute = true;
    on.run(instruction);
    expectRegisters(on, 0, 1, [&](unsigned, unsigned lane) {
      uint32_t low = old(on, 0, lane) >> (select & 1 ? 16 : 0) & 0xffff,
               high = old(on, 1, lane) >> (select & 2 ? 16 : 0) & 0xffff;
      return (high & 0x7fff) << 16 | (low ^ 0x8000);
    });
  });
}

TEST(Moves, Swaps) {
  forWaves([](RandomWave &on) {
    on.run(make("v_swap_b32", {vector(3), vector(4)}));
    expectRegisters(on, 3, 2,
                    [&](unsigned index, unsigned lane) { return old(on, 4 - index, lane); });
  });
  forWaves([](RandomWave &on) {
    on.wave.hasStoreCounter = true; // gfx11 has it.
    on.run(make("v_swap_b16", {high(vector(3)), vector(4)}));
    expectRegisters(on, 3, 2, [&](unsigned index, unsigned lane) {
      uint32_t first = old(on, 3, lane), second = old(on, 4, lane);
      return index ? (second & 0xffff0000) | first >> 16 : second << 16 | (first & 0xffff);
    });
  });
}

TEST(Moves, CountsLanesBefore) {
  forWaves([](RandomWave &on) {
    bool isHigh = on.random() % 2;
    on.run(make(isHigh ? "v_mbcnt_hi_u32_b32" : "v_mbcnt_lo_u32_b32",
                {vector(1), vector(0), vector(1)}));
    expectRegisters(on, 1, 1, [&](unsigned, unsigned lane) {
      uint32_t count = old(on, 1, lane);
      for (unsigned bit = 0; bit < 32; ++bit)
        count += bit + (isHigh ? 32 : 0) < lane && (old(on, 0, lane) >> bit & 1);
      return count;
    });
  });
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

TEST(Moves, ReadsALane) {
  forWaves([](RandomWave &on) {
    on.run(make("v_readlane_b32", {scalar(5), vector(1), scalar(3)}));
    EXPECT_EQ(on.wave.scalar(5), old(on, 1, on.before->scalar(3) & (on.lanes - 1)));
    on.run(make("v_readlane_b32", {scalar(kVcc), vector(2), integer(17)}));
    EXPECT_EQ(on.wave.scalar(kVcc), old(on, 2, 17));
    on.run(make("v_readfirstlane_b32", {scalar(6), vector(1)}));
    unsigned first = 0;
    while (first < on.lanes && !on.before->isActive(first))
      ++first;
    EXPECT_EQ(on.wave.scalar(6), old(on, 1, first % on.lanes));
    on.expectOthersKept(0, 0);
  });
}

TEST(Moves, WritesALane) {
  forWaves([](RandomWave &on) {
    auto lane = unsigned(on.random() % on.lanes);
    on.run(make("v_writelane_b32", {vector(7), scalar(2), integer(lane)}));
    for (unsigned each = 0; each < on.lanes; ++each)
      EXPECT_EQ(on.wave.lane32(vector(7), each),
                each == lane ? on.before->scalar(2) : old(on, 7, each));
    on.expectOthersKept(7, 1);
  });
}

TEST(Moves, PermutesRows) {
  forWaves([](RandomWave &on) {
    bool isOther = on.random() % 2;
    Instruction instruction = make(isOther ? "v_permlanex16_b32" : "v_permlane16_b32",
                                   {vector(0), vector(0), scalar(2), scalar(3)});
    unsigned select = instruction.modifiers.opSel = uint8_t(on.random() % 4);
    on.run(instruction);
    expectRegisters(on, 0, 1, [&](unsigned, unsigned lane) {
      unsigned inRow = lane % 16, row = lane / 16;
      uint32_t selectors = on.before->scalar(inRow < 8 ? 2 : 3);
      unsigned from = (isOther ? row ^ 1 : row) * 16 + (selectors >> 4 * (inRow % 8)) % 16;
      bool isRead = select % 2 || on.before->isActive(from);
      return isRead ? old(on, 0, from) : select / 2 ? 0 : old(on, 0, lane);
    });
  });
}

TEST(Moves, PermutesHalves) {
  forWaves([](RandomWave &on) {
    on.run(make("v_permlane64_b32", {vector(1), vector(0)}));
    expectRegisters(on, 1, 1, [&](unsigned, unsigned lane) {
      return on.lanes == 32 ? old(on, 1, lane) : old(on, 0, (lane + 32) % 64);
    });
  });
}

//===----------------------------------------------------------------------===//
// DPP and SDWA
//===----------------------------------------------------------------------===//

TEST(Moves, ShiftsLanesOfARow) {
  forWaves([](RandomWave &on) {
    Instruction instruction = make("v_sub_u32", {vector(0), vector(1), vector(2)});
    LanePermutation &lanes = instruction.modifiers.lanes;
    lanes.kind = LanePermutation::Kind::RowShr;
    lanes.value = 1 + unsigned(on.random() % 15);
    lanes.boundControl = on.random() % 2;
    lanes.rowMask = unsigned(on.random() % 16), lanes.bankMask = unsigned(on.random() % 16);
    on.run(instruction);
    expectRegisters(on, 0, 1, [&](unsigned, unsigned lane) {
      bool isMasked = !(lanes.rowMask >> lane / 16 & 1) || !(lanes.bankMask >> lane % 16 / 4 & 1);
      bool isRead = lane % 16 >= lanes.value && on.before->isActive(lane - lanes.value);
      if (isMasked || (!isRead && !lanes.boundControl))
        return old(on, 0, lane);
      return (isRead ? old(on, 1, lane - lanes.value) : 0) - old(on, 2, lane);
    });
  });
}

TEST(Moves, ComparesAndCarriesOtherLanes) {
  forWaves([](RandomWave &on) {
    on.setExec(~uint64_t(0));
    Instruction instruction =
        make("v_cmp_lt_u32", {scalar(8, on.lanes / 32), vector(1), vector(2)});
    instruction.modifiers.lanes.kind = LanePermutation::Kind::RowMirror;
    on.run(instruction);
    Instruction sum = make("v_addc_co_u32", {vector(3), scalar(kVcc, on.lanes / 32), vector(1),
                                             vector(2), scalar(8, on.lanes / 32)});
    sum.modifiers.lanes = instruction.modifiers.lanes;
    on.run(sum);
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      uint32_t mirrored = old(on, 1, lane ^ 15), other = old(on, 2, lane);
      bool isLess = on.wave.mask(scalar(8)) >> lane & 1;
      EXPECT_EQ(isLess, mirrored < other);
      uint64_t exact = uint64_t(mirrored) + other + isLess;
      EXPECT_EQ(on.wave.lane32(vector(3), lane), uint32_t(exact));
      EXPECT_EQ(on.wave.mask(scalar(kVcc)) >> lane & 1, exact >> 32);
    }
  });
}

using Part = PartSelection::Part;
using Unused = PartSelection::Unused;

/// Bytes of a part: the first and their number.
std::pair<unsigned, unsigned> bytesOf(Part part) {
  const std::pair<unsigned, unsigned> all[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1},
                                               {0, 2}, {2, 2}, {0, 4}};
  return all[unsigned(part)];
}

int64_t partOf(uint32_t value, Part part, bool extends) {
  auto [first, count] = bytesOf(part);
  int64_t size = int64_t(1) << 8 * count, field = (value >> 8 * first) % size;
  return extends && field >= size / 2 ? field - size : field;
}

PartSelection drawParts(RandomWave &on) {
  PartSelection parts;
  parts.isUsed = true;
  parts.destination = Part(on.random() % 7);
  parts.sources[0] = Part(on.random() % 7), parts.sources[1] = Part(on.random() % 7);
  parts.unused = Unused(on.random() % 3);
  return parts;
}

TEST(Moves, SelectsParts) {
  forWaves([](RandomWave &on) {
    Instruction instruction = make("v_add_u32", {vector(2), vector(0), vector(1)});
    const PartSelection &parts = instruction.modifiers.parts = drawParts(on);
    bool extends = instruction.operands[1].extended = on.random() % 2;
    on.run(instruction);
    expectRegisters(on, 2, 1, [&](unsigned, unsigned lane) {
      auto sum = uint32_t(partOf(old(on, 0, lane), parts.sources[0], extends) +
                          partOf(old(on, 1, lane), parts.sources[1], false));
      auto [first, count] = bytesOf(parts.destination);
      uint32_t before = old(on, 2, lane), result = 0;
      for (unsigned byte = 0; byte < 4; ++byte) {
        bool isInside = byte >= first && byte < first + count;
        bool isNegative = sum >> (8 * count - 1) & 1;
        uint32_t value = isInside                           ? sum >> 8 * (byte - first)
                         : parts.unused == Unused::Preserve ? before >> 8 * byte
                         : parts.unused == Unused::Sext && byte >= first && isNegative ? 255
                                                                                       : 0;
        result |= (value & 255) << 8 * byte;
      }
      return result;
    });
  });
}

TEST(Moves, ComparesParts) {
  forWaves([](RandomWave &on) {
    Instruction instruction =
        make("v_cmp_gt_i32", {scalar(10, on.lanes / 32), vector(0), vector(1)});
    const PartSelection &parts = instruction.modifiers.parts = drawParts(on);
    instruction.operands[1].extended = instruction.operands[2].extended = on.random() % 2;
    on.run(instruction);
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      bool extends = instruction.operands[1].extended;
      auto left = int32_t(partOf(old(on, 0, lane), parts.sources[0], extends)),
           right = int32_t(partOf(old(on, 1, lane), parts.sources[1], extends));
      EXPECT_EQ(on.wave.mask(scalar(10)) >> lane & 1, on.before->isActive(lane) && left > right);
    }
    on.expectOthersKept(0, 0);
  });
}

} // namespace
