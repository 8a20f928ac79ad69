//===- GlobalMemory.cpp - Loads, stores and atomics of global memory ------===//
//
// An address is a pair of registers of each lane, or one of 32 bits and a base in scalar registers.
// Sources: AMD's ISA documents, FLAT and GLOBAL.
//
//===----------------------------------------------------------------------===//

#include "MemoryWords.h"
#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Memory.h"
#include "llvm/ADT/bit.h"

#include <cstring>

using namespace rooftile::emulator;

/// Address of a lane; "off" in place of a base has no kind.
static uint64_t addressOf(const Wave &wave, const Instruction &in, unsigned lane, size_t address,
                          size_t base) {
  bool hasBase = base < in.operands.size() && in.operands[base].kind == Operand::Kind::Scalar;
  uint64_t begin = hasBase
                       ? wave.scalar64(in.operands[base]) + wave.lane32(in.operands[address], lane)
                       : wave.lane64(in.operands[address], lane);
  return begin + uint64_t(in.modifiers.offset);
}

/// Pointer to `bytes` at the address of a lane; null, with a failure, where they are no memory.
static uint8_t *reach(Wave &wave, uint64_t address, unsigned bytes, const char *what) {
  if (wave.global->contains(address, bytes))
    return reinterpret_cast<uint8_t *>(address);
  wave.fail(std::string(what) + wave.global->whyNot(address, bytes));
  return nullptr;
}

template <unsigned Bytes, Part How> static void load(Wave &wave, const Instruction &in) {
  const Operand &to = in.operands[0];
  wave.forActive([&](unsigned lane) {
    uint8_t *from = reach(wave, addressOf(wave, in, lane, 1, 2), Bytes, "loads ");
    if (!from)
      return;
    MemoryWords<Bytes> words = {};
    std::memcpy(words.data(), from, Bytes);
    setWords<Bytes, How>(wave, to, lane, words);
  });
  wave.begin(Counter::Vector, to, /*inOrder=*/true);
}

static void beginStore(Wave &wave) {
  wave.begin(wave.hasStoreCounter ? Counter::Store : Counter::Vector, {}, /*inOrder=*/true);
}

template <unsigned Bytes, Part How = Part::Whole>
static void store(Wave &wave, const Instruction &in) {
  wave.forActive([&](unsigned lane) {
    uint8_t *to = reach(wave, addressOf(wave, in, lane, 0, 2), Bytes, "stores ");
    if (!to)
      return;
    MemoryWords<Bytes> words = wordsOf<Bytes, How>(wave, in.operands[1], lane);
    std::memcpy(to, words.data(), Bytes);
  });
  beginStore(wave);
}

/// *p = f(*p, data), lane by lane; the previous value is returned where the instruction asks for
/// it.
template <typename T, typename Function> static Instruction::Handler atomic(Function) {
  return [](Wave &wave, const Instruction &in) {
    bool returns = in.modifiers.returnsPrevious;
    size_t address = returns ? 1 : 0;
    const Operand &data = in.operands[address + 1];
    wave.forActive([&](unsigned lane) {
      uint8_t *at =
          reach(wave, addressOf(wave, in, lane, address, address + 2), sizeof(T), "updates ");
      if (!at)
        return;
      T old;
      std::memcpy(&old, at, sizeof(T));
      T value = sizeof(T) == 8 ? T(wave.lane64(data, lane)) : T(wave.lane32(data, lane));
      T other = sizeof(T) == 8 ? T(data.count > 2 ? wave.lane64(data, lane, 2) : 0)
                               : T(data.count > 1 ? wave.lane32(data, lane, 1) : 0);
      T result = Function()(old, value, other);
      std::memcpy(at, &result, sizeof(T));
      if (returns && sizeof(T) == 8)
        wave.setLane64(in.operands[0], lane, uint64_t(old));
      else if (returns)
        wave.setLane32(in.operands[0], lane, uint32_t(old));
    });
    if (returns)
      wave.begin(Counter::Vector, in.operands[0], /*inOrder=*/true);
    else
      beginStore(wave);
  };
}

/// Function objects of the value in memory, the data, and of cmpswap the second half of the data.
#define ROOFTILE_UPDATE(name, expression)                                                          \
  struct name {                                                                                    \
    template <typename T> T operator()(T old, T data, T other) const { return T(expression); }     \
  }
namespace {
ROOFTILE_UPDATE(Add, old + data);
ROOFTILE_UPDATE(Sub, old - data);
ROOFTILE_UPDATE(And, old &data);
ROOFTILE_UPDATE(Or, old | data);
ROOFTILE_UPDATE(Xor, old ^ data);
ROOFTILE_UPDATE(Swap, data);
ROOFTILE_UPDATE(Max, std::max(old, data));
ROOFTILE_UPDATE(Min, std::min(old, data));
ROOFTILE_UPDATE(CompareSwap, old == other ? data : old);
ROOFTILE_UPDATE(Increment, old >= data ? 0 : old + 1);
struct AddFloat {
  uint32_t operator()(uint32_t old, uint32_t data, uint32_t) const {
    return llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(old) + llvm::bit_cast<float>(data));
  }
  uint64_t operator()(uint64_t old, uint64_t data, uint64_t) const {
    return llvm::bit_cast<uint64_t>(llvm::bit_cast<double>(old) + llvm::bit_cast<double>(data));
  }
};
} // namespace
#undef ROOFTILE_UPDATE

static void nothing(Wave &, const Instruction &) {}

/// An atomic of 32 and 64 bits, under the name before gfx11 and that since: "umax", "max_u".
template <typename Function>
static void addAtomic(Handlers &handlers, const char *old, const char *now, Function function) {
  std::string before = std::string("global_atomic_") + old;
  std::string since = std::string("global_atomic_") + now;
  handlers[before] = handlers[since + "32"] = atomic<uint32_t>(function);
  handlers[before + "_x2"] = handlers[since + "64"] = atomic<uint64_t>(function);
}

void rooftile::emulator::addGlobalMemoryHandlers(Handlers &handlers) {
  auto both = [&](const char *old, const char *now, Instruction::Handler handler) {
    handlers[std::string("global_") + old] = handlers[std::string("global_") + now] = handler;
  };
  both("load_ubyte", "load_u8", load<1, Part::Whole>);
  both("load_sbyte", "load_i8", load<1, Part::Signed>);
  both("load_ushort", "load_u16", load<2, Part::Whole>);
  both("load_sshort", "load_i16", load<2, Part::Signed>);
  both("load_short_d16", "load_d16_b16", load<2, Part::Low>);
  both("load_short_d16_hi", "load_d16_hi_b16", load<2, Part::High>);
  both("load_ubyte_d16", "load_d16_u8", load<1, Part::Low>);
  both("load_ubyte_d16_hi", "load_d16_hi_u8", load<1, Part::High>);
  both("load_dword", "load_b32", load<4, Part::Whole>);
  both("load_dwordx2", "load_b64", load<8, Part::Whole>);
  both("load_dwordx3", "load_b96", load<12, Part::Whole>);
  both("load_dwordx4", "load_b128", load<16, Part::Whole>);
  both("store_byte", "store_b8", store<1>);
  both("store_byte_d16_hi", "store_d16_hi_b8", store<1, Part::High>);
  both("store_short", "store_b16", store<2>);
  both("store_short_d16_hi", "store_d16_hi_b16", store<2, Part::High>);
  both("store_dword", "store_b32", store<4>);
  both("store_dwordx2", "store_b64", store<8>);
  both("store_dwordx3", "store_b96", store<12>);
  both("store_dwordx4", "store_b128", store<16>);
  addAtomic(handlers, "add", "add_u", Add()), addAtomic(handlers, "sub", "sub_u", Sub());
  addAtomic(handlers, "and", "and_b", And()), addAtomic(handlers, "or", "or_b", Or());
  addAtomic(handlers, "xor", "xor_b", Xor()), addAtomic(handlers, "swap", "swap_b", Swap());
  addAtomic(handlers, "umax", "max_u", Max()), addAtomic(handlers, "umin", "min_u", Min());
  addAtomic(handlers, "cmpswap", "cmpswap_b", CompareSwap());
  addAtomic(handlers, "inc", "inc_u", Increment());
  handlers["global_atomic_add_f32"] = atomic<uint32_t>(AddFloat());
  handlers["global_atomic_add_f64"] = atomic<uint64_t>(AddFloat());
  // Caches: what is stored is in memory at once.
  for (const char *name :
       {"buffer_wbl2", "buffer_inv", "buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_vol",
        "buffer_gl0_inv", "buffer_gl1_inv", "global_wb", "global_inv"})
    handlers[name] = nothing;
}
