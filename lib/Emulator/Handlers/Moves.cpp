//===- Moves.cpp - Copies, and values that cross lanes --------------------===//
//
// v_mov and packed moves, v_readlane and its relatives, permutations of lanes, positions of lanes
// in a mask. Sources: AMD's "Vega 7nm ISA", "MI200 ISA" and "RDNA3 ISA", VOP1 to VOP3P.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "LaneLoops.h"
#include "llvm/ADT/bit.h"

using namespace rooftile::emulator;

//===----------------------------------------------------------------------===//
// One lane and a scalar register
//===----------------------------------------------------------------------===//

/// Lane that an operand names, whatever EXEC is.
static unsigned laneOf(const Wave &wave, const Operand &operand) {
  return wave.scalar32(operand) % wave.lanes();
}

static void readFirstLane(Wave &wave, const Instruction &instruction) {
  unsigned first = wave.exec() ? unsigned(llvm::countr_zero(wave.exec())) : 0;
  wave.setScalar32(instruction.operands[0], wave.lane32(instruction.operands[1], first));
}

static void readLane(Wave &wave, const Instruction &instruction) {
  unsigned lane = laneOf(wave, instruction.operands[2]);
  wave.setScalar32(instruction.operands[0], wave.lane32(instruction.operands[1], lane));
}

static void writeLane(Wave &wave, const Instruction &instruction) {
  unsigned lane = laneOf(wave, instruction.operands[2]);
  wave.setLane32(instruction.operands[0], lane, wave.scalar32(instruction.operands[1]));
}

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// All lanes of a register.
static Lanes copyOf(const Wave &wave, const Operand &operand) {
  Lanes copy;
  for (unsigned lane = 0; lane < wave.lanes(); ++lane)
    copy[lane] = wave.lane32(operand, lane);
  return copy;
}

/// Reads lane 4-bit selectors[lane % 16] of the own row, or of the other row of a pair. Bit 0 of
/// op_sel fetches from inactive lanes, too; bit 1 reads 0 from the rest instead of writing nothing.
template <bool isOtherRow> static void permuteRows(Wave &wave, const Instruction &instruction) {
  Lanes source = copyOf(wave, instruction.operands[1]);
  uint64_t selectors = wave.scalar32(instruction.operands[2]) |
                       uint64_t(wave.scalar32(instruction.operands[3])) << 32;
  bool fetchesInactive = instruction.modifiers.opSel & 1,
       hasBound = instruction.modifiers.opSel & 2;
  wave.forActive([&](unsigned lane) {
    unsigned row = (lane & ~15U) ^ (isOtherRow ? 16 : 0);
    unsigned from = row + unsigned(selectors >> 4 * (lane & 15) & 15);
    if (fetchesInactive || wave.isActive(from))
      wave.setLane32(instruction.operands[0], lane, source[from]);
    else if (hasBound)
      wave.setLane32(instruction.operands[0], lane, 0);
  });
}

/// Swaps the halves of 64 lanes; nothing happens to 32.
static void permuteHalves(Wave &wave, const Instruction &instruction) {
  if (wave.lanes() == 32)
    return;
  Lanes source = copyOf(wave, instruction.operands[1]);
  wave.forActive(
      [&](unsigned lane) { wave.setLane32(instruction.operands[0], lane, source[lane ^ 32]); });
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Exchanges two registers, or halves of them.
template <class Format> static void swap(Wave &wave, const Instruction &instruction) {
  Row<typename Format::Bits> first, second;
  gather<Format>(wave, instruction.operands[0], false, first);
  gather<Format>(wave, instruction.operands[1], false, second);
  writeRow<Format>(wave, instruction, 0, 2, wave.exec(), second);
  writeRow<Format>(wave, instruction, 1, 2, wave.exec(), first);
}

/// A register of each source's pair: op_sel names the high one.
static void movePair(Wave &wave, const Instruction &instruction) {
  const llvm::SmallVectorImpl<Operand> &operands = instruction.operands;
  unsigned first = instruction.modifiers.opSel & 1, second = instruction.modifiers.opSel >> 1 & 1;
  wave.forActive([&](unsigned lane) {
    uint32_t low = wave.lane32(operands[1], lane, first);
    uint32_t high = wave.lane32(operands[2], lane, second);
    wave.setLane64(operands[0], lane, uint64_t(high) << 32 | low);
  });
}

/// Bits of source 0 for lanes before this one, counted and added to source 1. The mask is that of
/// lanes from `begin` on.
template <unsigned begin> static void countBefore(Wave &wave, const Instruction &instruction) {
  uint64_t active = activeLanes(wave, instruction);
  Row<uint32_t> buffers[2], result;
  const uint32_t *mask = readRow<U32>(wave, instruction, 1, 0, buffers[0]);
  const uint32_t *added = readRow<U32>(wave, instruction, 2, 1, buffers[1]);
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    auto before = uint32_t(((uint64_t(1) << lane) - 1) >> begin);
    result[lane] = uint32_t(llvm::popcount(mask[lane] & before)) + added[lane];
  }
  writeRow<U32>(wave, instruction, 0, 2, active, result);
}

void rooftile::emulator::addMoveHandlers(Handlers &handlers) {
  auto same = [](auto value) { return value; };
  handlers["v_mov_b16"] = lanes<U16, U16>(same);
  handlers["v_mov_b32"] = lanes<U32, U32>(same);
  handlers["v_mov_b64"] = lanes<U64, U64>(same);
  handlers["v_pack_b32_f16"] =
      lanes<U32, B16, B16>([](uint16_t low, uint16_t high) { return uint32_t(high) << 16 | low; });
  handlers["v_pk_mov_b32"] = movePair;
  handlers["v_swap_b16"] = swap<U16>;
  handlers["v_swap_b32"] = swap<U32>;
  handlers["v_mbcnt_lo_u32_b32"] = countBefore<0>;
  handlers["v_mbcnt_hi_u32_b32"] = countBefore<32>;
  handlers["v_readfirstlane_b32"] = readFirstLane;
  handlers["v_readlane_b32"] = readLane;
  handlers["v_writelane_b32"] = writeLane;
  handlers["v_permlane16_b32"] = permuteRows<false>;
  handlers["v_permlanex16_b32"] = permuteRows<true>;
  handlers["v_permlane64_b32"] = permuteHalves;
}
