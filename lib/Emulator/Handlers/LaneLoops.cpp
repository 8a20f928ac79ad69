//===- LaneLoops.cpp - Lanes and parts of registers that are read ---------===//
//
// DPP and SDWA as "Vega 7nm ISA" (sections of DPP and SDWA) and "RDNA3 ISA" (DPP16) define them.
//
//===----------------------------------------------------------------------===//

#include "LaneLoops.h"

using namespace rooftile::emulator;

#if defined(__x86_64__)
const bool rooftile::emulator::hasWideVectors =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
const bool rooftile::emulator::hasWideVectors = false;
#endif

/// The lane that `permutation` names for `lane`, whether it is on or off; -1: outside.
static int permutedLane(const LanePermutation &permutation, unsigned lane, unsigned lanes) {
  using Kind = LanePermutation::Kind;
  int value = int(permutation.value), row = int(lane & ~15u), inRow = int(lane & 15);
  auto within = [&](int place) { return place >= 0 && place < 16 ? row + place : -1; };
  switch (permutation.kind) {
  case Kind::None:
    return int(lane);
  case Kind::QuadPerm:
    return int(lane & ~3u) + (value >> 2 * (lane & 3) & 3);
  case Kind::RowShl:
    return within(inRow + value);
  case Kind::RowShr:
    return within(inRow - value);
  case Kind::RowRor:
    return row + ((inRow - value) & 15);
  case Kind::WaveShl:
    return lane + 1 < lanes ? int(lane) + 1 : -1;
  case Kind::WaveShr:
    return int(lane) - 1;
  case Kind::RowMirror:
    return row + 15 - inRow;
  case Kind::RowHalfMirror:
    return row + (inRow ^ 7);
  case Kind::RowBroadcast: // Lane 15 of a row to the next, or lane 31 to the upper half.
    return value == 15 ? row - 1 : row >= 32 ? 31 : -1;
  case Kind::RowNewBroadcast:
  case Kind::RowShare:
    return row + value;
  case Kind::RowXmask:
    return row + (inRow ^ value);
  }
  return -1;
}

int rooftile::emulator::sourceLane(const Wave &wave, const LanePermutation &permutation,
                                   unsigned lane) {
  int from = permutedLane(permutation, lane, wave.lanes());
  return from >= 0 && wave.isActive(unsigned(from)) ? from : -1;
}

uint64_t rooftile::emulator::activeLanes(const Wave &wave, const Instruction &instruction) {
  uint64_t active = wave.exec();
  const LanePermutation &permutation = instruction.modifiers.lanes;
  if (permutation.kind == LanePermutation::Kind::None)
    return active;
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    bool isMasked =
        !(permutation.rowMask >> (lane >> 4) & 1) || !(permutation.bankMask >> (lane >> 2 & 3) & 1);
    if (isMasked || (!permutation.boundControl && sourceLane(wave, permutation, lane) < 0))
      active &= ~(uint64_t(1) << lane);
  }
  return active;
}

/// Position and bits of a part.
static std::pair<unsigned, unsigned> extent(PartSelection::Part part) {
  using Part = PartSelection::Part;
  if (part == Part::Dword)
    return {0, 32};
  if (part >= Part::Word0)
    return {part == Part::Word1 ? 16 : 0, 16};
  return {8 * (unsigned(part) - unsigned(Part::Byte0)), 8};
}

uint32_t rooftile::emulator::selectPart(uint32_t value, PartSelection::Part part, bool extends) {
  auto [shift, bits] = extent(part);
  if (bits == 32)
    return value;
  uint32_t top = value << (32 - shift - bits);
  return extends ? uint32_t(int32_t(top) >> (32 - bits)) : top >> (32 - bits);
}

uint32_t rooftile::emulator::mergePart(uint32_t before, uint32_t value,
                                       const PartSelection &parts) {
  auto [shift, bits] = extent(parts.destination);
  if (bits == 32)
    return value;
  uint32_t mask = ((1u << bits) - 1) << shift, placed = value << shift & mask;
  if (parts.unused == PartSelection::Unused::Preserve)
    return (before & ~mask) | placed;
  if (parts.unused == PartSelection::Unused::Sext) // Above the part; below it are zeros.
    return uint32_t(int32_t(placed << (32 - shift - bits)) >> (32 - shift - bits));
  return placed;
}
