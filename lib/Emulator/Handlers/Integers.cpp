//===- Integers.cpp - Integer arithmetic of lanes -------------------------===//
//
// Sums, products, extremes, packed halves, and what carries from lane masks. Functions compute the
// exact value in 64 bits; the modifier clamp selects the nearest value of the result's type.
// Sources: AMD's "Vega 7nm ISA", "MI200 ISA", "MI300 ISA" and "RDNA3 ISA", VOP2, VOP3 and VOP3P.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "LaneLoops.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <limits>

using namespace rooftile::emulator;

/// The nearest value that the type has.
template <class To, class From> static To saturated(From exact) {
  using Limits = std::numeric_limits<To>;
  return To(std::clamp<From>(exact, From(Limits::min()), From(Limits::max())));
}

/// A function with its exact result saturated.
template <class To, class Exact> struct Saturated : Exact {
  template <class... Values> To operator()(Values... values) const {
    return saturated<To>(int64_t(Exact::operator()(values...)));
  }
};

template <class Out, class... In, class Exact> static Instruction::Handler clampable(Exact exact) {
  return lanesOrClamped<Out, In...>(exact, Saturated<typename Out::Value, Exact>{exact});
}

// Results of 16 bits that leave the other half: instructions that gfx9 added.
using NewU16 = Keeping<U16>;
using NewS16 = Keeping<S16>;

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static void addSums(Handlers &handlers) {
  auto add = [](int64_t a, int64_t b) { return a + b; };
  auto subtract = [](int64_t a, int64_t b) { return a - b; };
  auto reverse = [](int64_t a, int64_t b) { return b - a; };
  handlers["v_add_u32"] = handlers["v_add_nc_u32"] = clampable<U32, U32, U32>(add);
  handlers["v_sub_u32"] = handlers["v_sub_nc_u32"] = clampable<U32, U32, U32>(subtract);
  handlers["v_subrev_u32"] = handlers["v_subrev_nc_u32"] = clampable<U32, U32, U32>(reverse);
  handlers["v_add_i32"] = handlers["v_add_nc_i32"] = clampable<S32, S32, S32>(add);
  handlers["v_sub_i32"] = handlers["v_sub_nc_i32"] = clampable<S32, S32, S32>(subtract);
  handlers["v_add_u16"] = handlers["v_add_nc_u16"] = clampable<U16, U16, U16>(add);
  handlers["v_sub_u16"] = handlers["v_sub_nc_u16"] = clampable<U16, U16, U16>(subtract);
  handlers["v_subrev_u16"] = clampable<U16, U16, U16>(reverse);
  handlers["v_add_i16"] = handlers["v_add_nc_i16"] = clampable<NewS16, S16, S16>(add);
  handlers["v_sub_i16"] = handlers["v_sub_nc_i16"] = clampable<NewS16, S16, S16>(subtract);
  handlers["v_add3_u32"] =
      lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) { return a + b + c; });
}

/// Low 24 bits, with their sign.
static int64_t signed24(uint32_t value) { return int32_t(value << 8) >> 8; }
static uint64_t unsigned24(uint32_t value) { return value & 0xffffff; }

static void addProducts(Handlers &handlers) {
  handlers["v_mul_lo_u32"] = handlers["v_mul_lo_i32"] =
      lanes<U32, U32, U32>([](uint32_t a, uint32_t b) { return a * b; });
  handlers["v_mul_hi_u32"] =
      lanes<U32, U32, U32>([](uint64_t a, uint64_t b) { return uint32_t(a * b >> 32); });
  handlers["v_mul_hi_i32"] =
      lanes<S32, S32, S32>([](int64_t a, int64_t b) { return int32_t(a * b >> 32); });
  handlers["v_mul_u32_u24"] = clampable<U32, U32, U32>(
      [](uint32_t a, uint32_t b) { return int64_t(unsigned24(a) * unsigned24(b)); });
  handlers["v_mul_hi_u32_u24"] = lanes<U32, U32, U32>(
      [](uint32_t a, uint32_t b) { return uint32_t(unsigned24(a) * unsigned24(b) >> 32); });
  handlers["v_mul_i32_i24"] =
      clampable<S32, U32, U32>([](uint32_t a, uint32_t b) { return signed24(a) * signed24(b); });
  handlers["v_mul_hi_i32_i24"] = lanes<S32, U32, U32>(
      [](uint32_t a, uint32_t b) { return int32_t(signed24(a) * signed24(b) >> 32); });
  handlers["v_mul_lo_u16"] =
      lanes<U16, U16, U16>([](uint32_t a, uint32_t b) { return uint16_t(a * b); });

  auto multiplyAdd = [](int64_t a, int64_t b, int64_t c) { return a * b + c; };
  handlers["v_mad_u32_u24"] = clampable<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) {
    return int64_t(unsigned24(a) * unsigned24(b) + c);
  });
  handlers["v_mad_i32_i24"] = clampable<S32, U32, U32, S32>(
      [](uint32_t a, uint32_t b, int32_t c) { return signed24(a) * signed24(b) + c; });
  handlers["v_mad_u32_u16"] = clampable<U32, U16, U16, U32>(multiplyAdd);
  handlers["v_mad_i32_i16"] = clampable<S32, S16, S16, S32>(multiplyAdd);
  handlers["v_mad_u16"] = clampable<NewU16, U16, U16, U16>(multiplyAdd);
  handlers["v_mad_i16"] = clampable<NewS16, S16, S16, S16>(multiplyAdd);
  handlers["v_mad_legacy_u16"] = clampable<U16, U16, U16, U16>(multiplyAdd);
  handlers["v_mad_legacy_i16"] = clampable<S16, S16, S16, S16>(multiplyAdd);
}

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

/// Those of two sources write `Two`, those of three `Three`.
template <class In, class Two, class Three>
static void addExtremes(Handlers &handlers, llvm::StringRef type) {
  auto least = [](auto a, auto b) { return std::min(a, b); };
  auto most = [](auto a, auto b) { return std::max(a, b); };
  auto name = [&](const char *begin) { return (llvm::Twine(begin) + type).str(); };
  handlers[name("v_min_")] = lanes<Two, In, In>(least);
  handlers[name("v_max_")] = lanes<Two, In, In>(most);
  handlers[name("v_min3_")] =
      lanes<Three, In, In, In>([](auto a, auto b, auto c) { return std::min(std::min(a, b), c); });
  handlers[name("v_max3_")] =
      lanes<Three, In, In, In>([](auto a, auto b, auto c) { return std::max(std::max(a, b), c); });
  handlers[name("v_med3_")] = lanes<Three, In, In, In>(
      [](auto a, auto b, auto c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); });
  handlers[name("v_maxmin_")] =
      lanes<Three, In, In, In>([](auto a, auto b, auto c) { return std::min(std::max(a, b), c); });
  handlers[name("v_minmax_")] =
      lanes<Three, In, In, In>([](auto a, auto b, auto c) { return std::max(std::min(a, b), c); });
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

/// v_add_co_u32 v0, vcc, v1, v2[, vcc]: bit 32 of the exact result is carried out, or borrowed.
/// Lanes that are off carry nothing out.
template <class Function> static void carry(Wave &wave, const Instruction &instruction) {
  const llvm::SmallVectorImpl<Operand> &operands = instruction.operands;
  uint64_t active = activeLanes(wave, instruction);
  uint64_t carriesIn = operands.size() > 4 ? wave.mask(operands[4]) : 0, carriesOut = 0;
  Row<uint32_t> buffers[2], result;
  const uint32_t *a = readRow<U32>(wave, instruction, 2, 0, buffers[0]);
  const uint32_t *b = readRow<U32>(wave, instruction, 3, 1, buffers[1]);
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    int64_t exact = (*Kept<Function>::function)(a[lane], b[lane], carriesIn >> lane & 1);
    result[lane] = instruction.modifiers.clamp ? saturated<uint32_t>(exact) : uint32_t(exact);
    carriesOut |= uint64_t(exact >> 32 & 1) << lane;
  }
  writeRow<U32>(wave, instruction, 0, 2, active, result);
  wave.setMask(operands[1], carriesOut & active);
}

/// v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
template <class Factor, class Sum>
static void multiplyAddWide(Wave &wave, const Instruction &instruction) {
  uint64_t active = activeLanes(wave, instruction), carries = 0;
  Row<uint32_t> buffers[2];
  Row<uint64_t> added, result;
  const uint32_t *a = readRow<Factor>(wave, instruction, 2, 0, buffers[0]);
  const uint32_t *b = readRow<Factor>(wave, instruction, 3, 1, buffers[1]);
  readRow<Sum>(wave, instruction, 4, 2, added);
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    __int128 exact =
        __int128(Factor::value(a[lane])) * Factor::value(b[lane]) + Sum::value(added[lane]);
    result[lane] = instruction.modifiers.clamp ? Sum::bits(saturated<typename Sum::Value>(exact))
                                               : uint64_t(exact);
    carries |= uint64_t(exact >> 64 & 1) << lane;
  }
  writeRow<Sum>(wave, instruction, 0, 3, active, result);
  wave.setMask(instruction.operands[1], carries & active);
}

template <class Function> static Instruction::Handler carrying(Function function) {
  keep(function);
  return carry<Function>;
}

static void addCarries(Handlers &handlers) {
  // Without a carry it is 0.
  auto add = carrying([](int64_t a, int64_t b, int64_t c) { return a + b + c; });
  auto subtract = carrying([](int64_t a, int64_t b, int64_t c) { return a - b - c; });
  auto reverse = carrying([](int64_t a, int64_t b, int64_t c) { return b - a - c; });
  for (const char *name : {"v_add_co_u32", "v_addc_co_u32", "v_add_co_ci_u32"})
    handlers[name] = add;
  for (const char *name : {"v_sub_co_u32", "v_subb_co_u32", "v_sub_co_ci_u32"})
    handlers[name] = subtract;
  for (const char *name : {"v_subrev_co_u32", "v_subbrev_co_u32", "v_subrev_co_ci_u32"})
    handlers[name] = reverse;
  handlers["v_mad_u64_u32"] = multiplyAddWide<U32, U64>;
  handlers["v_mad_i64_i32"] = multiplyAddWide<S32, S64>;
}

//===----------------------------------------------------------------------===//
// Packed halves
//===----------------------------------------------------------------------===//

/// Both halves of the result; op_sel and op_sel_hi name the halves of the sources.
template <class Format, unsigned sources, class Function>
static void packed(Wave &wave, const Instruction &instruction) {
  uint64_t active = activeLanes(wave, instruction);
  const Modifiers &modifiers = instruction.modifiers;
  Row<uint32_t> buffers[3], result;
  const uint32_t *rows[3];
  unsigned low[3], high[3];
  for (unsigned source = 0; source < sources; ++source) {
    rows[source] = readRow<U32>(wave, instruction, source + 1, source, buffers[source]);
    low[source] = modifiers.opSel >> source & 1 ? 16 : 0;
    high[source] = modifiers.opSelHi >> source & 1 ? 16 : 0;
  }
  auto compute = [&](unsigned lane, const unsigned *shifts) -> uint32_t {
    auto value = [&](unsigned source) {
      return int64_t(Format::value(uint16_t(rows[source][lane] >> shifts[source])));
    };
    const Function &function = *Kept<Function>::function;
    int64_t exact;
    if constexpr (sources == 3)
      exact = function(value(0), value(1), value(2));
    else
      exact = function(value(0), value(1));
    using Value = typename Format::Value;
    return Format::bits(modifiers.clamp ? saturated<Value>(exact) : Value(exact));
  };
  for (unsigned lane = 0; lane < wave.lanes(); ++lane)
    result[lane] = compute(lane, high) << 16 | compute(lane, low);
  writeRow<U32>(wave, instruction, 0, sources, active, result);
}

template <class Format, unsigned sources, class Function>
static Instruction::Handler packing(Function function) {
  keep(function);
  return packed<Format, sources, Function>;
}

static void addPacked(Handlers &handlers) {
  auto add = [](int64_t a, int64_t b) { return a + b; };
  auto subtract = [](int64_t a, int64_t b) { return a - b; };
  auto multiplyAdd = [](int64_t a, int64_t b, int64_t c) { return a * b + c; };
  auto least = [](int64_t a, int64_t b) { return std::min(a, b); };
  auto most = [](int64_t a, int64_t b) { return std::max(a, b); };
  auto right = [](int64_t amount, int64_t value) { return value >> (amount & 15); };
  handlers["v_pk_add_u16"] = packing<U16, 2>(add);
  handlers["v_pk_add_i16"] = packing<S16, 2>(add);
  handlers["v_pk_sub_u16"] = packing<U16, 2>(subtract);
  handlers["v_pk_sub_i16"] = packing<S16, 2>(subtract);
  // Its clamp has no meaning.
  handlers["v_pk_mul_lo_u16"] =
      packing<U16, 2>([](int64_t a, int64_t b) { return a * b & 0xffff; });
  handlers["v_pk_mad_u16"] = packing<U16, 3>(multiplyAdd);
  handlers["v_pk_mad_i16"] = packing<S16, 3>(multiplyAdd);
  handlers["v_pk_min_u16"] = packing<U16, 2>(least);
  handlers["v_pk_min_i16"] = packing<S16, 2>(least);
  handlers["v_pk_max_u16"] = packing<U16, 2>(most);
  handlers["v_pk_max_i16"] = packing<S16, 2>(most);
  handlers["v_pk_lshlrev_b16"] = packing<U16, 2>(
      [](int64_t amount, int64_t value) { return value << (amount & 15) & 0xffff; });
  handlers["v_pk_lshrrev_b16"] = packing<U16, 2>(right);
  handlers["v_pk_ashrrev_i16"] = packing<S16, 2>(right);
}

void rooftile::emulator::addIntegerHandlers(Handlers &handlers) {
  addSums(handlers);
  addProducts(handlers);
  addExtremes<U32, U32, U32>(handlers, "u32");
  addExtremes<S32, S32, S32>(handlers, "i32");
  addExtremes<U16, U16, NewU16>(handlers, "u16");
  addExtremes<S16, S16, NewS16>(handlers, "i16");
  addCarries(handlers);
  addPacked(handlers);
  addBitHandlers(handlers);
  addMoveHandlers(handlers);
}
