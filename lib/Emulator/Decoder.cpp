//===- Decoder.cpp - Instructions from the words of a code object ---------===//
//
// LLVM's disassembler decodes a word and prints it; Parser.cpp reads the text. So the encodings of
// four chips live in LLVM alone. Branches are followed from the entries: what nothing reaches may
// be a constant or padding.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/CodeObject.h"
#include "rooftile/Emulator/Handlers.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <mutex>

using namespace llvm;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace rooftile::emulator {
namespace {

constexpr uint64_t kWord = 4;

template <typename... Values> Error failure(const char *format, Values &&...values) {
  return createStringError(inconvertibleErrorCode(),
                           formatv(format, std::forward<Values>(values)...).str());
}

/// LLVM's disassembler for a chip. Not for several threads at once: each decode has its own.
class Disassembler {
public:
  static Expected<std::unique_ptr<Disassembler>> create(StringRef chip);
  /// Text and size of the first instruction; empty where it is none.
  std::string print(ArrayRef<uint8_t> code, uint64_t offset, uint64_t &bytes) const;

private:
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> syntax;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> decoder;
  std::unique_ptr<MCInstPrinter> printer;
};

Expected<std::unique_ptr<Disassembler>> Disassembler::create(StringRef chip) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  Triple triple("amdgcn-amd-amdhsa");
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return failure("{0}", problem);
  auto made = std::make_unique<Disassembler>();
  made->registers.reset(target->createMCRegInfo(triple));
  made->syntax.reset(target->createMCAsmInfo(*made->registers, triple, made->options));
  made->instructions.reset(target->createMCInstrInfo());
  made->subtarget.reset(target->createMCSubtargetInfo(triple, "", ""));
  if (!made->subtarget || !made->subtarget->isCPUStringValid(chip))
    return failure("the chip {0} is unknown", chip);
  made->subtarget.reset(target->createMCSubtargetInfo(triple, chip, ""));
  made->context = std::make_unique<MCContext>(triple, made->syntax.get(), made->registers.get(),
                                              made->subtarget.get());
  made->decoder.reset(target->createMCDisassembler(*made->subtarget, *made->context));
  made->printer.reset(target->createMCInstPrinter(triple, made->syntax->getAssemblerDialect(),
                                                  *made->syntax, *made->instructions,
                                                  *made->registers));
  if (!made->decoder || !made->printer)
    return failure("LLVM has no disassembler for {0}", chip);
  return made;
}

std::string Disassembler::print(ArrayRef<uint8_t> code, uint64_t offset, uint64_t &bytes) const {
  MCInst instruction;
  auto status = decoder->getInstruction(instruction, bytes, code, offset, nulls());
  if (status != MCDisassembler::Success || bytes == 0 || bytes > code.size() || bytes % kWord)
    return "";
  std::string text;
  raw_string_ostream stream(text);
  printer->printInst(&instruction, offset, "", *subtarget, stream);
  return StringRef(text).trim().str();
}

bool isConditional(StringRef name) { return name.starts_with("s_cbranch_"); }
bool isBranch(StringRef name) {
  return name == "s_branch" || name == "s_call_b64" || isConditional(name);
}
bool isComputedJump(StringRef name) { return name == "s_setpc_b64" || name == "s_swappc_b64"; }
/// The next instruction does not follow.
bool endsFlow(StringRef name) {
  return name == "s_branch" || name == "s_endpgm" || name == "s_endpgm_saved" ||
         name == "s_setpc_b64" || name == "s_code_end";
}

void setHandlers(Instruction &instruction) {
  StringRef name = instruction.name;
  instruction.execute = handlers().lookup(name);
  instruction.keepsHalf = name.contains("d16") && (name.contains("load") || name.contains("read"));
  for (Instruction &part : instruction.parts)
    part.execute = handlers().lookup(part.name);
}

/// Follows the control flow through the words of a segment.
class Flow {
public:
  Flow(const Disassembler &disassembler, ArrayRef<uint8_t> code, uint64_t begin, StringRef chip)
      : disassembler(disassembler), code(code), begin(begin), chip(chip),
        words(code.size() / kWord, Word::Unknown) {}

  Error follow(ArrayRef<uint64_t> entries);
  std::vector<Instruction> take();

private:
  enum class Word : uint8_t { Unknown, First, Later };

  Error followFrom(uint64_t offset);
  Error decodeAt(uint64_t offset);
  void sweep();
  size_t wordOf(uint64_t offset) const { return (offset - begin) / kWord; }

  const Disassembler &disassembler;
  ArrayRef<uint8_t> code;
  uint64_t begin;
  StringRef chip;
  std::vector<Word> words;
  std::vector<uint64_t> pending;
  std::vector<Instruction> found;
  bool hasComputedJump = false;
};

/// Appends the instruction to those found.
Error Flow::decodeAt(uint64_t offset) {
  ArrayRef<uint8_t> rest = code.drop_front(offset - begin);
  uint64_t bytes = 0;
  std::string text = disassembler.print(rest, offset, bytes);
  if (text.empty())
    return failure("no instruction of {0} is {1:x8} at offset {2:x}", chip,
                   support::endian::read32le(rest.data()), offset);
  Expected<Instruction> instruction = parseInstruction(text, offset, uint32_t(bytes));
  if (!instruction)
    return joinErrors(instruction.takeError(), failure("at offset {0:x}", offset));
  for (size_t word = 0; word < bytes / kWord; ++word) {
    Word &state = words[wordOf(offset) + word];
    if (state != Word::Unknown)
      return failure("instructions overlap at offset {0:x}", offset);
    state = word == 0 ? Word::First : Word::Later;
  }
  setHandlers(*instruction);
  found.push_back(std::move(*instruction));
  return Error::success();
}

Error Flow::followFrom(uint64_t offset) {
  for (;;) {
    if (offset < begin || offset % kWord != begin % kWord || wordOf(offset) >= words.size())
      return failure("control flow leaves the code, for offset {0:x}", offset);
    if (words[wordOf(offset)] == Word::First)
      return Error::success();
    if (Error error = decodeAt(offset))
      return error;
    const Instruction &instruction = found.back();
    if (isBranch(instruction.name))
      pending.push_back(instruction.target);
    hasComputedJump |= isComputedJump(instruction.name);
    if (endsFlow(instruction.name))
      return Error::success();
    offset += instruction.bytes;
  }
}

/// Decodes the other words, too, as far as they are instructions.
void Flow::sweep() {
  for (size_t word = 0; word < words.size(); ++word)
    if (words[word] == Word::Unknown)
      consumeError(decodeAt(begin + word * kWord));
}

Error Flow::follow(ArrayRef<uint64_t> entries) {
  pending.assign(entries.begin(), entries.end());
  while (!pending.empty()) {
    uint64_t offset = pending.back();
    pending.pop_back();
    if (Error error = followFrom(offset))
      return error;
  }
  if (hasComputedJump)
    sweep();
  return Error::success();
}

std::vector<Instruction> Flow::take() {
  llvm::sort(found, [](const Instruction &a, const Instruction &b) { return a.offset < b.offset; });
  return std::move(found);
}

} // namespace

Expected<std::vector<Instruction>> decode(ArrayRef<uint8_t> code, uint64_t offset, StringRef chip,
                                          ArrayRef<uint64_t> entries) {
  Expected<std::unique_ptr<Disassembler>> disassembler = Disassembler::create(chip);
  if (!disassembler)
    return disassembler.takeError();
  Flow flow(**disassembler, code, offset, chip);
  if (Error error = flow.follow(entries.empty() ? ArrayRef(offset) : entries))
    return error;
  return flow.take();
}

} // namespace rooftile::emulator
