//===- Instructions.h - Matrix instructions as data -------------*- C++ -*-===//
//
// One row of a table is one instruction. Its fragments map which lane holds which element in
// which register, as the maps of the tile level do. A new instruction is a row here, its name
// in the text of the chips that have it, and a lowering of lane.mma in Conversion.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_TILE_INSTRUCTIONS_H
#define ROOFTILE_DIALECT_TILE_INSTRUCTIONS_H

#include "rooftile/Dialect/Tile/Tile.h"

#include <array>

namespace rooftile::tile {

/// One operand of an instruction: threads are the lanes of a subgroup.
struct Fragment {
  llvm::SmallVector<Mode, 4> threads, values;
};

/// The real elements of an operand: their type in MLIR, and bytes of one.
struct Number {
  llvm::StringLiteral name;
  int64_t bytes;
  /// The name of a format that is not IEEE's of that width; else empty. Of tf32 elements have the
  /// 32 bits of f32, of which the instruction reads the first 19.
  llvm::StringLiteral format = "";
};

/// The unit that executes an instruction, which decides how its registers are handed over.
enum class MatrixUnit {
  Mma,   ///< NVIDIA, mma.sync: elements of 16 bits in pairs.
  Wgmma, ///< NVIDIA Hopper, wgmma.mma_async: four subgroups, factors in shared memory.
  Mfma,  ///< AMD CDNA: a vector for each operand, blocks that are not permuted.
  Wmma   ///< AMD RDNA3: a vector for each operand; two lanes have the same row of A, column of B.
};

/// Where an instruction finds a factor.
enum class Home {
  Registers, ///< In those of the lanes, as its fragment maps it.
  Shared     ///< In shared memory: the fragment is what the accumulators of a lane depend on.
};

/// C (m x n) += A (m x k) * B (k x n), by the lanes of a subgroup, or of four neighbouring ones (a
/// warpgroup). A row names its fields.
struct Instruction {
  llvm::StringLiteral name; ///< As in mma = of a plan.
  Number factors;           ///< Elements of A and B.
  Number sums;              ///< Elements of C.
  int64_t m, n, k;          ///< Extents in elements.
  Fragment a, b, c;         ///< Which lane has which element in which register.
  /// The instruction of a machine that does it: this one, or that of C^T = B^T A^T, whose A is this
  /// B and whose B is this A.
  llvm::StringLiteral machine;
  MatrixUnit unit = MatrixUnit::Mma;
  /// Subgroups, neighbours, whose lanes execute it together.
  int64_t subgroups = 1;
  Home homeOfA = Home::Registers, homeOfB = Home::Registers;
  /// Whether it runs on while its lanes do: its results are there after a wait. Else it is done
  /// when the next instruction reads C.
  bool isAwaited = false;
  /// Columns that one issue multiplies at most, a multiple of n; 0: n.
  int64_t mostN = 0;
  /// LLVM's name of the machine's instruction, or PTX's where LLVM has none ({0}: its N).
  llvm::StringLiteral intrinsic = "";
  /// 32-bit registers of a thread below which an assembler refuses it.
  int64_t leastRegisters = 0;
  /// Lanes that hold different K of A; and neighbours along K that each of them holds at a time: in
  /// one register, where elements are narrower than that. They follow from the fragments.
  int64_t lanesOfK = 1, runOfK = 1;
  /// Lanes side by side that hold the same K of different rows of A: 1 where lanes along K come
  /// first.
  int64_t rowsFirst = 1;
  /// Lanes that hold the same element of A and of B.
  int64_t copies = 1;
  /// Neighbours along N, from one lane's point of view, that it has of C.
  int64_t columnsOfLane = 1;

  /// Whether shared memory must have the rows of factors along K.
  bool needsRowsOfK = false;
  bool isOfTf32() const { return factors.format == "tf32"; }
  bool isExchanged() const { return machine != name; }
  /// Whether it reads both factors from shared memory.
  bool readsShared() const { return homeOfA == Home::Shared && homeOfB == Home::Shared; }
  /// Lanes that execute it together.
  int64_t lanes() const;
  /// Lanes over C: along M, along N.
  std::array<int64_t, 2> lanesOfC() const;
  /// K elements of a slice of the tiles: a multiple of k in which each lane has several elements of
  /// A or of B. Deeper ones would need registers for fragments that are not multiplied yet.
  int64_t depth() const;
};

/// The instruction that a plan names, or null.
const Instruction *findInstruction(llvm::StringRef name);

/// All ways to use an instruction of a machine.
llvm::SmallVector<const Instruction *> instructionsOf(llvm::StringRef machine);

/// All of them.
llvm::ArrayRef<Instruction> allInstructions();

/// Names of all instructions, for messages.
std::string instructionNames();

/// A multiply-add of every lane of a subgroup, as an instruction of lanes M x lanes N x
/// depth.
Instruction multiplyAdd(int64_t lanesM, int64_t lanesN, int64_t depth);

/// Bytes of a row of the layout in which an instruction reads shared memory, of a unit that its
/// swizzle moves, and rows after which the swizzle repeats (PTX ISA 9.0, "Shared Memory Matrix
/// Layout", 128-byte swizzle).
inline constexpr int64_t kSharedRowBytes = 128, kSharedUnitBytes = 16, kSharedRows = 8;

/// One dimension of an instruction, spread over the part of a tile that a subgroup holds.
///
/// The operand that is not C holds a coordinate in digits of lanes and of registers. In the tile
/// lanes step by `laneStep` elements, a run of `run` or more; what one lane holds, in registers of
/// the instruction and in its repetitions, are `units` elements: unit u lies u mod run into run u /
/// run, and runs lie `runStride` apart.
class Spread {
public:
  Spread(llvm::ArrayRef<Mode> threads, llvm::ArrayRef<Mode> values, bool rows);

  /// Lanes along the dimension; elements of one lane in the instruction.
  int64_t lanes() const { return laneCount; }
  int64_t unitsOfInstruction() const { return unitCount; }
  /// Neighbours in the instruction that one lane holds.
  int64_t runOfInstruction() const;
  /// Elements of the tile that a subgroup has before those of the next one.
  int64_t extent() const { return isWhole ? laneCount * units : run * laneCount; }
  /// Where things lie in the tile: repetitions of the instruction one after the other, as shared
  /// memory has what it reads.
  void arrangeWhole(int64_t units);
  /// Where things lie in the tile, for `units` elements of a lane.
  void arrange(int64_t run, int64_t runStride, int64_t units, int64_t laneStep);

  int64_t getRun() const { return run; }
  int64_t getUnits() const { return units; }
  int64_t getRunStride() const { return runStride; }
  /// Offset in the tile of coordinate `index` of the instruction.
  int64_t place(int64_t index) const;
  /// Sizes and steps of the repetitions of the instruction.
  llvm::SmallVector<std::pair<int64_t, int64_t>> repetitions() const;

private:
  struct Digit {
    int64_t size, stride;
    bool lane;
  };
  llvm::SmallVector<Digit> digits; // the smallest stride first
  int64_t laneCount = 1, unitCount = 1;
  int64_t run = 1, runStride = 1, units = 1, laneStep = 1;
  bool isWhole = false;
};

/// `instruction` as an attribute, rows, columns and K where the spreads put them; or as it is.
InstructionAttr placedInstruction(mlir::MLIRContext *context, const Instruction &instruction,
                                  const Spread &rows, const Spread &columns, const Spread &depth);
InstructionAttr plainInstruction(mlir::MLIRContext *context, const Instruction &instruction);

/// One application of an instruction within the registers of a fragment: where it begins, and the
/// register of the fragment for each register of the instruction.
struct Repetition {
  std::pair<int64_t, int64_t> origin;
  llvm::SmallVector<int64_t> registers;
};

/// The registers of `fragment` as repetitions of `instruction`, rows first; nothing if they are
/// not.
std::optional<llvm::SmallVector<Repetition>> repetitionsOf(MapAttr fragment, MapAttr instruction);

} // namespace rooftile::tile

#endif // ROOFTILE_DIALECT_TILE_INSTRUCTIONS_H
