//===- ComparisonsTest.cpp - Comparisons and selections of lanes ----------===//
//
// Each predicate on random registers: integers against wider ones, floats against LLVM's APFloat.
//
//===----------------------------------------------------------------------===//

#include "RandomWave.h"
#include "llvm/ADT/APFloat.h"

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

/// Relation of two values; `Unordered` where one is no number.
using Relation = APFloat::cmpResult;
struct Predicate {
  std::vector<const char *> names;
  std::vector<Relation> holds;
};
constexpr Relation kLess = APFloat::cmpLessThan, kEqual = APFloat::cmpEqual,
                   kGreater = APFloat::cmpGreaterThan, kUnordered = APFloat::cmpUnordered;

const Predicate kIntegerPredicates[] = {
    {{"f"}, {}},
    {{"lt"}, {kLess}},
    {{"eq"}, {kEqual}},
    {{"le"}, {kLess, kEqual}},
    {{"gt"}, {kGreater}},
    {{"ne"}, {kLess, kGreater}},
    {{"ge"}, {kGreater, kEqual}},
    {{"t"}, {kLess, kEqual, kGreater}},
};
const Predicate kFloatPredicates[] = {
    {{"f"}, {}},
    {{"lt"}, {kLess}},
    {{"eq"}, {kEqual}},
    {{"le"}, {kLess, kEqual}},
    {{"gt"}, {kGreater}},
    {{"lg"}, {kLess, kGreater}},
    {{"ge"}, {kGreater, kEqual}},
    {{"o"}, {kLess, kEqual, kGreater}},
    {{"u"}, {kUnordered}},
    {{"nge"}, {kLess, kUnordered}},
    {{"nlg"}, {kEqual, kUnordered}},
    {{"ngt"}, {kLess, kEqual, kUnordered}},
    {{"nle"}, {kGreater, kUnordered}},
    {{"neq"}, {kLess, kGreater, kUnordered}},
    {{"nlt"}, {kGreater, kEqual, kUnordered}},
    {{"tru", "t"}, {kLess, kEqual, kGreater, kUnordered}},
};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const llvm::fltSemantics &formatOf(unsigned bits) {
  return bits == 16   ? APFloat::IEEEhalf()
         : bits == 32 ? APFloat::IEEEsingle()
                      : APFloat::IEEEdouble();
}

/// A number with its modifiers; denormals are zero where they are flushed.
APFloat floatOf(uint64_t value, const Operand &operand, unsigned bits, bool keepsDenormals) {
  APFloat result(formatOf(bits), llvm::APInt(bits, value));
  if (operand.absolute)
    result.clearSign();
  if (operand.negated)
    result.changeSign();
  if (result.isDenormal() && !keepsDenormals)
    return APFloat::getZero(formatOf(bits), result.isNegative());
  return result;
}

uint64_t drawFloat(std::mt19937_64 &random, unsigned bits) {
  const llvm::fltSemantics &format = formatOf(bits);
  bool sign = random() % 2;
  APFloat denormal = APFloat::getSmallest(format, sign);
  const APFloat special[] = {APFloat::getZero(format, sign),
                             denormal,
                             APFloat::getSmallestNormalized(format, sign),
                             APFloat::getLargest(format, sign),
                             APFloat::getInf(format, sign),
                             APFloat::getQNaN(format, sign),
                             APFloat::getSNaN(format, sign),
                             APFloat::getOne(format, sign)};
  uint64_t index = random() % 12;
  return index < 8 ? special[index].bitcastToAPInt().getZExtValue() : random() >> (64 - bits);
}

/// Half of the lanes get the value of the other source, and so compare equal.
void fillFloats(RandomWave &on, unsigned bits) {
  for (unsigned index : {0, 2})
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      uint64_t value = drawFloat(on.random, bits);
      if (index == 2 && on.random() % 4 == 0)
        value = on.wave.lane64(vector(0, 2), lane);
      on.wave.setLane64(vector(index, 2), lane, bits == 16 ? value * 0x10001 : value);
    }
}

void fillEqual(RandomWave &on) {
  for (unsigned lane = 0; lane < on.lanes; ++lane)
    if (on.random() % 3 == 0)
      on.wave.setLane64(vector(2, 2), lane, on.wave.lane64(vector(0, 2), lane));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

using Compare = Relation (*)(const RandomWave &, const Operand *sources, unsigned lane,
                             unsigned bits);

Relation compareUnsigned(const RandomWave &on, const Operand *sources, unsigned lane,
                         unsigned bits) {
  uint64_t a = valueOf(*on.before, sources[0], lane, bits),
           b = valueOf(*on.before, sources[1], lane, bits);
  return a < b ? kLess : a == b ? kEqual : kGreater;
}

Relation compareSigned(const RandomWave &on, const Operand *sources, unsigned lane, unsigned bits) {
  uint64_t flip = uint64_t(1) << (bits - 1);
  uint64_t a = valueOf(*on.before, sources[0], lane, bits) ^ flip,
           b = valueOf(*on.before, sources[1], lane, bits) ^ flip;
  return a < b ? kLess : a == b ? kEqual : kGreater;
}

Relation compareFloats(const RandomWave &on, const Operand *sources, unsigned lane, unsigned bits) {
  bool keeps = bits == 32 ? on.wave.mode.keepsDenormals32 : on.wave.mode.keepsDenormals16And64;
  APFloat a = floatOf(valueOf(*on.before, sources[0], lane, bits), sources[0], bits, keeps),
          b = floatOf(valueOf(*on.before, sources[1], lane, bits), sources[1], bits, keeps);
  return a.compare(b);
}

/// v_cmp writes the mask, v_cmpx EXEC, and both on gfx9.
void expectMask(RandomWave &on, const Instruction &instruction, bool isExec, uint64_t expected) {
  bool hasDestination = instruction.operands.size() == 3;
  if (hasDestination) {
    EXPECT_EQ(on.wave.mask(instruction.operands[0]), expected) << instruction.name;
  }
  EXPECT_EQ(on.wave.exec(), isExec ? expected : on.before->exec()) << instruction.name;
  if (!hasDestination) {
    EXPECT_EQ(on.wave.scalar(kVcc), on.before->scalar(kVcc)) << instruction.name;
  }
  on.expectOthersKept(0, 0);
}

/// A source, with modifiers where it is a float.
Operand drawNumber(RandomWave &on, unsigned index, unsigned bits, bool isFloat) {
  Operand operand = drawSource(on, index, bits);
  if (operand.kind == Operand::Kind::Vector)
    operand.isHigh = bits == 16 && on.lanes == 32 && on.random() % 2;
  if (isFloat && !operand.isRegister())
    operand = real(-0.5);
  operand.negated = isFloat && on.random() % 4 == 0;
  operand.absolute = isFloat && on.random() % 4 == 0;
  return operand;
}

void check(const Predicate &predicate, const char *type, unsigned bits, Compare compare) {
  bool isFloat = compare == compareFloats;
  std::mt19937_64 random(bits);
  for (int round = 0; round < 60; ++round) {
    RandomWave on(random() % 2 ? 64 : 32, random);
    isFloat ? fillFloats(on, bits) : fillEqual(on);
    on.wave.mode.keepsDenormals32 = random() % 2;
    on.wave.mode.keepsDenormals16And64 = random() % 2;
    bool isExec = random() % 2;
    Instruction instruction;
    instruction.name = std::string(isExec ? "v_cmpx_" : "v_cmp_") +
                       predicate.names[random() % predicate.names.size()] + "_" + type;
    if (!isExec || on.lanes == 64)
      instruction.operands.push_back(scalar(random() % 2 ? unsigned(kVcc) : 8, on.lanes / 32));
    instruction.operands.push_back(drawNumber(on, 0, bits, isFloat));
    instruction.operands.push_back(drawNumber(on, 1, bits, isFloat));
    ASSERT_NO_FATAL_FAILURE(on.run(instruction));
    const Operand *sources = instruction.operands.end() - 2;
    uint64_t expected = 0;
    for (unsigned lane = 0; lane < on.lanes; ++lane)
      if (on.before->isActive(lane) &&
          llvm::is_contained(predicate.holds, compare(on, sources, lane, bits)))
        expected |= uint64_t(1) << lane;
    expectMask(on, instruction, isExec, expected);
    ASSERT_FALSE(::testing::Test::HasFailure()) << instruction.name;
  }
}

TEST(Comparisons, Integers) {
  for (const Predicate &predicate : kIntegerPredicates) {
    check(predicate, "u16", 16, compareUnsigned);
    check(predicate, "u32", 32, compareUnsigned);
    check(predicate, "u64", 64, compareUnsigned);
    check(predicate, "i16", 16, compareSigned);
    check(predicate, "i32", 32, compareSigned);
    check(predicate, "i64", 64, compareSigned);
  }
}

TEST(Comparisons, Floats) {
  for (const Predicate &predicate : kFloatPredicates) {
    check(predicate, "f16", 16, compareFloats);
    check(predicate, "f32", 32, compareFloats);
    check(predicate, "f64", 64, compareFloats);
  }
}

/// Bit of the mask of v_cmp_class.
unsigned classOf(const APFloat &value) {
  if (value.isNaN())
    return value.isSignaling() ? 0 : 1;
  unsigned distance = value.isInfinity() ? 3 : value.isZero() ? 0 : value.isDenormal() ? 1 : 2;
  return value.isNegative() ? 5 - distance : 6 + distance;
}

void checkClass(const char *type, unsigned bits) {
  std::mt19937_64 random(bits);
  for (int round = 0; round < 200; ++round) {
    RandomWave on(random() % 2 ? 64 : 32, random);
    fillFloats(on, bits);
    on.wave.mode.keepsDenormals32 = on.wave.mode.keepsDenormals16And64 = random() % 2;
    bool isExec = random() % 2;
    Instruction instruction;
    instruction.name = std::string(isExec ? "v_cmpx_class_" : "v_cmp_class_") + type;
    if (!isExec || on.lanes == 64)
      instruction.operands.push_back(scalar(8, on.lanes / 32));
    instruction.operands.push_back(drawNumber(on, 0, bits, true));
    instruction.operands.push_back(random() % 4 ? vector(6) : integer(1 << random() % 10));
    ASSERT_NO_FATAL_FAILURE(on.run(instruction));
    const Operand *sources = instruction.operands.end() - 2;
    uint64_t expected = 0;
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      uint64_t value = valueOf(*on.before, sources[0], lane, bits);
      unsigned bit = classOf(floatOf(value, sources[0], bits, true));
      if (on.before->isActive(lane) && valueOf(*on.before, sources[1], lane, 32) >> bit & 1)
        expected |= uint64_t(1) << lane;
    }
    expectMask(on, instruction, isExec, expected);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

TEST(Comparisons, Classes) {
  checkClass("f16", 16);
  checkClass("f32", 32);
  checkClass("f64", 64);
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

uint64_t signed32(uint64_t value, const Operand &operand, unsigned bits) {
  return floatOf(value, operand, bits, true).bitcastToAPInt().getZExtValue();
}

void checkSelection(const char *name, unsigned bits) {
  std::mt19937_64 random(bits);
  for (int round = 0; round < 300; ++round) {
    RandomWave on(random() % 2 ? 64 : 32, random);
    Instruction instruction;
    instruction.name = name;
    auto first = unsigned(random() % 4);
    bool hasMask = random() % 4;
    Operand mask = scalar(hasMask && random() % 2 ? 8 : unsigned(kVcc), on.lanes / 32);
    instruction.operands = {vector(first), drawNumber(on, 0, bits, true),
                            drawNumber(on, 1, bits, true)};
    if (hasMask) // A v_dual has none.
      instruction.operands.push_back(mask);
    instruction.operands[0].isHigh = bits == 16 && on.lanes == 32 && random() % 2;
    ASSERT_NO_FATAL_FAILURE(on.run(instruction));
    bool isHigh = instruction.operands[0].isHigh;
    for (unsigned lane = 0; lane < on.lanes; ++lane) {
      const Operand &chosen = instruction.operands[on.before->mask(mask) >> lane & 1 ? 2 : 1];
      uint64_t expected = signed32(valueOf(*on.before, chosen, lane, bits), chosen, bits);
      uint64_t old = on.before->lane32(vector(first), lane);
      if (bits == 16)
        expected = isHigh ? expected << 16 | (old & 0xffff)
                          : expected | (on.lanes == 32 ? old & 0xffff0000 : 0);
      EXPECT_EQ(on.wave.lane32(vector(first), lane), on.before->isActive(lane) ? expected : old);
    }
    on.expectOthersKept(first, 1);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

TEST(Comparisons, Selections) {
  checkSelection("v_cndmask_b32", 32);
  checkSelection("v_cndmask_b16", 16);
}

} // namespace
