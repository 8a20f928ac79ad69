//===- LaneLoops.h - Vector instructions as functions of a lane -*- C++ -*-===//
//
// A handler from the formats of its result and sources and a function of their values:
//   handlers["v_add_u32"] = lanes<U32, U32, U32>([](uint32_t a, uint32_t b) { return a + b; });
// The function must be defined for all values, since it is called for idle lanes, too. It has no
// captures. Sources are rows of 64 lanes, read before the result is written: loops over them are
// free of branches, so that the compiler vectorizes them.
//
// Modifiers are handled here: DPP (source 0), SDWA, halves (op_sel, gfx11), neg, abs, omod, and
// clamp of floating-point results. Clamp of integers: lanesOrClamped.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EMULATOR_HANDLERS_LANELOOPS_H
#define ROOFTILE_EMULATOR_HANDLERS_LANELOOPS_H

#include "Formats.h"

#include <tuple>

#if defined(__x86_64__)
#define ROOFTILE_WIDE __attribute__((target("avx2,fma")))
#else
#define ROOFTILE_WIDE
#endif

namespace rooftile::emulator {

/// A value of each lane.
template <class Bits> using Row = std::array<Bits, 64>;

/// Lanes that EXEC and the masks of DPP leave on. Where DPP reads outside, or a lane that is off,
/// without bound_ctrl, the lane is off.
uint64_t activeLanes(const Wave &wave, const Instruction &instruction);
/// The lane that source 0 of `lane` is read from; -1: none, which reads as 0.
int sourceLane(const Wave &wave, const LanePermutation &permutation, unsigned lane);
/// A part of a register, and a result put into one.
uint32_t selectPart(uint32_t value, PartSelection::Part part, bool extends);
uint32_t mergePart(uint32_t before, uint32_t value, const PartSelection &parts);
/// The host has fused multiply-add and vectors of 32 bytes.
extern const bool hasWideVectors;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Bits of an operand that all lanes share.
template <class Format>
typename Format::Bits uniformBits(const Wave &wave, const Operand &operand) {
  using Bits = typename Format::Bits;
  if (!operand.isRegister() && operand.kind != Operand::Kind::Scc) {
    if (Format::isFloat && sizeof(Bits) == 8 && operand.isLiteral)
      return Bits(uint64_t(operand.integer) << (sizeof(Bits) == 8 ? 32 : 0));
    return Bits(Wave::constant(operand, sizeof(Bits)));
  }
  if (sizeof(Bits) == 8)
    return Bits(wave.scalar64(operand));
  return Bits(wave.scalar32(operand) >> (sizeof(Bits) == 2 && operand.isHigh ? 16 : 0));
}

/// Copies an operand as it is in registers. `isHigh`: of 16 bits.
template <class Format>
void gather(const Wave &wave, const Operand &operand, bool isHigh,
            Row<typename Format::Bits> &values) {
  using Bits = typename Format::Bits;
  const Lanes *low = wave.row(operand);
  if (!low) {
    Bits bits = uniformBits<Format>(wave, operand);
    if (sizeof(Bits) == 2 && isHigh && !operand.isHigh && operand.isRegister())
      bits = Bits(wave.scalar32(operand) >> 16);
    values.fill(bits);
  } else if constexpr (sizeof(Bits) == 8) {
    const Lanes *high = wave.row(operand, 1);
    for (unsigned lane = 0; lane < 64; ++lane)
      values[lane] = (*low)[lane] | uint64_t((*high)[lane]) << 32;
  } else {
    unsigned shift = sizeof(Bits) == 2 && (isHigh || operand.isHigh) ? 16 : 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      values[lane] = Bits((*low)[lane] >> shift);
  }
}

template <class Bits>
void permute(const Wave &wave, const LanePermutation &permutation, Row<Bits> &values) {
  Row<Bits> before = values;
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    int from = sourceLane(wave, permutation, lane);
    values[lane] = from < 0 ? Bits(0) : before[from];
  }
}

/// abs, then neg; then denormals of sources.
template <class Format>
void modify(const Wave &wave, const Operand &operand, Row<typename Format::Bits> &values) {
  using Bits = typename Format::Bits;
  if constexpr (Format::isFloat) {
    if (operand.absolute || operand.negated) {
      Bits kept = operand.absolute ? Bits(~Format::sign) : Bits(~Bits(0));
      Bits flipped = operand.negated ? Format::sign : Bits(0);
      for (Bits &bits : values)
        bits = Bits((bits & kept) ^ flipped);
    }
    if (Format::flushes(wave.mode))
      for (Bits &bits : values)
        bits = Format::flushed(bits);
  }
}

/// Values of operand `index` for all lanes, which is source `source`, with its modifiers: in
/// `buffer`, or where they are.
template <class Format>
const typename Format::Bits *readRow(const Wave &wave, const Instruction &instruction,
                                     unsigned index, unsigned source,
                                     Row<typename Format::Bits> &buffer) {
  using Bits = typename Format::Bits;
  const Operand &operand = instruction.operands[index];
  const Modifiers &modifiers = instruction.modifiers;
  bool isPermuted = source == 0 && modifiers.lanes.kind != LanePermutation::Kind::None;
  bool isModified = isPermuted || modifiers.parts.isUsed || operand.absolute || operand.negated;
  if constexpr (Format::isFloat)
    isModified |= Format::flushes(wave.mode);
  if constexpr (sizeof(Bits) == 4)
    if (const Lanes *row = wave.row(operand); row && !isModified)
      return row->data();
  if (sizeof(Bits) < 8 && modifiers.parts.isUsed && source < 2) {
    Row<uint32_t> whole;
    gather<Word<uint32_t>>(wave, operand, false, whole);
    if (isPermuted)
      permute(wave, modifiers.lanes, whole);
    if (!operand.isRegister())
      whole.fill(uint32_t(uniformBits<Format>(wave, operand)));
    for (unsigned lane = 0; lane < 64; ++lane)
      buffer[lane] =
          Bits(selectPart(whole[lane], modifiers.parts.sources[source], operand.extended));
  } else {
    gather<Format>(wave, operand, modifiers.opSel >> source & 1, buffer);
    if (isPermuted)
      permute(wave, modifiers.lanes, buffer);
  }
  modify<Format>(wave, operand, buffer);
  return buffer.data();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Denormals, omod and clamp of results.
template <class Format>
void finish(const Wave &wave, const Modifiers &modifiers, Row<typename Format::Bits> &values) {
  using Bits = typename Format::Bits;
  if constexpr (Format::isFloat) {
    using Value = typename Format::Value;
    if (Format::flushes(wave.mode))
      for (Bits &bits : values)
        bits = Format::flushed(bits);
    // Scales are ignored in IEEE mode and where denormals are kept; they lose the sign of zero.
    if (modifiers.outputScale && !wave.mode.isIeee && !Format::keepsDenormals(wave.mode)) {
      auto scale = Value(std::ldexp(1.0, modifiers.outputScale));
      for (Bits &bits : values)
        bits = Format::flushed(Format::bits(Value(Format::value(bits) * scale) + Value(0)));
    }
    if (modifiers.clamp)
      for (Bits &bits : values) {
        Value value = Format::value(bits);
        bits = value >= Value(1) ? Format::bits(Value(1)) : value > Value(0) ? bits : Bits(0);
      }
  }
}

/// Writes word(lane) in the lanes of `active`.
template <class Function>
void storeRow(const Wave &wave, Lanes &row, uint64_t active, Function word) {
  bool isFull = active == (wave.lanes() == 64 ? ~uint64_t(0) : 0xffffffff);
  for (unsigned lane = 0; lane < 64 && isFull; ++lane)
    row[lane] = word(lane);
  for (unsigned lane = 0; lane < wave.lanes() && !isFull; ++lane)
    if (active >> lane & 1)
      row[lane] = word(lane);
}

/// Writes operand `index` in the lanes of `active`. `sources`: their number, whose bit of op_sel is
/// that of the result.
template <class Format>
void writeRow(Wave &wave, const Instruction &instruction, unsigned index, unsigned sources,
              uint64_t active, Row<typename Format::Bits> &values) {
  using Bits = typename Format::Bits;
  const Operand &operand = instruction.operands[index];
  const Modifiers &modifiers = instruction.modifiers;
  finish<Format>(wave, modifiers, values);
  Lanes *low = wave.row(operand);
  if (!low)
    return wave.fail(instruction.text + ": the result is no vector register");
  auto store = [&](Lanes &row, auto word) { storeRow(wave, row, active, word); };
  if constexpr (sizeof(Bits) == 8) {
    store(*low, [&](unsigned lane) { return uint32_t(values[lane]); });
    store(*wave.row(operand, 1), [&](unsigned lane) { return uint32_t(values[lane] >> 32); });
  } else if (modifiers.parts.isUsed) {
    store(*low,
          [&](unsigned lane) { return mergePart((*low)[lane], values[lane], modifiers.parts); });
  } else if constexpr (sizeof(Bits) == 2) {
    bool isHigh = operand.isHigh || (modifiers.opSel >> sources & 1);
    bool keeps = isHigh || Format::keepsHigh || wave.hasStoreCounter;
    uint32_t kept = isHigh ? 0xffff : keeps ? 0xffff0000 : 0, shift = isHigh ? 16 : 0;
    store(*low,
          [&](unsigned lane) { return ((*low)[lane] & kept) | uint32_t(values[lane]) << shift; });
  } else {
    store(*low, [&](unsigned lane) { return values[lane]; });
  }
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// A function that a handler calls. It is empty: only its type matters.
template <class Function> struct Kept {
  static inline const Function *function = nullptr;
};
template <class Function> void keep(Function given) {
  static const Function kept = given;
  Kept<Function>::function = &kept;
}

/// The loop over lanes, for any host and for one with wide vectors.
template <class Function, class Out, class... In> struct LaneLoop {
  static void plain(unsigned lanes, typename Out::Bits *__restrict out,
                    const typename In::Bits *...in) {
    const Function &function = *Kept<Function>::function;
    for (unsigned lane = 0; lane < lanes; ++lane)
      out[lane] = Out::bits(typename Out::Value(function(In::value(in[lane])...)));
  }
  ROOFTILE_WIDE static void wide(unsigned lanes, typename Out::Bits *__restrict out,
                                 const typename In::Bits *...in) {
    const Function &function = *Kept<Function>::function;
    for (unsigned lane = 0; lane < lanes; ++lane)
      out[lane] = Out::bits(typename Out::Value(function(In::value(in[lane])...)));
  }
};

/// Operand 0 from those after it, or with `accumulates` from those and itself, the last source.
template <bool accumulates, class Function, class Out, class... In, size_t... number>
void runLanes(Wave &wave, const Instruction &instruction, std::index_sequence<number...>) {
  constexpr unsigned sources = sizeof...(In);
  uint64_t active = activeLanes(wave, instruction);
  std::tuple<Row<typename In::Bits>...> buffers;
  Row<typename Out::Bits> result{};
  using Loop = LaneLoop<Function, Out, In...>;
  auto compute = hasWideVectors ? Loop::wide : Loop::plain;
  compute(wave.lanes(), result.data(),
          readRow<In>(wave, instruction,
                      accumulates && number + 1 == sources ? 0 : unsigned(number) + 1, number,
                      std::get<number>(buffers))...);
  writeRow<Out>(wave, instruction, 0, sources, active, result);
}

template <bool accumulates, class Function, class Out, class... In>
void runLanes(Wave &wave, const Instruction &instruction) {
  runLanes<accumulates, Function, Out, In...>(wave, instruction, std::index_sequence_for<In...>());
}

/// A handler of a function of the sources: lanes<Result, Sources...>(function).
template <class Out, class... In, class Function> Instruction::Handler lanes(Function function) {
  keep(function);
  return runLanes<false, Function, Out, In...>;
}

/// The last source is the result's register: v_fmac_f32.
template <class Out, class... In, class Function>
Instruction::Handler accumulatingLanes(Function function) {
  keep(function);
  return runLanes<true, Function, Out, In...>;
}

/// Another function with the modifier clamp.
template <class Out, class... In, class Function, class Clamped>
Instruction::Handler lanesOrClamped(Function function, Clamped clamped) {
  keep(function);
  keep(clamped);
  return [](Wave &wave, const Instruction &instruction) {
    if (instruction.modifiers.clamp)
      runLanes<false, Clamped, Out, In...>(wave, instruction);
    else
      runLanes<false, Function, Out, In...>(wave, instruction);
  };
}

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_HANDLERS_LANELOOPS_H
