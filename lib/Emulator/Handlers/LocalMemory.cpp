//===- LocalMemory.cpp - Loads and stores of LDS, exchanges of lanes ------===//
//
// Sources: AMD's ISA documents, DS.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Memory.h"
#include "rooftile/Emulator/Wave.h"
#include "llvm/ADT/bit.h"

#include <cstring>

using namespace rooftile::emulator;

/// Bits of a register that an access of one or two bytes loads or stores.
enum class Part { Whole, Signed, Low, High };

static bool loadBytes(Wave &wave, uint64_t address, void *to, unsigned bytes) {
  std::string why = wave.local->load(wave.number, address, to, bytes);
  if (!why.empty())
    wave.fail(why);
  return why.empty();
}

static bool storeBytes(Wave &wave, uint64_t address, const void *from, unsigned bytes) {
  std::string why = wave.local->store(wave.number, address, from, bytes);
  if (!why.empty())
    wave.fail(why);
  return why.empty();
}

/// Addresses are of 32 bits: a negative one and an offset may be an address.
template <unsigned Bytes, Part How> static void load(Wave &wave, const Instruction &in) {
  const Operand &to = in.operands[0];
  auto offset = uint64_t(in.modifiers.offset);
  wave.forActive([&](unsigned lane) {
    uint32_t words[(Bytes + 3) / 4] = {};
    if (!loadBytes(wave, uint32_t(wave.lane32(in.operands[1], lane) + offset), words, Bytes))
      return;
    if (Bytes < 4) {
      uint32_t value = words[0], old = wave.lane32(to, lane);
      if (How == Part::Signed)
        value = uint32_t(Bytes == 1 ? int32_t(int8_t(value)) : int32_t(int16_t(value)));
      words[0] = How == Part::Low    ? (old & 0xffff0000) | value
                 : How == Part::High ? (old & 0xffff) | value << 16
                                     : value;
    }
    for (unsigned word = 0; word < (Bytes + 3) / 4; ++word)
      wave.setLane32(to, lane, words[word], word);
  });
  wave.begin(Counter::Local, to, /*inOrder=*/true);
}

template <unsigned Bytes, Part How = Part::Whole>
static void store(Wave &wave, const Instruction &in) {
  auto offset = uint64_t(in.modifiers.offset);
  wave.forActive([&](unsigned lane) {
    uint32_t words[(Bytes + 3) / 4];
    for (unsigned word = 0; word < (Bytes + 3) / 4; ++word)
      words[word] = wave.lane32(in.operands[1], lane, word);
    if (How == Part::High)
      words[0] >>= 16;
    storeBytes(wave, uint32_t(wave.lane32(in.operands[0], lane) + offset), words, Bytes);
  });
  wave.begin(Counter::Local, {}, /*inOrder=*/true, /*writesLocal=*/true);
}

/// Two elements at offsets in elements, or in 64 of them.
template <unsigned Bytes, unsigned Step> static void loadTwo(Wave &wave, const Instruction &in) {
  wave.forActive([&](unsigned lane) {
    uint64_t base = wave.lane32(in.operands[1], lane);
    int64_t offsets[] = {in.modifiers.offset0, in.modifiers.offset1};
    uint32_t words[2][Bytes / 4];
    for (unsigned which : {0, 1})
      if (!loadBytes(wave, uint32_t(base + uint64_t(offsets[which]) * Bytes * Step), words[which],
                     Bytes))
        return;
    for (unsigned which : {0, 1})
      for (unsigned word = 0; word < Bytes / 4; ++word)
        wave.setLane32(in.operands[0], lane, words[which][word], which * Bytes / 4 + word);
  });
  wave.begin(Counter::Local, in.operands[0], /*inOrder=*/true);
}

template <unsigned Bytes, unsigned Step> static void storeTwo(Wave &wave, const Instruction &in) {
  wave.forActive([&](unsigned lane) {
    uint64_t base = wave.lane32(in.operands[0], lane);
    int64_t offsets[] = {in.modifiers.offset0, in.modifiers.offset1};
    for (unsigned which : {0, 1}) {
      uint32_t words[Bytes / 4];
      for (unsigned word = 0; word < Bytes / 4; ++word)
        words[word] = wave.lane32(in.operands[1 + which], lane, word);
      if (!storeBytes(wave, uint32_t(base + uint64_t(offsets[which]) * Bytes * Step), words, Bytes))
        return;
    }
  });
  wave.begin(Counter::Local, {}, /*inOrder=*/true, /*writesLocal=*/true);
}

/// Lane i gets the value of the lane that its address names, in bytes; 0 from an inactive one.
static void pull(Wave &wave, const Instruction &in) {
  Lanes values{};
  auto offset = uint32_t(in.modifiers.offset);
  wave.forActive([&](unsigned lane) {
    unsigned from = (wave.lane32(in.operands[1], lane) + offset) / 4 % wave.lanes();
    values[lane] = wave.isActive(from) ? wave.lane32(in.operands[2], from) : 0;
  });
  wave.forActive([&](unsigned lane) { wave.setLane32(in.operands[0], lane, values[lane]); });
  wave.begin(Counter::Local, in.operands[0], /*inOrder=*/true);
}

/// Lane i gives its value to the lane that its address names.
static void push(Wave &wave, const Instruction &in) {
  Lanes values{};
  auto offset = uint32_t(in.modifiers.offset);
  wave.forActive([&](unsigned lane) {
    unsigned to = (wave.lane32(in.operands[1], lane) + offset) / 4 % wave.lanes();
    values[to] = wave.lane32(in.operands[2], lane);
  });
  wave.forActive([&](unsigned lane) { wave.setLane32(in.operands[0], lane, values[lane]); });
  wave.begin(Counter::Local, in.operands[0], /*inOrder=*/true);
}

void rooftile::emulator::addLocalMemoryHandlers(Handlers &handlers) {
  auto both = [&](const char *old, const char *now, Instruction::Handler handler) {
    handlers[std::string("ds_") + old] = handlers[std::string("ds_") + now] = handler;
  };
  both("read_u8", "load_u8", load<1, Part::Whole>);
  both("read_i8", "load_i8", load<1, Part::Signed>);
  both("read_u16", "load_u16", load<2, Part::Whole>);
  both("read_i16", "load_i16", load<2, Part::Signed>);
  both("read_u16_d16", "load_u16_d16", load<2, Part::Low>);
  both("read_u16_d16_hi", "load_u16_d16_hi", load<2, Part::High>);
  both("read_u8_d16", "load_u8_d16", load<1, Part::Low>);
  both("read_u8_d16_hi", "load_u8_d16_hi", load<1, Part::High>);
  both("read_b32", "load_b32", load<4, Part::Whole>);
  both("read_b64", "load_b64", load<8, Part::Whole>);
  both("read_b96", "load_b96", load<12, Part::Whole>);
  both("read_b128", "load_b128", load<16, Part::Whole>);
  both("write_b8", "store_b8", store<1>);
  both("write_b8_d16_hi", "store_b8_d16_hi", store<1, Part::High>);
  both("write_b16", "store_b16", store<2>);
  both("write_b16_d16_hi", "store_b16_d16_hi", store<2, Part::High>);
  both("write_b32", "store_b32", store<4>);
  both("write_b64", "store_b64", store<8>);
  both("write_b96", "store_b96", store<12>);
  both("write_b128", "store_b128", store<16>);
  both("read2_b32", "load_2addr_b32", loadTwo<4, 1>);
  both("read2_b64", "load_2addr_b64", loadTwo<8, 1>);
  both("read2st64_b32", "load_2addr_stride64_b32", loadTwo<4, 64>);
  both("read2st64_b64", "load_2addr_stride64_b64", loadTwo<8, 64>);
  both("write2_b32", "store_2addr_b32", storeTwo<4, 1>);
  both("write2_b64", "store_2addr_b64", storeTwo<8, 1>);
  both("write2st64_b32", "store_2addr_stride64_b32", storeTwo<4, 64>);
  both("write2st64_b64", "store_2addr_stride64_b64", storeTwo<8, 64>);
  handlers["ds_bpermute_b32"] = pull;
  handlers["ds_permute_b32"] = push;
}
