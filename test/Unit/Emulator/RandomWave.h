//===- RandomWave.h - A wave whose registers are random ---------*- C++ -*-===//
//
// Half of the values are extreme: 0, 1, powers of 2 and their neighbours, all ones. Instructions
// are built by hand, apart from decoder and parser.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TEST_UNIT_EMULATOR_RANDOMWAVE_H
#define ROOFTILE_TEST_UNIT_EMULATOR_RANDOMWAVE_H

#include "Operands.h"
#include "rooftile/Emulator/Handlers.h"

#include <gtest/gtest.h>
#include <random>

namespace rooftile::emulator {

/// Integers of 64 bits, their sums and products are exact in these.
using Wide = __int128;
/// Random waves that an instruction is tried on.
constexpr int kRounds = 200;

/// Registers of a wave before and after an instruction.
class RandomWave {
public:
  static constexpr unsigned kVectors = 16, kScalars = 16;

  RandomWave(unsigned lanes, std::mt19937_64 &random)
      : wave(lanes, kVectors, 0), random(random), lanes(lanes) {
    wave.hasStoreCounter = lanes == 32; // gfx11.
    for (unsigned index = 0; index < kVectors; ++index)
      for (unsigned lane = 0; lane < lanes; ++lane)
        wave.setLane32(vector(index), lane, value());
    for (unsigned index = 0; index < kScalars; ++index)
      wave.scalar(index) = value();
    wave.scalar(kVcc) = uint32_t(random()), wave.scalar(kVcc + 1) = uint32_t(random());
    setExec(mask());
  }

  uint32_t value() {
    uint32_t power = uint32_t(1) << random() % 32;
    switch (random() % 8) {
    case 0:
      return power;
    case 1:
      return power - 1;
    case 2:
      return -power;
    case 3:
      return 0;
    case 4: // Halves that are extreme.
      return uint32_t(random() % 3 - 1) << 16 | uint16_t(0x7fff + random() % 3);
    default:
      return uint32_t(random());
    }
  }
  /// All lanes, some, one, none.
  uint64_t mask() {
    uint64_t masks[] = {~uint64_t(0), random(), random() & random(),
                        uint64_t(1) << random() % lanes, 0};
    return masks[random() % 5];
  }
  void setExec(uint64_t mask) { wave.setExec(lanes == 64 ? mask : uint32_t(mask)); }

  /// Executes the handler of that name, after it kept a copy of all registers.
  void run(const Instruction &instruction) {
    before.emplace(wave);
    auto found = handlers().find(instruction.name);
    ASSERT_NE(found, handlers().end()) << instruction.name;
    found->second(wave, instruction);
    ASSERT_EQ(wave.failure(), "") << instruction.name;
  }
  /// Vector registers are as before, apart from `count` from `first` on.
  void expectOthersKept(unsigned first, unsigned count) const {
    for (unsigned index = 0; index < kVectors; ++index)
      for (unsigned lane = 0; lane < lanes && index - first >= count; ++lane)
        ASSERT_EQ(wave.lane32(vector(index), lane), before->lane32(vector(index), lane))
            << "v" << index << " of lane " << lane;
  }

  Wave wave;
  std::optional<Wave> before;
  std::mt19937_64 &random;
  unsigned lanes;
};

/// A number of so many bits with its sign.
inline Wide signOf(uint64_t value, unsigned bits) {
  Wide low = Wide(value) & ((Wide(1) << bits) - 1);
  return low >> (bits - 1) ? low - (Wide(1) << bits) : low;
}
/// Bits of an operand for a lane, without modifiers.
inline uint64_t valueOf(const Wave &wave, const Operand &operand, unsigned lane, unsigned bits) {
  if (!operand.isRegister())
    return Wave::constant(operand, bits / 8);
  uint64_t value = bits == 64 ? wave.lane64(operand, lane) : wave.lane32(operand, lane);
  return bits == 16 ? uint16_t(operand.isHigh ? value >> 16 : value) : value;
}

/// A source of a kind at random: registers from v[2 * index], s[2 * index] on, a constant.
inline Operand drawSource(RandomWave &on, unsigned index, unsigned bits) {
  switch (on.random() % 8) {
  case 0:
    return integer(int64_t(on.random() % 81) - 16);
  case 1:
    return scalar(2 * index, bits == 64 ? 2 : 1);
  default:
    return vector(2 * index, bits == 64 ? 2 : 1);
  }
}

} // namespace rooftile::emulator

#endif // ROOFTILE_TEST_UNIT_EMULATOR_RANDOMWAVE_H
