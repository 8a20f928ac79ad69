//===- PackedFloats.cpp - Two numbers a lane, and mixed precision ---------===//
//
// VOP3P of "Vega 7nm ISA", "MI200 ISA" (packed f32) and "RDNA3 ISA". op_sel chooses the half (word
// of packed f32) of each source for the low result, op_sel_hi for the high one; of v_fma_mix,
// op_sel_hi chooses f16, and op_sel its half.
//
//===----------------------------------------------------------------------===//

#include "FloatRules.h"

using namespace rooftile::emulator;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// The half of a source of packed f16, of each lane. Inline constants are in the low half only;
/// literals have both.
static void readHalf(const Wave &wave, const Operand &operand, bool isHigh, Row<uint16_t> &values) {
  if (operand.isRegister())
    gather<U16>(wave, operand, isHigh, values);
  else if (operand.isLiteral)
    values.fill(uint16_t(uint32_t(operand.integer) >> (isHigh ? 16 : 0)));
  else
    values.fill(isHigh ? 0 : uint16_t(Wave::constant(operand, 2)));
}

/// A word of a source of packed f32, in `buffer` or where it is; null of the high word of a
/// constant, which has none.
static const uint32_t *readWord(const Wave &wave, const Operand &operand, bool isHigh,
                                Row<uint32_t> &buffer) {
  if (const Lanes *row = wave.row(operand, isHigh))
    return row->data();
  if (operand.kind == Operand::Kind::Scalar)
    buffer.fill(wave.lane32(operand, 0, isHigh));
  else if (isHigh)
    return nullptr;
  else
    buffer.fill(uint32_t(Wave::constant(operand, 4)));
  return buffer.data();
}

/// A source of one result of a packed instruction with its modifiers; null: has no such word.
template <class F>
static const typename F::Bits *readPacked(const Wave &wave, const Operand &operand,
                                          const Modifiers &modifiers, unsigned source,
                                          bool isHighResult, Row<typename F::Bits> &buffer) {
  bool isHigh = (isHighResult ? modifiers.opSelHi : modifiers.opSel) >> source & 1;
  bool isNegated = (isHighResult ? modifiers.negHi : modifiers.negLo) >> source & 1;
  bool flushes = F::flushes(wave.mode);
  if constexpr (sizeof(typename F::Bits) == 2) {
    readHalf(wave, operand, isHigh, buffer);
  } else {
    const uint32_t *words = readWord(wave, operand, isHigh, buffer);
    if (!words || (!isNegated && !flushes))
      return words;
    std::copy_n(words, 64, buffer.data());
  }
  for (auto &bits : buffer)
    bits = isNegated ? bits ^ F::sign : bits;
  if (flushes)
    for (auto &bits : buffer)
      bits = F::flushed(bits);
  return buffer.data();
}

//===----------------------------------------------------------------------===//
// Packed instructions
//===----------------------------------------------------------------------===//

/// Both results, before either is written.
template <class Function, class F, class... In, size_t... number>
static bool computePacked(Wave &wave, const Instruction &instruction,
                          Row<typename F::Bits> (&results)[2], std::index_sequence<number...>) {
  using Loop = LaneLoop<Function, F, In...>;
  auto compute = hasWideVectors ? Loop::wide : Loop::plain;
  for (unsigned high = 0; high < 2; ++high) {
    Row<typename F::Bits> buffers[sizeof...(In)];
    const typename F::Bits *sources[] = {readPacked<F>(wave, instruction.operands[number + 1],
                                                       instruction.modifiers, number, high,
                                                       buffers[number])...};
    if (!(sources[number] && ...)) {
      wave.fail(instruction.text + ": the high word of a constant");
      return false;
    }
    compute(wave.lanes(), results[high].data(), sources[number]...);
    finish<F>(wave, instruction.modifiers, results[high]);
  }
  return true;
}

template <class Function, class F, class... In>
static void runPacked(Wave &wave, const Instruction &instruction) {
  Row<typename F::Bits> results[2]{};
  if (!computePacked<Function, F, In...>(wave, instruction, results,
                                         std::index_sequence_for<In...>()))
    return;
  const Operand &destination = instruction.operands[0];
  Lanes &low = *wave.row(destination);
  if constexpr (sizeof(typename F::Bits) == 2) {
    wave.forActive(
        [&](unsigned lane) { low[lane] = results[0][lane] | uint32_t(results[1][lane]) << 16; });
  } else {
    Lanes &high = *wave.row(destination, 1);
    wave.forActive([&](unsigned lane) {
      low[lane] = results[0][lane];
      high[lane] = results[1][lane];
    });
  }
}

template <class F, class... In, class Function>
static Instruction::Handler packed(Function function) {
  keep(function);
  return runPacked<Function, F, In...>;
}

template <class F> static void addPackedArithmetic(Handlers &handlers, const std::string &suffix) {
  handlers["v_pk_add" + suffix] =
      packed<F, F, F>(propagating([](auto a, auto b) { return a + b; }));
  handlers["v_pk_mul" + suffix] =
      packed<F, F, F>(propagating([](auto a, auto b) { return a * b; }));
  handlers["v_pk_fma" + suffix] =
      packed<F, F, F, F>(propagating([](auto a, auto b, auto c) { return fused<F>(a, b, c); }));
}

/// Packed f16 extrema by the rules of IEEE mode or those without.
template <bool isMaximum> static void packedExtremum(Wave &wave, const Instruction &instruction) {
  static const Instruction::Handler ieee =
      packed<F16, F16, F16>([](double a, double b) { return extremum<true, isMaximum>(a, b); });
  static const Instruction::Handler other =
      packed<F16, F16, F16>([](double a, double b) { return extremum<false, isMaximum>(a, b); });
  (wave.mode.isIeee ? ieee : other)(wave, instruction);
}

/// Words, each of its own source: op_sel of source 0 for the low one, of source 1 for the high one.
static void packedMove(Wave &wave, const Instruction &instruction) {
  const Modifiers &modifiers = instruction.modifiers;
  Row<uint32_t> words[2];
  for (unsigned word = 0; word < 2; ++word) {
    const uint32_t *source =
        readWord(wave, instruction.operands[word + 1], modifiers.opSel >> word & 1, words[word]);
    if (!source)
      return wave.fail(instruction.text + ": the high word of a constant");
    if (source != words[word].data())
      std::copy_n(source, 64, words[word].data());
  }
  for (unsigned word = 0; word < 2; ++word)
    storeRow(wave, *wave.row(instruction.operands[0], word), wave.exec(),
             [&](unsigned lane) { return words[word][lane]; });
}

/// Two f16 in one register. Bits are not changed but by modifiers.
static void pack(Wave &wave, const Instruction &instruction) {
  Row<uint16_t> low, high;
  const uint16_t *lows = readRow<B16>(wave, instruction, 1, 0, low);
  const uint16_t *highs = readRow<B16>(wave, instruction, 2, 1, high);
  Lanes &result = *wave.row(instruction.operands[0]);
  wave.forActive([&](unsigned lane) { result[lane] = lows[lane] | uint32_t(highs[lane]) << 16; });
}

//===----------------------------------------------------------------------===//
// Mixed precision
//===----------------------------------------------------------------------===//

/// A source as f32, which op_sel_hi and op_sel choose.
static void readMixed(const Wave &wave, const Instruction &instruction, unsigned source,
                      Row<uint32_t> &values) {
  const Operand &operand = instruction.operands[source + 1];
  const Modifiers &modifiers = instruction.modifiers;
  if (modifiers.opSelHi >> source & 1) {
    Row<uint16_t> halves;
    gather<U16>(wave, operand, modifiers.opSel >> source & 1, halves);
    bool flushes = F16::flushes(wave.mode);
    for (unsigned lane = 0; lane < 64; ++lane)
      values[lane] =
          F32::bits(float(halfToDouble(flushes ? F16::flushed(halves[lane]) : halves[lane])));
  } else {
    gather<F32>(wave, operand, false, values);
  }
  Operand signs = operand;
  signs.negated |= modifiers.negLo >> source & 1;
  signs.absolute |= modifiers.negHi >> source & 1;
  modify<F32>(wave, signs, values);
}

/// The fused multiply-add of f32 that the mixed instructions share.
static void computeMixed(Wave &wave, const Instruction &instruction, Row<uint32_t> &result) {
  static const auto fma = propagating([](float a, float b, float c) { return std::fma(a, b, c); });
  keep(fma);
  using Loop = LaneLoop<std::decay_t<decltype(fma)>, F32, F32, F32, F32>;
  Row<uint32_t> sources[3];
  for (unsigned source = 0; source < 3; ++source)
    readMixed(wave, instruction, source, sources[source]);
  (hasWideVectors ? Loop::wide : Loop::plain)(wave.lanes(), result.data(), sources[0].data(),
                                              sources[1].data(), sources[2].data());
}

static void fmaMix(Wave &wave, const Instruction &instruction) {
  Row<uint32_t> result{};
  computeMixed(wave, instruction, result);
  writeRow<F32>(wave, instruction, 0, 3, wave.exec(), result);
}

/// Rounds to f32, then to f16 in a half of the result; the other half stays.
template <bool isHigh> static void fmaMixHalf(Wave &wave, const Instruction &instruction) {
  Row<uint32_t> result{};
  computeMixed(wave, instruction, result);
  Row<uint16_t> halves;
  for (unsigned lane = 0; lane < 64; ++lane)
    halves[lane] = doubleToHalf(F32::value(result[lane]));
  finish<F16>(wave, instruction.modifiers, halves);
  Lanes &destination = *wave.row(instruction.operands[0]);
  wave.forActive([&](unsigned lane) {
    destination[lane] = isHigh ? (destination[lane] & 0xffff) | uint32_t(halves[lane]) << 16
                               : (destination[lane] & 0xffff0000) | halves[lane];
  });
}

//===----------------------------------------------------------------------===//
// Sums of two products
//===----------------------------------------------------------------------===//

static float widen(uint16_t bits, bool isBf16) {
  return isBf16 ? F32::value(uint32_t(bits) << 16) : float(halfToDouble(bits));
}

/// An f32 and two products, added one after the other. Without a third source: to the result.
template <bool isBf16, bool accumulates>
static void dot2(Wave &wave, const Instruction &instruction) {
  Row<uint16_t> buffers[2][2]; // By half and source.
  const uint16_t *halves[2][2];
  Modifiers modifiers = instruction.modifiers;
  if (accumulates)
    modifiers.opSel = 0, modifiers.opSelHi = 3;
  for (unsigned high = 0; high < 2; ++high)
    for (unsigned source = 0; source < 2; ++source)
      halves[high][source] = readPacked<Float16<Denormals::Kept>>(
          wave, instruction.operands[source + 1], modifiers, source, high, buffers[high][source]);
  Row<uint32_t> buffer, result{};
  const uint32_t *sum = readRow<F32>(wave, instruction, accumulates ? 0 : 3, 2, buffer);
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    float value = F32::value(sum[lane]);
    for (auto &sources : halves)
      value = std::fma(widen(sources[0][lane], isBf16), widen(sources[1][lane], isBf16), value);
    result[lane] = F32::bits(value);
  }
  writeRow<F32>(wave, instruction, 0, 3, wave.exec(), result);
}

void rooftile::emulator::addPackedFloatHandlers(Handlers &handlers) {
  addPackedArithmetic<F16>(handlers, "_f16");
  addPackedArithmetic<F32>(handlers, "_f32");
  handlers["v_pk_max_f16"] = packedExtremum<true>;
  handlers["v_pk_min_f16"] = packedExtremum<false>;
  handlers["v_pk_mov_b32"] = packedMove;
  handlers["v_pack_b32_f16"] = pack;
  handlers["v_fma_mix_f32"] = fmaMix;
  handlers["v_fma_mixlo_f16"] = fmaMixHalf<false>;
  handlers["v_fma_mixhi_f16"] = fmaMixHalf<true>;
  handlers["v_dot2_f32_f16"] = dot2<false, false>;
  handlers["v_dot2_f32_bf16"] = dot2<true, false>;
  handlers["v_dot2c_f32_f16"] = handlers["v_dot2acc_f32_f16"] = dot2<false, true>;
  handlers["v_dot2c_f32_bf16"] = dot2<true, true>;
}
