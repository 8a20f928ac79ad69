//===- HostNumbersTest.cpp - Numbers, arrays and results of host code -----===//

#include "ExecutableFixtures.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace rooftile;

namespace {

constexpr uint32_t kResult = kArgument + 2;

template <typename To, typename From> To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

uint64_t bitsOf(double value) { return bitsAs<uint64_t>(value); }

std::unique_ptr<Executable> load(ExecutableData data) {
  std::string why;
  data.chip = "cpu";
  auto executable = Executable::onHost(std::move(data), {}, why);
  EXPECT_EQ(why, "");
  return executable;
}

/// A function of two arguments that ends with `last`, whose result it returns.
uint64_t evaluate(Instruction last, uint64_t a, uint64_t b = 0) {
  last.result = kResult, last.a = kArgument, last.b = kArgument + 1;
  ExecutableData data;
  data.functions = {functionOf("f", 2, kResult + 1, {last})};
  data.functions[0].results = {{kResult}};
  uint64_t arguments[] = {a, b}, result = 0xDEAD;
  EXPECT_EQ(load(data)->run(0, arguments, &result), "");
  return result;
}

uint64_t compute(Opcode opcode, uint64_t a, uint64_t b = 0) {
  return evaluate(operation(opcode, 0), a, b);
}

uint64_t computeFloat(Opcode opcode, double a, double b) {
  return compute(opcode, bitsOf(a), bitsOf(b));
}

uint64_t convert(NumberType from, NumberType to, uint64_t bits) {
  Instruction conversion = operation(Opcode::Convert, 0);
  conversion.target = conversionOf(from, to);
  return evaluate(conversion, bits);
}

} // namespace

TEST(HostNumbers, Integers) {
  EXPECT_EQ(compute(Opcode::ShiftRightS, uint64_t(-9), 1), uint64_t(-5));
  EXPECT_EQ(compute(Opcode::ShiftRightS, uint64_t(-9), 64), uint64_t(-1));
  EXPECT_EQ(compute(Opcode::ShiftRightS, 9, UINT64_MAX), 0u);
  EXPECT_EQ(compute(Opcode::SignExtend, 0x1ff, 8), uint64_t(-1));
  EXPECT_EQ(compute(Opcode::SignExtend, 0x17f, 8), 0x7fu);
  EXPECT_EQ(compute(Opcode::SignExtend, 1, 1), uint64_t(-1));
  for (uint64_t bits : {uint64_t(64), uint64_t(0), uint64_t(65), UINT64_MAX})
    EXPECT_EQ(compute(Opcode::SignExtend, uint64_t(1) << 63 | 5, bits), uint64_t(1) << 63 | 5);
}

TEST(HostNumbers, Floats) {
  EXPECT_EQ(computeFloat(Opcode::AddF, 1.5, -4), bitsOf(-2.5));
  EXPECT_EQ(computeFloat(Opcode::SubF, 1.5, -4), bitsOf(5.5));
  EXPECT_EQ(computeFloat(Opcode::MulF, 1.5, -4), bitsOf(-6));
  EXPECT_EQ(computeFloat(Opcode::DivF, 1.5, -4), bitsOf(-0.375));
  EXPECT_EQ(computeFloat(Opcode::SqrtF, 2.25, 0), bitsOf(1.5));
  EXPECT_EQ(computeFloat(Opcode::LessF, 1, 2), 1u);
  EXPECT_EQ(computeFloat(Opcode::LessF, 2, 2), 0u);
  EXPECT_EQ(computeFloat(Opcode::LessEqualF, 2, 2), 1u);
  EXPECT_EQ(computeFloat(Opcode::EqualF, 0.0, -0.0), 1u);
  for (Opcode opcode : {Opcode::LessF, Opcode::LessEqualF, Opcode::EqualF})
    EXPECT_EQ(computeFloat(opcode, NAN, NAN), 0u);
}

TEST(HostNumbers, Conversions) {
  using T = NumberType;
  auto single = [](float value) { return uint64_t(bitsAs<uint32_t>(value)); };
  EXPECT_EQ(convert(T::F32, T::F64, single(-0.1f)), bitsOf(double(-0.1f)));
  EXPECT_EQ(convert(T::F64, T::F32, bitsOf(0.1)), single(0.1f));
  EXPECT_EQ(convert(T::I64, T::F32, uint64_t(-3)), single(-3));
  // Once: by f64 it would be rounded twice, to 2^53.
  EXPECT_EQ(convert(T::I64, T::F32, (uint64_t(1) << 53) + (1 << 29) + 1),
            single(float((int64_t(1) << 53) + (1 << 29) + 1)));
  EXPECT_EQ(convert(T::U64, T::F64, UINT64_MAX), bitsOf(0x1p64));
  EXPECT_EQ(convert(T::F64, T::I64, bitsOf(-2.9)), uint64_t(-2));
  EXPECT_EQ(convert(T::F64, T::I64, bitsOf(1e300)), uint64_t(INT64_MAX));
  EXPECT_EQ(convert(T::F64, T::I64, bitsOf(-INFINITY)), uint64_t(INT64_MIN));
  EXPECT_EQ(convert(T::F64, T::I64, bitsOf(NAN)), 0u);
  EXPECT_EQ(convert(T::F64, T::U64, bitsOf(-5)), 0u);
  EXPECT_EQ(convert(T::F64, T::U64, bitsOf(1e300)), UINT64_MAX);
  EXPECT_EQ(convert(T::F64, T::U64, bitsOf(0x1p63)), uint64_t(1) << 63);
}

/// 16 bits: every number becomes itself again, and what lies between two goes to the even one.
TEST(HostNumbers, NarrowFloats) {
  for (NumberType type : {NumberType::F16, NumberType::BF16}) {
    int fraction = type == NumberType::F16 ? 10 : 7;
    uint64_t infinity = 0x7fff >> fraction << fraction;
    for (uint64_t bits = 0; bits < 0x10000; ++bits) {
      uint64_t wide = convert(type, NumberType::F64, bits);
      if ((bits & 0x7fff) > infinity) {
        EXPECT_TRUE(std::isnan(bitsAs<double>(wide))) << bits;
        continue;
      }
      ASSERT_EQ(convert(NumberType::F64, type, wide), bits);
      if ((bits & 0x7fff) + 1 >= infinity)
        continue;
      double next = bitsAs<double>(convert(type, NumberType::F64, bits + 1));
      double middle = (bitsAs<double>(wide) + next) / 2;
      ASSERT_EQ(convert(NumberType::F64, type, bitsOf(middle)), bits + (bits & 1));
    }
    EXPECT_EQ(convert(NumberType::F64, type, bitsOf(1e300)), infinity);
    EXPECT_EQ(convert(NumberType::F64, type, bitsOf(-1e-300)), 0x8000u);
  }
}

TEST(HostNumbers, LoadsAndArrays) {
  ExecutableData data;
  data.arrays = {"one", std::string("\x85\x02\x03\x04\x05\x06\x07\x88", 8)};
  Instruction array = operation(Opcode::Array, kArgument);
  array.target = 1;
  data.functions = {functionOf("f", 0, 8,
                               {array, operation(Opcode::Load, 4, kArgument, kOne),
                                operation(Opcode::Load, 5, kArgument, kSixtyFour)})};
  data.functions[0].results = {{4}, {5}, {kArgument, true}};
  auto executable = load(data);
  uint64_t results[3] = {};
  EXPECT_EQ(executable->run(0, nullptr, results), "");
  EXPECT_EQ(results[0], 0x85u);
  EXPECT_EQ(results[1], 0x8807060504030285u);
  executable->release(reinterpret_cast<void *>(results[2])); // of the executable: it stays
  EXPECT_EQ(executable->run(0, nullptr, results), "");
  EXPECT_EQ(results[1], 0x8807060504030285u);
  std::string why;
  auto read = readExecutable(writeExecutable(data), why);
  ASSERT_TRUE(read) << why;
  EXPECT_EQ(read->arrays, data.arrays);
  EXPECT_TRUE(read->functions[0].results[2].isMemory);
}

TEST(HostNumbers, ResultsAreTheCallers) {
  ExecutableData data;
  data.functions = {functionOf("f", 0, 5,
                               {operation(Opcode::Allocate, kArgument, kSixtyFour),
                                operation(Opcode::Allocate, 4, kSixtyFour)})};
  data.functions[0].results = {{kArgument, true}};
  auto executable = load(data);
  uint64_t result = 0;
  EXPECT_EQ(executable->run(0, nullptr), "function 'f' has results: no caller gets them");
  EXPECT_EQ(executable->run(0, nullptr, &result), "");
  auto *bytes = reinterpret_cast<char *>(result);
  std::memset(bytes, 1, 64); // a sanitizer reports where it was freed
  executable->release(bytes);
}

TEST(HostNumbers, SizesThatDisagree) {
  auto run = [](uint64_t places, uint64_t first, uint64_t second) {
    ExecutableData data;
    data.functions = {
        functionOf("f", 2, 6, {operation(Opcode::SameSize, 0, kArgument, kArgument + 1, 2)})};
    data.functions[0].constants[2] = places;
    uint64_t arguments[] = {first, second};
    return load(data)->run(0, arguments);
  };
  EXPECT_EQ(run(sizePlaces({0, 1}, {2, 0}), 7, 7), "");
  EXPECT_EQ(run(sizePlaces({0, 1}, {2, 0}), 7, 8),
            "function 'f', instruction 0: argument 0 has size 7 along dimension 1, but argument 2 "
            "has size 8 along dimension 0: sizes disagree");
  EXPECT_EQ(run(sizePlaces({}, {2, 0}), 7, 8),
            "function 'f', instruction 0: argument 2 has size 8 along dimension 0, but 7 is "
            "expected: sizes disagree");
}

TEST(HostNumbers, WhatIsRequired) {
  ExecutableData data;
  data.functions = {functionOf("f", 1, 4, {to(Opcode::Require, 0, kArgument)})};
  data.functions[0].messages = {"a number"};
  auto executable = load(data);
  for (uint64_t argument : {1, 0})
    EXPECT_EQ(executable->run(0, &argument),
              argument ? "" : "function 'f', instruction 0: a number");
  data.functions[0].messages.clear();
  expectContains(whyInvalid(data), "message 0 is not one of 0");
}

TEST(HostNumbers, Validity) {
  Code code = functionOf("f", 0, 4, {operation(Opcode::Array, kArgument)});
  EXPECT_EQ(whyInvalid(code, 0, 1), "");
  expectContains(whyInvalid(code, 0, 0), "array 0 is not one of 0");
  code.instructions[0] = operation(Opcode::Convert, kArgument);
  code.instructions[0].target = kNumberTypes * kNumberTypes;
  expectContains(whyInvalid(code, 0), "conversion 36 is not one of 36");
  code.instructions.erase(code.instructions.begin());
  code.results = {{4}};
  expectContains(whyInvalid(code, 0), "result 0: register 4 is not one of 4");
}
