//===- Matrices.cpp - Matrix instructions, and accumulation registers -----===//
//
// "MI200 ISA" and "MI300 ISA", Matrix Arithmetic Instructions, and "RDNA3 ISA", 7.9, with the
// formulas of AMD's matrix instruction calculator for the places of elements; nothing is read from
// the rows that the compiler has. Lanes that EXEC leaves off count, too.
//
// The order in which a machine adds up the products of one instruction is not documented: here it
// is that of K, each addition fused and rounded to the type of C.
//
//===----------------------------------------------------------------------===//

#include "LaneLoops.h"
#include "rooftile/Emulator/Handlers.h"

using namespace rooftile::emulator;

namespace {
/// Where a unit has its elements: registers `item` of `lane` of an instruction of m x n x k.
struct Mfma {
  static constexpr unsigned kLanes = 64;
  template <unsigned size, unsigned k> static constexpr unsigned itemsOf() {
    return size * k / kLanes;
  }
  template <unsigned size, unsigned k> static unsigned depth(unsigned lane, unsigned item) {
    return itemsOf<size, k>() * (lane / size) + item;
  }
  /// Rows of C come in fours, but for f64.
  template <unsigned n> static unsigned row(unsigned lane, unsigned item, bool isDouble) {
    unsigned groups = kLanes / n, group = lane / n;
    return isDouble ? groups * item + group : 4 * (groups * (item / 4) + group) + item % 4;
  }
};
struct Wmma {
  static constexpr unsigned kLanes = 32;
  template <unsigned size, unsigned k> static constexpr unsigned itemsOf() { return k; }
  template <unsigned size, unsigned k> static unsigned depth(unsigned, unsigned item) {
    return item;
  }
  template <unsigned n> static unsigned row(unsigned lane, unsigned item, bool) {
    return 2 * item + lane / n;
  }
};

/// Elements of 16 bits, two in a register; MI200 flushes denormals of these.
template <class Format> struct Half {
  using Value = float;
  static Value read(const Wave &wave, const Operand &operand, unsigned lane, unsigned item) {
    uint32_t word = wave.lane32(operand, lane, item / 2);
    return Format::value(uint16_t(item % 2 ? word >> 16 : word));
  }
};
struct PlainF16 {
  static float value(uint16_t bits) { return float(halfToDouble(bits)); }
};
struct PlainBF16 {
  static float value(uint16_t bits) { return bitsAs<float>(uint32_t(bits) << 16); }
};
template <class Format, uint16_t exponent> struct Flushing {
  static float value(uint16_t bits) {
    return Format::value(bits & exponent ? bits : uint16_t(bits & 0x8000));
  }
};
struct Single {
  using Value = float;
  static Value read(const Wave &wave, const Operand &operand, unsigned lane, unsigned item) {
    return bitsAs<float>(wave.lane32(operand, lane, item));
  }
};
struct Double {
  using Value = double;
  static Value read(const Wave &wave, const Operand &operand, unsigned lane, unsigned item) {
    return bitsAs<double>(wave.lane64(operand, lane, 2 * item));
  }
};

void store(Wave &wave, const Operand &to, unsigned lane, unsigned item, float value) {
  wave.setLane32(to, lane, bitsAs<uint32_t>(value), item);
}
void store(Wave &wave, const Operand &to, unsigned lane, unsigned item, double value) {
  wave.setLane64(to, lane, bitsAs<uint64_t>(value), 2 * item);
}

/// Modifiers that choose blocks or signs.
bool isModified(const Modifiers &modifiers) {
  return modifiers.cbsz || modifiers.abid || modifiers.blgp || modifiers.negLo || modifiers.negHi ||
         modifiers.opSel;
}

/// C (m x n) = A * B + C, of factors that `Factor` reads and sums that `Sum` reads.
template <class Unit, class Factor, class Sum, unsigned m, unsigned n, unsigned k>
void multiply(Wave &wave, const Instruction &instruction) {
  using Value = typename Sum::Value;
  constexpr unsigned ofC = m * n / Unit::kLanes;
  if (isModified(instruction.modifiers) || wave.lanes() != Unit::kLanes)
    return wave.fail(instruction.name + " with modifiers, or by " + std::to_string(wave.lanes()) +
                     " lanes, is not known");
  const Operand *operands = instruction.operands.data();
  Value a[m][k], b[k][n];
  for (unsigned lane = 0; lane < Unit::kLanes; ++lane) {
    for (unsigned item = 0; item < Unit::template itemsOf<m, k>(); ++item)
      a[lane % m][Unit::template depth<m, k>(lane, item)] =
          Factor::read(wave, operands[1], lane, item);
    for (unsigned item = 0; item < Unit::template itemsOf<n, k>(); ++item)
      b[Unit::template depth<n, k>(lane, item)][lane % n] =
          Factor::read(wave, operands[2], lane, item);
  }
  Value sums[Unit::kLanes][ofC];
  for (unsigned lane = 0; lane < Unit::kLanes; ++lane)
    for (unsigned item = 0; item < ofC; ++item) {
      Value &sum = sums[lane][item] = Sum::read(wave, operands[3], lane, item);
      unsigned row = Unit::template row<n>(lane, item, sizeof(Value) == 8);
      for (unsigned depth = 0; depth < k; ++depth)
        sum = std::fma(a[row][depth], b[depth][lane % n], sum);
    }
  for (unsigned lane = 0; lane < Unit::kLanes; ++lane)
    for (unsigned item = 0; item < ofC; ++item)
      store(wave, operands[0], lane, item, sums[lane][item]);
}

/// Both halves of a wave must hold the same rows of A and columns of B.
template <class Factor> void multiplyHeldTwice(Wave &wave, const Instruction &instruction) {
  for (unsigned operand : {1, 2})
    for (unsigned lane = 0; lane < 16; ++lane)
      for (unsigned word = 0; word < 8; ++word)
        if (const Operand &own = instruction.operands[operand];
            wave.lane32(own, lane, word) != wave.lane32(own, lane + 16, word))
          return wave.fail(instruction.name + ": lanes " + std::to_string(lane) + " and " +
                           std::to_string(lane + 16) + " hold different elements of " +
                           (operand == 1 ? "A" : "B"));
  multiply<Wmma, Factor, Single, 16, 16, 16>(wave, instruction);
}

/// Both names of an instruction with factors of 16 bits: that of MI200, and of MI300.
template <class Format, uint16_t exponent>
void addHalves(Handlers &handlers, const std::string &before, const std::string &after) {
  using Flushed = Half<Flushing<Format, exponent>>;
  handlers["v_mfma_f32_16x16x16" + before] = multiply<Mfma, Flushed, Single, 16, 16, 16>;
  handlers["v_mfma_f32_32x32x8" + before] = multiply<Mfma, Flushed, Single, 32, 32, 8>;
  handlers["v_mfma_f32_16x16x16_" + after] = multiply<Mfma, Half<Format>, Single, 16, 16, 16>;
  handlers["v_mfma_f32_32x32x8_" + after] = multiply<Mfma, Half<Format>, Single, 32, 32, 8>;
  handlers["v_wmma_f32_16x16x16_" + after] = multiplyHeldTwice<Half<Format>>;
}
} // namespace

void rooftile::emulator::addMatrixHandlers(Handlers &handlers) {
  auto move = [](uint32_t value) { return value; };
  handlers["v_accvgpr_read_b32"] = handlers["v_accvgpr_write_b32"] = handlers["v_accvgpr_mov_b32"] =
      lanes<U32, U32>(move);
  handlers["v_accvgpr_read"] = handlers["v_accvgpr_write"] = handlers["v_accvgpr_read_b32"];
  for (std::string separator : {"", "_"}) {
    handlers["v_mfma_f64_16x16x4" + separator + "f64"] = multiply<Mfma, Double, Double, 16, 16, 4>;
    handlers["v_mfma_f32_16x16x4" + separator + "f32"] = multiply<Mfma, Single, Single, 16, 16, 4>;
    handlers["v_mfma_f32_32x32x2" + separator + "f32"] = multiply<Mfma, Single, Single, 32, 32, 2>;
  }
  addHalves<PlainF16, 0x7c00>(handlers, "f16", "f16");
  addHalves<PlainBF16, 0x7f80>(handlers, "bf16_1k", "bf16");
}
