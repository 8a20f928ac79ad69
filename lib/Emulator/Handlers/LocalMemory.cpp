//===- LocalMemory.cpp - Loads and stores of LDS, exchanges of lanes ------===//
//
// Sources: AMD's ISA documents, DS.
//
//===----------------------------------------------------------------------===//

#include "MemoryWords.h"
#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Memory.h"

using namespace rooftile::emulator;

/// Addresses are of 32 bits: a negative one and an offset may be an address.
static bool loadBytes(Wave &wave, uint64_t address, void *to, unsigned bytes) {
  std::string why = wave.local->load(wave.number, uint32_t(address), to, bytes);
  if (!why.empty())
    wave.fail(why);
  return why.empty();
}

static bool storeBytes(Wave &wave, uint64_t address, const void *from, unsigned bytes) {
  std::string why = wave.local->store(wave.number, uint32_t(address), from, bytes);
  if (!why.empty())
    wave.fail(why);
  return why.empty();
}

static void beginLoad(Wave &wave, const Operand &to) {
  wave.local->endAccess();
  wave.begin(Counter::Local, to, /*inOrder=*/true);
}
static void beginStore(Wave &wave) {
  wave.local->endAccess();
  wave.begin(Counter::Local, {}, /*inOrder=*/true, /*writesLocal=*/true);
}

template <unsigned Bytes, Part How> static void load(Wave &wave, const Instruction &in) {
  auto offset = uint64_t(in.modifiers.offset);
  wave.forActive([&](unsigned lane) {
    MemoryWords<Bytes> words = {};
    if (loadBytes(wave, wave.lane32(in.operands[1], lane) + offset, words.data(), Bytes))
      setWords<Bytes, How>(wave, in.operands[0], lane, words);
  });
  beginLoad(wave, in.operands[0]);
}

template <unsigned Bytes, Part How = Part::Whole>
static void store(Wave &wave, const Instruction &in) {
  auto offset = uint64_t(in.modifiers.offset);
  wave.forActive([&](unsigned lane) {
    MemoryWords<Bytes> words = wordsOf<Bytes, How>(wave, in.operands[1], lane);
    storeBytes(wave, wave.lane32(in.operands[0], lane) + offset, words.data(), Bytes);
  });
  beginStore(wave);
}

/// Both addresses of a lane, whose offsets are in elements, or in 64 of them.
template <unsigned Bytes, unsigned Step>
static std::array<uint64_t, 2> twoAddresses(const Wave &wave, const Instruction &in,
                                            const Operand &base, unsigned lane) {
  uint64_t begin = wave.lane32(base, lane), step = uint64_t(Bytes) * Step;
  return {begin + uint64_t(in.modifiers.offset0) * step,
          begin + uint64_t(in.modifiers.offset1) * step};
}

template <unsigned Bytes, unsigned Step> static void loadTwo(Wave &wave, const Instruction &in) {
  wave.forActive([&](unsigned lane) {
    auto [first, second] = twoAddresses<Bytes, Step>(wave, in, in.operands[1], lane);
    MemoryWords<Bytes> words[2];
    if (!loadBytes(wave, first, words[0].data(), Bytes) ||
        !loadBytes(wave, second, words[1].data(), Bytes))
      return;
    setWords<Bytes>(wave, in.operands[0], lane, words[0]);
    setWords<Bytes>(wave, in.operands[0], lane, words[1], Bytes / 4);
  });
  beginLoad(wave, in.operands[0]);
}

template <unsigned Bytes, unsigned Step> static void storeTwo(Wave &wave, const Instruction &in) {
  wave.forActive([&](unsigned lane) {
    auto [first, second] = twoAddresses<Bytes, Step>(wave, in, in.operands[0], lane);
    MemoryWords<Bytes> words = wordsOf<Bytes>(wave, in.operands[1], lane);
    if (!storeBytes(wave, first, words.data(), Bytes))
      return;
    words = wordsOf<Bytes>(wave, in.operands[2], lane);
    storeBytes(wave, second, words.data(), Bytes);
  });
  beginStore(wave);
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
  beginLoad(wave, in.operands[0]);
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
  beginLoad(wave, in.operands[0]);
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
