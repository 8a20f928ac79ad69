//===- MemoryWords.h - Registers of a lane that memory holds ----*- C++ -*-===//
#ifndef ROOFTILE_LIB_EMULATOR_HANDLERS_MEMORYWORDS_H
#define ROOFTILE_LIB_EMULATOR_HANDLERS_MEMORYWORDS_H

#include "rooftile/Emulator/Wave.h"

namespace rooftile::emulator {

/// Bits of a register that an access of one or two bytes loads or stores.
enum class Part { Whole, Signed, Low, High };

/// Bytes of one lane, in whole registers.
template <unsigned Bytes> using MemoryWords = std::array<uint32_t, (Bytes + 3) / 4>;

/// Writes what a load has read into the registers of `to`, from the one of number `first`.
template <unsigned Bytes, Part How = Part::Whole>
void setWords(Wave &wave, const Operand &to, unsigned lane, MemoryWords<Bytes> words,
              unsigned first = 0) {
  if (Bytes < 4) {
    uint32_t value = words[0], old = wave.lane32(to, lane);
    if (How == Part::Signed)
      value = uint32_t(Bytes == 1 ? int32_t(int8_t(value)) : int32_t(int16_t(value)));
    words[0] = How == Part::Low    ? (old & 0xffff0000) | value
               : How == Part::High ? (old & 0xffff) | value << 16
                                   : value;
  }
  for (unsigned word = 0; word < words.size(); ++word)
    wave.setLane32(to, lane, words[word], first + word);
}

/// Registers of `from` that a store writes.
template <unsigned Bytes, Part How = Part::Whole>
MemoryWords<Bytes> wordsOf(const Wave &wave, const Operand &from, unsigned lane) {
  MemoryWords<Bytes> words;
  for (unsigned word = 0; word < words.size(); ++word)
    words[word] = wave.lane32(from, lane, word);
  if (How == Part::High)
    words[0] >>= 16;
  return words;
}

} // namespace rooftile::emulator

#endif // ROOFTILE_LIB_EMULATOR_HANDLERS_MEMORYWORDS_H
