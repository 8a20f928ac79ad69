//===- Comparisons.cpp - Comparisons of lanes, and selections by them -----===//
//
// A comparison writes a bit for each lane, 0 for those that are off: v_cmp to a mask, v_cmpx to
// EXEC, and before gfx10 to its mask, too. Sources: AMD's "Vega 7nm ISA" and "RDNA3 ISA", VOPC.
//
//===----------------------------------------------------------------------===//

#include "LaneLoops.h"
#include "rooftile/Emulator/Handlers.h"
#include "llvm/ADT/Twine.h"

using namespace rooftile::emulator;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

template <bool isExec, class Function, class Left, class Right>
static void compare(Wave &wave, const Instruction &instruction) {
  uint64_t active = activeLanes(wave, instruction), holds = 0;
  auto first = unsigned(instruction.operands.size() - 2);
  Row<typename Left::Bits> leftBuffer;
  Row<typename Right::Bits> rightBuffer;
  const auto *left = readRow<Left>(wave, instruction, first, 0, leftBuffer);
  const auto *right = readRow<Right>(wave, instruction, first + 1, 1, rightBuffer);
  const Function &function = *Kept<Function>::function;
  for (unsigned lane = 0; lane < wave.lanes(); ++lane)
    holds |= uint64_t(function(Left::value(left[lane]), Right::value(right[lane]))) << lane;
  if (first == 1)
    wave.setMask(instruction.operands[0], holds & active);
  if (isExec)
    wave.setExec(holds & active);
}

/// v_cmp and v_cmpx of a predicate and a type.
template <class Left, class Right, class Function>
static void add(Handlers &handlers, llvm::StringRef predicate, llvm::StringRef type,
                Function function) {
  keep(function);
  std::string name = (llvm::Twine(predicate) + "_" + type).str();
  handlers["v_cmp_" + name] = compare<false, Function, Left, Right>;
  handlers["v_cmpx_" + name] = compare<true, Function, Left, Right>;
}

template <class Format> static void addOrders(Handlers &handlers, llvm::StringRef type) {
  auto addOne = [&](llvm::StringRef predicate, auto function) {
    add<Format, Format>(handlers, predicate, type, function);
  };
  addOne("f", [](auto, auto) { return false; });
  addOne("lt", [](auto a, auto b) { return a < b; });
  addOne("eq", [](auto a, auto b) { return a == b; });
  addOne("le", [](auto a, auto b) { return a <= b; });
  addOne("gt", [](auto a, auto b) { return a > b; });
  addOne("ge", [](auto a, auto b) { return a >= b; });
  addOne("t", [](auto, auto) { return true; });
}

template <class Format> static void addInteger(Handlers &handlers, llvm::StringRef type) {
  addOrders<Format>(handlers, type);
  add<Format, Format>(handlers, "ne", type, [](auto a, auto b) { return a != b; });
}

/// Predicates with an n hold for NaN, too.
template <class Format> static void addFloat(Handlers &handlers, llvm::StringRef type) {
  addOrders<Format>(handlers, type);
  auto addOne = [&](llvm::StringRef predicate, auto function) {
    add<Format, Format>(handlers, predicate, type, function);
  };
  addOne("lg", [](auto a, auto b) { return a < b || a > b; });
  addOne("o", [](auto a, auto b) { return a == a && b == b; });
  addOne("u", [](auto a, auto b) { return a != a || b != b; });
  addOne("nge", [](auto a, auto b) { return !(a >= b); });
  addOne("nlg", [](auto a, auto b) { return !(a < b || a > b); });
  addOne("ngt", [](auto a, auto b) { return !(a > b); });
  addOne("nle", [](auto a, auto b) { return !(a <= b); });
  addOne("neq", [](auto a, auto b) { return a != b; });
  addOne("nlt", [](auto a, auto b) { return !(a < b); });
  addOne("tru", [](auto, auto) { return true; });
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Bit of a value's class: signalling and quiet NaN, then -infinity, -normal, -denormal, -0, and
/// those of the other sign in the opposite order.
template <class Format> static unsigned classOf(typename Format::Bits bits) {
  using Bits = typename Format::Bits;
  constexpr Bits quiet = (Format::fraction >> 1) + 1;
  Bits exponent = bits & Format::exponent, fraction = bits & Format::fraction;
  if (exponent == Format::exponent && fraction)
    return fraction & quiet ? 1 : 0;
  unsigned size = exponent == Format::exponent ? 3 : exponent ? 2 : fraction ? 1 : 0;
  return bits & Format::sign ? 5 - size : 6 + size;
}

/// Denormals stay what they are, whatever the mode.
template <class Format, class Mask> static void addClass(Handlers &handlers, llvm::StringRef type) {
  add<Format, Mask>(handlers, "class", type,
                    [](auto bits, auto mask) { return (mask >> classOf<Format>(bits) & 1) != 0; });
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

/// Source 1 where the mask has a bit, else source 0. Without an operand the mask is VCC: v_dual.
template <class Format> static void select(Wave &wave, const Instruction &instruction) {
  Operand vcc;
  vcc.kind = Operand::Kind::Scalar;
  vcc.index = kVcc;
  uint64_t mask = wave.mask(instruction.operands.size() > 3 ? instruction.operands[3] : vcc);
  Row<typename Format::Bits> buffers[2], result;
  const auto *clear = readRow<Format>(wave, instruction, 1, 0, buffers[0]);
  const auto *set = readRow<Format>(wave, instruction, 2, 1, buffers[1]);
  for (unsigned lane = 0; lane < wave.lanes(); ++lane)
    result[lane] = mask >> lane & 1 ? set[lane] : clear[lane];
  writeRow<Format>(wave, instruction, 0, 3, activeLanes(wave, instruction), result);
}

void rooftile::emulator::addComparisonHandlers(Handlers &handlers) {
  addInteger<U16>(handlers, "u16");
  addInteger<U32>(handlers, "u32");
  addInteger<U64>(handlers, "u64");
  addInteger<S16>(handlers, "i16");
  addInteger<S32>(handlers, "i32");
  addInteger<S64>(handlers, "i64");
  addFloat<F16>(handlers, "f16");
  addFloat<F32>(handlers, "f32");
  addFloat<F64>(handlers, "f64");
  addClass<B16, U16>(handlers, "f16");
  addClass<B32, U32>(handlers, "f32");
  addClass<B64, U32>(handlers, "f64");
  handlers["v_cndmask_b16"] = select<B16>;
  handlers["v_cndmask_b32"] = select<B32>;
}
