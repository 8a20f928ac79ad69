//===- OneInstruction.h - Executes an instruction on many values *- C++ -*-===//
//
// Sources in v2, v4, v6 (two registers each, for numbers of 64 bits), the result in v0.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TEST_EMULATOR_ONEINSTRUCTION_H
#define ROOFTILE_TEST_EMULATOR_ONEINSTRUCTION_H

#include "Operands.h"
#include "rooftile/Emulator/Handlers.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <random>

namespace rooftile::emulator {

/// v0 (of `words` registers) from `sources` others.
inline Instruction instructionOf(llvm::StringRef name, unsigned words, unsigned sources) {
  Instruction instruction;
  instruction.name = instruction.text = name.str();
  instruction.operands.push_back(vector(0, words));
  for (unsigned source = 0; source < sources; ++source)
    instruction.operands.push_back(vector(2 + 2 * source, 2));
  auto found = handlers().find(name);
  EXPECT_NE(found, handlers().end()) << name.str();
  if (found != handlers().end())
    instruction.execute = found->second;
  return instruction;
}

/// A wave with every lane on.
struct TestWave : Wave {
  explicit TestWave(unsigned lanes = 64) : Wave(lanes, 16, 4) { setExec(~uint64_t(0)); }
  void set(unsigned index, unsigned lane, uint64_t value) {
    setLane64(vector(index, 2), lane, value);
  }
  uint64_t get(unsigned index, unsigned lane, unsigned words) const {
    Operand operand = vector(index, words);
    return words == 2 ? lane64(operand, lane) : lane32(operand, lane);
  }
};

/// Values for up to three sources.
using Sources = std::array<uint64_t, 3>;

/// Results of an instruction for each of `inputs`.
inline std::vector<uint64_t> execute(const Instruction &instruction,
                                     const std::vector<Sources> &inputs,
                                     FloatMode mode = FloatMode()) {
  std::vector<uint64_t> results;
  for (size_t begin = 0; begin < inputs.size() && instruction.execute; begin += 64) {
    TestWave wave;
    wave.mode = mode;
    size_t count = std::min<size_t>(64, inputs.size() - begin);
    for (unsigned lane = 0; lane < count; ++lane)
      for (unsigned source = 0; source < 3; ++source)
        wave.set(2 + 2 * source, lane, inputs[begin + lane][source]);
    for (unsigned lane = 0; lane < 64; ++lane)
      wave.set(0, lane, 0);
    instruction.execute(wave, instruction);
    EXPECT_EQ(wave.failure(), "");
    for (unsigned lane = 0; lane < count; ++lane)
      results.push_back(wave.get(0, lane, instruction.operands[0].count));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

inline const llvm::fltSemantics &semanticsOf(unsigned bits) {
  return bits == 16   ? llvm::APFloat::IEEEhalf()
         : bits == 32 ? llvm::APFloat::IEEEsingle()
                      : llvm::APFloat::IEEEdouble();
}
inline llvm::APFloat numberOf(unsigned bits, uint64_t value) {
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  return llvm::APFloat(semanticsOf(bits), llvm::APInt(bits, value & mask));
}
inline uint64_t bitsOfNumber(const llvm::APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// Zeros, denormals, ones, halves, largest numbers, infinities and NaNs of both kinds, with signs.
inline std::vector<uint64_t> specialValues(unsigned bits) {
  unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
  uint64_t unit = uint64_t(1) << fraction, bias = (uint64_t(1) << (bits - fraction - 2)) - 1;
  uint64_t infinity = (2 * bias + 1) << fraction, one = bias << fraction;
  std::vector<uint64_t> values = {0,
                                  1,
                                  2,
                                  unit / 2,
                                  unit - 1,
                                  unit,
                                  unit + 1,
                                  one,
                                  one - 1,
                                  one + 1,
                                  one + unit,
                                  one - unit,
                                  one + unit / 2,
                                  one + unit + unit / 2,
                                  one + fraction * unit,
                                  one + (fraction + 1) * unit,
                                  one + fraction * unit + 1,
                                  one - fraction * unit,
                                  one - (fraction + 1) * unit,
                                  one - (fraction + 1) * unit + 1,
                                  infinity - 1,
                                  infinity - unit,
                                  infinity,
                                  infinity + 1,
                                  infinity + unit / 2,
                                  infinity + unit / 2 + 5};
  for (size_t index = 0, count = values.size(); index < count; ++index)
    values.push_back(values[index] | uint64_t(1) << (bits - 1));
  return values;
}

/// All pairs of special values, then random bits, random special values, and numbers of like
/// exponents, for three sources.
inline std::vector<Sources> inputsOf(unsigned bits, unsigned random = 20000) {
  std::vector<uint64_t> special = specialValues(bits);
  std::vector<Sources> inputs;
  std::mt19937_64 generator(bits);
  auto any = [&] { return special[generator() % special.size()]; };
  for (uint64_t a : special)
    for (uint64_t b : special)
      inputs.push_back({a, b, any()});
  unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t bias = (uint64_t(1) << (bits - fraction - 2)) - 1;
  auto near = [&] {
    uint64_t exponent = bias - fraction / 2 + generator() % fraction;
    uint64_t value = exponent << fraction | (generator() & ((uint64_t(1) << fraction) - 1));
    return value | (generator() & 1) << (bits - 1);
  };
  for (unsigned index = 0; index < random; ++index) {
    inputs.push_back({generator() & mask, generator() & mask, generator() & mask});
    inputs.push_back({any(), any(), any()});
    inputs.push_back({near(), near(), near()});
  }
  return inputs;
}

} // namespace rooftile::emulator

#endif // ROOFTILE_TEST_EMULATOR_ONEINSTRUCTION_H
