//===- ScalarMemory.cpp - Loads into scalar registers ---------------------===//
//
// "s_load_dwordx4 s[0:3], s[8:9], 0x10": a base, and an offset that is a constant, a register, or a
// register and `offset:`. They return in any order. Sources: AMD's ISA documents, SMEM.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Memory.h"
#include "rooftile/Emulator/Wave.h"

#include <cstring>

using namespace rooftile::emulator;

template <unsigned Words> static void load(Wave &wave, const Instruction &in) {
  uint64_t address = wave.scalar64(in.operands[1]) + uint64_t(in.modifiers.offset);
  const Operand &offset = in.operands[2];
  address +=
      offset.kind == Operand::Kind::Integer ? uint64_t(offset.integer) : wave.scalar32(offset);
  address &= ~uint64_t(3);
  if (!wave.global->contains(address, 4 * Words))
    return wave.fail("loads " + wave.global->whyNot(address, 4 * Words));
  const Operand &to = in.operands[0];
  uint32_t words[Words];
  std::memcpy(words, reinterpret_cast<const void *>(address), sizeof words);
  for (unsigned word = 0; word < Words; ++word)
    if (to.index != kNull)
      wave.scalar(to.index + word) = words[word];
  wave.begin(Counter::Local, to, /*inOrder=*/false);
}

void rooftile::emulator::addScalarMemoryHandlers(Handlers &handlers) {
  handlers["s_load_dword"] = handlers["s_load_b32"] = load<1>;
  handlers["s_load_dwordx2"] = handlers["s_load_b64"] = load<2>;
  handlers["s_load_dwordx4"] = handlers["s_load_b128"] = load<4>;
  handlers["s_load_dwordx8"] = handlers["s_load_b256"] = load<8>;
  handlers["s_load_dwordx16"] = handlers["s_load_b512"] = load<16>;
}
