//===- Instruction.h - One instruction of an AMD GPU ------------*- C++ -*-===//
#ifndef ROOFTILE_EMULATOR_INSTRUCTION_H
#define ROOFTILE_EMULATOR_INSTRUCTION_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rooftile::emulator {

class Wave;

/// Numbers of scalar registers with a name, whatever their encodings on a chip.
enum ScalarRegister : uint16_t {
  kFlatScratch = 102, ///< And 103.
  kXnackMask = 104,   ///< And 105.
  kVcc = 106,         ///< And 107.
  kM0 = 124,
  kNull = 125, ///< Reads as 0.
  kExec = 126, ///< And 127.
  kScalarRegisters = 128
};

/// A register, several in a row, a constant, or an address of code.
struct Operand {
  enum class Kind : uint8_t {
    None, ///< "off", and what an instruction does not have.
    Scalar,
    Vector,
    Accumulator, ///< AGPRs of gfx90a and gfx942.
    Integer,     ///< Inline constants and literals that are printed as integers.
    Float,       ///< Inline constants that are printed as floating-point numbers.
    Scc
  };
  Kind kind = Kind::None;
  uint8_t count = 1;  ///< Registers of 32 bits.
  uint16_t index = 0; ///< Number of the first register.
  int64_t integer = 0;
  double real = 0;
  bool negated = false, absolute = false; ///< Modifiers of floating-point sources.
  bool extended = false;                  ///< sext() of an SDWA source.
  bool isLiteral = false; ///< An integer of 32 bits in the code: the high half of an f64.
  bool isHigh = false;    ///< The high half of a register (gfx11).
  bool isHalf = false;    ///< Either half: the other one is kept.

  bool isRegister() const {
    return kind == Kind::Scalar || kind == Kind::Vector || kind == Kind::Accumulator;
  }
};

/// Exchange of lanes before an instruction (DPP).
struct LanePermutation {
  enum class Kind : uint8_t {
    None,
    QuadPerm,
    RowShl,
    RowShr,
    RowRor,
    WaveShl,
    WaveShr,
    RowMirror,
    RowHalfMirror,
    RowBroadcast,
    RowNewBroadcast,
    RowShare,
    RowXmask
  };
  Kind kind = Kind::None;
  unsigned value = 0; ///< A shift, a row's lane, or four times two bits.
  unsigned rowMask = 15, bankMask = 15;
  bool boundControl = false;    ///< Lanes outside read as 0.
  bool fetchesInactive = false; ///< Lanes outside of EXEC are read, too (gfx10+).
};

/// Parts of registers that an SDWA instruction uses.
struct PartSelection {
  enum class Part : uint8_t { Byte0, Byte1, Byte2, Byte3, Word0, Word1, Dword };
  enum class Unused : uint8_t { Pad, Sext, Preserve };
  bool isUsed = false;
  Part destination = Part::Dword, sources[2] = {Part::Dword, Part::Dword};
  Unused unused = Unused::Pad;
};

/// Modifiers after the operands in the text of an instruction.
struct Modifiers {
  int64_t offset = 0; ///< In bytes; of ds_read2 and the like in elements.
  int64_t offset0 = 0, offset1 = 0;
  int outputScale = 0; ///< mul:2, mul:4, div:2 as 1, 2, -1: a power of 2.
  bool clamp = false;
  bool returnsPrevious = false;   ///< glc, sc0 of an atomic.
  uint8_t opSel = 0, opSelHi = 0; ///< A bit for each operand; sources of packed math: opSelHi is
                                  ///< all ones where it is not printed.
  uint8_t negLo = 0, negHi = 0;   ///< negLo: neg of matrix instructions of f64, too.
  uint8_t cbsz = 0, abid = 0, blgp = 0; ///< Blocks of A and B that matrix instructions use.
  LanePermutation lanes;
  PartSelection parts;
  int vectorCount = -1, localCount = -1, exportCount = -1; ///< Counts of s_waitcnt; -1: any number.
};

/// An instruction as its handler executes it.
struct Instruction {
  uint64_t offset = 0; ///< Bytes from the begin of the code object's image.
  uint32_t bytes = 0;
  std::string name;                       ///< "v_fma_f32": without _e32, _e64, _dpp and _sdwa.
  std::string text;                       ///< As the disassembler prints it.
  llvm::SmallVector<Operand, 5> operands; ///< In the order of the text: destinations come first.
  Modifiers modifiers;
  uint64_t target = 0; ///< Offset that a branch leads to.
  /// Both parts of a v_dual instruction, which read before either writes; its name is "v_dual".
  std::vector<Instruction> parts;

  bool keepsHalf = false; ///< A load of 16 bits or less that leaves the rest of its register.

  /// Executes it for all lanes of EXEC. A problem is reported by Wave::fail. Null: unknown.
  using Handler = void (*)(Wave &, const Instruction &);
  Handler execute = nullptr;
};

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_INSTRUCTION_H
