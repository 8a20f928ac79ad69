//===- CodeObject.h - Kernels of an AMD code object -------------*- C++ -*-===//
//
// A code object is an ELF file: segments, a descriptor of 64 bytes for each kernel (NAME.kd), and
// metadata of arguments, a binary form of JSON in a note. Source: LLVM's AMDGPUUsage, "Code Object
// V5".
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EMULATOR_CODEOBJECT_H
#define ROOFTILE_EMULATOR_CODEOBJECT_H

#include "rooftile/Emulator/Instruction.h"
#include "rooftile/Emulator/Wave.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace rooftile::emulator {

/// An argument in the segment whose address a kernel begins with.
struct Argument {
  enum class Kind : uint8_t {
    Value, ///< The arguments of a launch, in order: by value, or pointers.
    BlockCountX,
    BlockCountY,
    BlockCountZ, ///< hidden_*: workgroups,
    GroupSizeX,
    GroupSizeY,
    GroupSizeZ, ///< threads of a workgroup,
    RemainderX,
    RemainderY,
    RemainderZ, ///< of one that is not full,
    GridDimensions,
    GlobalOffset,
    DynamicLocalBytes,
    Other ///< Zero.
  };
  Kind kind = Kind::Value;
  uint32_t offset = 0, bytes = 0;
};

struct Kernel {
  std::string name;
  uint64_t entry = 0; ///< Offset of the first instruction.
  std::vector<Argument> arguments;
  uint32_t argumentBytes = 0; ///< Size of the whole segment.
  uint32_t localBytes = 0;    ///< Static LDS.
  uint32_t scratchBytes = 0;  ///< Private memory of a thread.
  bool hasWave32 = false;
  unsigned vectors = 0;           ///< VGPRs that are allocated, AGPRs included.
  unsigned accumulatorsBegin = 0; ///< Where AGPRs begin among them on gfx90a and gfx942; 0: apart.
  unsigned scalars = 0;
  FloatMode mode;
  /// Registers that are set before a kernel starts, in this order from s0: those that are on.
  bool hasPrivateBuffer = false, hasDispatchPointer = false, hasQueuePointer = false,
       hasArgumentPointer = false, hasDispatchId = false, hasFlatScratch = false,
       hasPrivateSize = false;
  unsigned userScalars = 0; ///< So many come before the numbers of the workgroup.
  bool hasGroupX = false, hasGroupY = false, hasGroupZ = false, hasGroupInfo = false,
       hasScratchOffset = false;
  unsigned itemDimensions = 1; ///< Numbers of the thread: 1 to 3.
};

/// An image in memory, and its code. It must outlive its launches.
class CodeObject {
public:
  /// An error names what is not as expected: the file, an instruction that cannot be decoded.
  static llvm::Expected<std::unique_ptr<CodeObject>> load(llvm::ArrayRef<uint8_t> file);

  const std::string &chip() const { return processor; } ///< "gfx90a".
  /// Null where there is none of that name.
  const Kernel *find(llvm::StringRef name) const;
  const std::vector<Kernel> &kernels() const { return all; }
  std::vector<Instruction> &instructions() { return code; } ///< By offset.
  const std::vector<Instruction> &instructions() const { return code; }
  /// Index of the instruction at an offset; none where none begins.
  std::optional<size_t> indexOf(uint64_t offset) const;
  /// Image with all segments, at the address that code refers to.
  llvm::ArrayRef<uint8_t> image() const { return llvm::ArrayRef(memory).drop_front(padding); }
  /// Address of an offset.
  uint64_t addressOf(uint64_t offset) const { return uint64_t(image().data()) + offset; }

private:
  friend class Loader; // CodeObject.cpp

  std::string processor;
  std::vector<uint8_t> memory;
  size_t padding = 0; ///< Bytes before the image, which begins at a page.
  std::vector<Kernel> all;
  std::vector<Instruction> code;
  llvm::DenseMap<uint64_t, size_t> byOffset;
};

/// Decodes the instructions of `code`, which lies at `offset` of the image, with LLVM's
/// disassembler for `chip`, and gives each its handler (Handlers.h). Only what branches reach from
/// `entries` (offsets in the image; none: the begin of `code`) is decoded, because constants and
/// padding lie between kernels; after a jump to a computed address, whatever can be decoded.
llvm::Expected<std::vector<Instruction>> decode(llvm::ArrayRef<uint8_t> code, uint64_t offset,
                                                llvm::StringRef chip,
                                                llvm::ArrayRef<uint64_t> entries = {});
/// An instruction from its text: "v_fma_f32 v0, -s1, |v2|, 1.0 clamp". `offset` and `bytes`: of it,
/// for branches, whose targets are relative to its end.
llvm::Expected<Instruction> parseInstruction(llvm::StringRef text, uint64_t offset, uint32_t bytes);

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_CODEOBJECT_H
