//===- Wave.h - Registers of a wave, as instructions see them ---*- C++ -*-===//
#ifndef ROOFTILE_EMULATOR_WAVE_H
#define ROOFTILE_EMULATOR_WAVE_H

#include "rooftile/Emulator/Instruction.h"

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace rooftile::emulator {

class GlobalView;
class LocalMemory;

/// A register of each lane.
using Lanes = std::array<uint32_t, 64>;

/// Accesses that a wave has started and not waited for, by the counter that s_waitcnt names.
enum class Counter : uint8_t {
  Vector, ///< vmcnt: loads of vector memory; before gfx10 stores, too.
  Local,  ///< lgkmcnt: LDS in order, scalar memory in any order.
  Store,  ///< vscnt, from gfx10 on.
  Count
};

/// Bits of the register MODE that handlers need.
struct FloatMode {
  bool keepsDenormals32 = true, keepsDenormals16And64 = true;
  bool isIeee = true; ///< Quiet signalling NaN values.
};

class Wave {
public:
  Wave(unsigned lanes, unsigned vectors, unsigned accumulators);

  //===--- Registers -------------------------------------------------------===//

  unsigned lanes() const { return laneCount; }
  uint64_t exec() const;
  void setExec(uint64_t mask);
  bool isActive(unsigned lane) const { return exec() >> lane & 1; }
  bool scc = false;
  FloatMode mode;

  /// Value of a scalar operand or a constant. An f64 constant: bits64.
  uint32_t scalar32(const Operand &operand) const;
  uint64_t scalar64(const Operand &operand) const;
  void setScalar32(const Operand &operand, uint32_t value);
  void setScalar64(const Operand &operand, uint64_t value);
  /// A register of scalar operands that have several.
  uint32_t &scalar(unsigned index) { return scalars[index]; }
  /// A mask with a bit for each lane, in one or two registers.
  uint64_t mask(const Operand &operand) const;
  void setMask(const Operand &operand, uint64_t value);

  /// Value of a source for a lane: a vector register, or what is the same for all lanes. `word`: of
  /// operands with several registers. Modifiers of floating-point numbers are not applied.
  uint32_t lane32(const Operand &operand, unsigned lane, unsigned word = 0) const;
  uint64_t lane64(const Operand &operand, unsigned lane, unsigned word = 0) const;
  void setLane32(const Operand &operand, unsigned lane, uint32_t value, unsigned word = 0);
  void setLane64(const Operand &operand, unsigned lane, uint64_t value, unsigned word = 0);

  /// A vector register of all lanes; null of other operands. `word`: as above.
  const Lanes *row(const Operand &operand, unsigned word = 0) const {
    if (operand.kind == Operand::Kind::Vector)
      return &vectors[operand.index + word];
    return operand.kind == Operand::Kind::Accumulator ? &accumulators[operand.index + word]
                                                      : nullptr;
  }
  Lanes *row(const Operand &operand, unsigned word = 0) {
    return const_cast<Lanes *>(std::as_const(*this).row(operand, word));
  }

  /// Bits of a constant in a number format of so many bytes.
  static uint64_t constant(const Operand &operand, unsigned bytes);

  template <typename Visit> void forActive(Visit visit) {
    uint64_t active = exec();
    for (unsigned lane = 0; lane < laneCount; ++lane)
      if (active >> lane & 1)
        visit(lane);
  }

  //===--- Control ---------------------------------------------------------===//

  enum class State : uint8_t { Running, AtBarrier, Done };
  State state = State::Running;
  size_t next = 0; ///< Index of the instruction that runs next.
  /// For branches: an offset in the image.
  void jump(uint64_t offset) { jumpTarget = offset, hasJump = true; }
  bool takeJump(uint64_t &offset);
  /// Ends the launch with this message; the first one counts.
  void fail(const std::string &message);
  const std::string &failure() const { return message; }

  //===--- Memory ----------------------------------------------------------===//

  GlobalView *global = nullptr;
  LocalMemory *local = nullptr;
  unsigned number = 0;          ///< In its workgroup.
  uint64_t imageAddress = 0;    ///< Address of the code object.
  bool hasStoreCounter = false; ///< vscnt exists.

  /// Notes an access of which registers of `destination` (none of a store) are not known before its
  /// wait. `inOrder`: those of the counter that came before are known before.
  void begin(Counter counter, const Operand &destination, bool inOrder, bool writesLocal = false);
  /// Until `left` accesses at most are under way.
  void wait(Counter counter, unsigned left);
  bool hasLocalStores() const;
  /// Fails where the instruction reads or writes a register whose value is under way.
  bool checkPending(const Instruction &instruction);

private:
  struct Access {
    Operand destination;
    bool inOrder, writesLocal;
  };
  void mark(const Operand &operand, bool isPending);
  size_t registersLike(const Operand &operand) const;

  unsigned laneCount;
  std::array<uint32_t, kScalarRegisters> scalars{};
  std::vector<Lanes> vectors, accumulators;
  std::vector<uint8_t> pendingVectors, pendingAccumulators;
  std::array<uint8_t, kScalarRegisters> pendingScalars{};
  std::deque<Access> accesses[size_t(Counter::Count)];
  std::string message;
  uint64_t jumpTarget = 0;
  bool hasJump = false;
};

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_WAVE_H
