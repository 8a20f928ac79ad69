//===- Parser.cpp - Instructions from the text of LLVM's disassembler -----===//
//
// "v_fma_f32 v0, -s1, |v2|, 1.0 clamp": a name, operands that commas separate, and modifiers.
// Source of the syntax: LLVM's AMDGPUOperandSyntax, AMDGPUModifierSyntax and the instruction pages
// of GFX9, GFX90a, GFX940 and GFX11. What is not understood is an error that names it: nothing is
// ignored but what concerns time alone (s_delay_alu) and caches (sc1, nt, slc, dlc).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/CodeObject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace llvm;

namespace rooftile::emulator {
namespace {

constexpr double kInverseOfTwoPi = 0.15915494309189532;
constexpr unsigned kVectors = 256, kNumberedScalars = 106, kMostRegisters = 32;

//===--- Operands ------------------------------------------------------------===//

struct Named {
  const char *name;
  uint16_t index;
  uint8_t count;
};

constexpr Named kNamed[] = {
    {"vcc", kVcc, 2},
    {"vcc_lo", kVcc, 1},
    {"vcc_hi", kVcc + 1, 1},
    {"exec", kExec, 2},
    {"exec_lo", kExec, 1},
    {"exec_hi", kExec + 1, 1},
    {"m0", kM0, 1},
    {"null", kNull, 1},
    {"flat_scratch", kFlatScratch, 2},
    {"flat_scratch_lo", kFlatScratch, 1},
    {"flat_scratch_hi", kFlatScratch + 1, 1},
    {"xnack_mask", kXnackMask, 2},
    {"xnack_mask_lo", kXnackMask, 1},
    {"xnack_mask_hi", kXnackMask + 1, 1},
};

Operand scalar(unsigned index, unsigned count) {
  Operand operand;
  operand.kind = Operand::Kind::Scalar;
  operand.index = index;
  operand.count = count;
  return operand;
}

std::optional<Operand> parseNamed(StringRef text) {
  if (text == "off")
    return Operand();
  if (text == "scc" || text == "src_scc") {
    Operand operand;
    operand.kind = Operand::Kind::Scc;
    return operand;
  }
  for (const Named &named : kNamed)
    if (text == named.name)
      return scalar(named.index, named.count);
  return std::nullopt;
}

/// Registers of a list: "5", "[2:3]" or "[2]".
bool parseIndices(StringRef text, unsigned &first, unsigned &last) {
  if (!text.consume_front("["))
    return !text.getAsInteger(10, first) && !text.getAsInteger(10, last);
  if (!text.consume_back("]"))
    return false;
  auto [begin, end] = text.split(':');
  return !begin.getAsInteger(10, first) && !(end.empty() ? begin : end).getAsInteger(10, last);
}

/// s7, v[2:3], a3, or a half of v1.
std::optional<Operand> parseNumbered(StringRef text) {
  Operand operand;
  unsigned most = kVectors;
  if (text.consume_front("s")) {
    operand.kind = Operand::Kind::Scalar;
    most = kNumberedScalars;
  } else if (text.consume_front("v")) {
    operand.kind = Operand::Kind::Vector;
    operand.isHigh = text.consume_back(".h");
    operand.isHalf = operand.isHigh || text.consume_back(".l");
  } else if (text.consume_front("a")) {
    operand.kind = Operand::Kind::Accumulator;
  } else {
    return std::nullopt;
  }
  unsigned first, last;
  if (!parseIndices(text, first, last) || first > last || last >= most ||
      last - first >= kMostRegisters)
    return std::nullopt;
  operand.index = first;
  operand.count = last - first + 1;
  return operand;
}

/// Removes "NAME(" and ")" from both ends.
bool consumeCall(StringRef &text, StringRef name) {
  StringRef inner = text;
  if (!inner.consume_front(name) || !inner.consume_front("(") || !inner.consume_back(")"))
    return false;
  text = inner;
  return true;
}

/// 5, -16, 0x3ff00000, 0.5; lit(0x0): a literal that an inline constant would be, too.
std::optional<Operand> parseConstant(StringRef text) {
  Operand operand;
  operand.kind = Operand::Kind::Integer;
  consumeCall(text, "lit");
  if (text.starts_with("0x")) {
    uint64_t bits;
    if (text.drop_front(2).getAsInteger(16, bits))
      return std::nullopt;
    operand.integer = int64_t(bits);
    operand.isLiteral = bits <= UINT32_MAX;
    return operand;
  }
  if (!text.getAsInteger(10, operand.integer))
    return operand;
  if (text.empty() || !isDigit(text.back()) || text.getAsDouble(operand.real))
    return std::nullopt;
  operand.kind = Operand::Kind::Float;
  if (text.starts_with("0.15915494")) // The type decides how many digits follow.
    operand.real = kInverseOfTwoPi;
  return operand;
}

/// Bits of the register MODE as s_getreg and s_setreg encode them: "hwreg(HW_REG_MODE, 4, 2)".
std::optional<Operand> parseHardwareRegister(StringRef text) {
  SmallVector<StringRef, 3> fields;
  text.split(fields, ',');
  unsigned begin = 0, count = 32;
  if (fields[0].trim() != "HW_REG_MODE" || fields.size() == 2 || fields.size() > 3)
    return std::nullopt;
  if (fields.size() == 3 &&
      (fields[1].trim().getAsInteger(10, begin) || fields[2].trim().getAsInteger(10, count) ||
       begin > 31 || count < 1 || count > 32 - begin))
    return std::nullopt;
  Operand operand;
  operand.kind = Operand::Kind::Integer;
  operand.integer = 1 | begin << 6 | (count - 1) << 11;
  return operand;
}

std::optional<Operand> parseOperand(StringRef text) {
  if (consumeCall(text, "hwreg"))
    return parseHardwareRegister(text);
  bool negated = consumeCall(text, "neg");
  if (!negated && text.size() > 1 && text[0] == '-' && !isDigit(text[1]))
    negated = text.consume_front("-");
  bool extended = consumeCall(text, "sext");
  bool absolute = consumeCall(text, "abs");
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    text = text.drop_front().drop_back();
    absolute = true;
  }
  std::optional<Operand> operand = parseNumbered(text);
  if (!operand)
    operand = parseNamed(text);
  if (!operand)
    operand = parseConstant(text);
  bool isModified = negated || absolute || extended;
  if (!operand || (isModified && operand->kind == Operand::Kind::None))
    return std::nullopt;
  operand->negated = negated;
  operand->absolute = absolute;
  operand->extended = extended;
  return operand;
}

//===--- Modifiers -----------------------------------------------------------===//

/// An integer below `limit`, in decimal or as 0x..
template <typename Integer> bool parseNumber(StringRef text, uint64_t limit, Integer &value) {
  uint64_t number;
  if (text.getAsInteger(text.starts_with("0x") ? 0 : 10, number) || number >= limit)
    return false;
  value = Integer(number);
  return true;
}

/// "[1,0,1]": `width` bits for each element, the first one lowest. At most eight bits.
bool parseList(StringRef text, unsigned width, unsigned &value) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  SmallVector<StringRef, 4> elements;
  text.split(elements, ',');
  if (elements.size() * width > 8)
    return false;
  value = 0;
  for (size_t index = 0; index < elements.size(); ++index) {
    unsigned element;
    if (!parseNumber(elements[index].trim(), 1 << width, element))
      return false;
    value |= element << index * width;
  }
  return true;
}

bool parseBits(StringRef text, uint8_t &bits) {
  unsigned value;
  if (!parseList(text, 1, value))
    return false;
  bits = value;
  return true;
}

bool parsePart(StringRef text, PartSelection &parts, PartSelection::Part &part) {
  using Part = PartSelection::Part;
  std::optional<Part> found = StringSwitch<std::optional<Part>>(text)
                                  .Case("BYTE_0", Part::Byte0)
                                  .Case("BYTE_1", Part::Byte1)
                                  .Case("BYTE_2", Part::Byte2)
                                  .Case("BYTE_3", Part::Byte3)
                                  .Case("WORD_0", Part::Word0)
                                  .Case("WORD_1", Part::Word1)
                                  .Case("DWORD", Part::Dword)
                                  .Default(std::nullopt);
  parts.isUsed = true;
  part = found.value_or(Part::Dword);
  return found.has_value();
}

bool parseUnused(StringRef text, PartSelection &parts) {
  using Unused = PartSelection::Unused;
  std::optional<Unused> found = StringSwitch<std::optional<Unused>>(text)
                                    .Case("UNUSED_PAD", Unused::Pad)
                                    .Case("UNUSED_SEXT", Unused::Sext)
                                    .Case("UNUSED_PRESERVE", Unused::Preserve)
                                    .Default(std::nullopt);
  parts.isUsed = true;
  parts.unused = found.value_or(Unused::Pad);
  return found.has_value();
}

/// "row_shl:1". None where the name is another's.
std::optional<bool> parseLanes(StringRef name, StringRef value, LanePermutation &lanes) {
  using Kind = LanePermutation::Kind;
  if (name == "row_mask")
    return parseNumber(value, 16, lanes.rowMask);
  if (name == "bank_mask")
    return parseNumber(value, 16, lanes.bankMask);
  if (name == "bound_ctrl") // "0" is an older spelling of it.
    return lanes.boundControl = value == "1" || value == "0";
  if (name == "fi")
    return parseNumber(value, 2, lanes.fetchesInactive);
  Kind kind = StringSwitch<Kind>(name)
                  .Case("quad_perm", Kind::QuadPerm)
                  .Case("row_shl", Kind::RowShl)
                  .Case("row_shr", Kind::RowShr)
                  .Case("row_ror", Kind::RowRor)
                  .Case("wave_shl", Kind::WaveShl)
                  .Case("wave_shr", Kind::WaveShr)
                  .Case("row_mirror", Kind::RowMirror)
                  .Case("row_half_mirror", Kind::RowHalfMirror)
                  .Case("row_bcast", Kind::RowBroadcast)
                  .Case("row_newbcast", Kind::RowNewBroadcast)
                  .Case("row_share", Kind::RowShare)
                  .Case("row_xmask", Kind::RowXmask)
                  .Default(Kind::None);
  if (kind == Kind::None)
    return std::nullopt;
  lanes.kind = kind;
  if (kind == Kind::QuadPerm)
    return parseList(value, 2, lanes.value);
  if (kind == Kind::RowMirror || kind == Kind::RowHalfMirror)
    return value.empty();
  return parseNumber(value, kind == Kind::RowBroadcast ? 32 : 16, lanes.value);
}

/// "glc", "offset:16". None where no modifier has that name.
std::optional<bool> parseModifier(StringRef text, Modifiers &modifiers) {
  auto [name, value] = text.split(':');
  if (text == "glc" || text == "sc0")
    return modifiers.returnsPrevious = true;
  if (text == "sc1" || text == "nt" || text == "slc" || text == "dlc")
    return true;
  if (text == "clamp")
    return modifiers.clamp = true;
  if (name == "mul" || text == "div:2") {
    modifiers.outputScale = text == "mul:2" ? 1 : text == "mul:4" ? 2 : -1;
    return text == "mul:2" || text == "mul:4" || text == "div:2";
  }
  if (name == "offset")
    return !value.getAsInteger(value.contains("0x") ? 0 : 10, modifiers.offset);
  if (name == "offset0")
    return parseNumber(value, 256, modifiers.offset0);
  if (name == "offset1")
    return parseNumber(value, 256, modifiers.offset1);
  if (name == "op_sel")
    return parseBits(value, modifiers.opSel);
  if (name == "op_sel_hi")
    return parseBits(value, modifiers.opSelHi);
  if (name == "neg_lo" || name == "neg")
    return parseBits(value, modifiers.negLo);
  if (name == "neg_hi")
    return parseBits(value, modifiers.negHi);
  if (name == "dst_sel")
    return parsePart(value, modifiers.parts, modifiers.parts.destination);
  if (name == "src0_sel")
    return parsePart(value, modifiers.parts, modifiers.parts.sources[0]);
  if (name == "src1_sel")
    return parsePart(value, modifiers.parts, modifiers.parts.sources[1]);
  if (name == "dst_unused")
    return parseUnused(value, modifiers.parts);
  if (name == "cbsz")
    return parseNumber(value, 8, modifiers.cbsz);
  if (name == "abid")
    return parseNumber(value, 16, modifiers.abid);
  if (name == "blgp")
    return parseNumber(value, 8, modifiers.blgp);
  return parseLanes(name, value, modifiers.lanes);
}

//===--- Instructions --------------------------------------------------------===//

/// A word up to a comma or a blank that no bracket encloses.
StringRef takeWord(StringRef &text) {
  int depth = 0;
  size_t end = 0;
  for (; end < text.size(); ++end) {
    char letter = text[end];
    if (letter == '[' || letter == '(')
      ++depth;
    else if (letter == ']' || letter == ')')
      --depth;
    else if (depth <= 0 && (letter == ',' || isSpace(letter)))
      break;
  }
  StringRef word = text.take_front(end);
  text = text.drop_front(end).ltrim();
  return word;
}

/// "vmcnt(0) lgkmcnt(1)", or the 16 bits of gfx11.
bool parseCounts(StringRef text, Modifiers &modifiers) {
  uint64_t bits;
  if (parseNumber(text, 1 << 16, bits)) {
    modifiers.exportCount = bits & 7;
    modifiers.localCount = bits >> 4 & 63;
    modifiers.vectorCount = bits >> 10 & 63;
    return true;
  }
  while (!text.empty()) {
    StringRef word = takeWord(text);
    bool isVector = consumeCall(word, "vmcnt"), isLocal = !isVector && consumeCall(word, "lgkmcnt");
    if (!isVector && !isLocal && !consumeCall(word, "expcnt"))
      return false;
    int &count = isVector  ? modifiers.vectorCount
                 : isLocal ? modifiers.localCount
                           : modifiers.exportCount;
    if (!parseNumber(word, 64, count))
      return false;
  }
  return true;
}

StringRef withoutEncoding(StringRef name) {
  for (StringRef suffix : {"_dpp", "_sdwa", "_e32", "_e64"})
    name.consume_back(suffix);
  return name;
}

/// Sources that use both halves of a register where op_sel_hi is not printed. Mixed FMAs do not.
bool isPacked(StringRef name) {
  for (StringRef prefix : {"v_pk_", "v_dot2_", "v_dot4_", "v_dot8_", "v_wmma_"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// Instructions that change nothing in the emulator, whose operands have a syntax of their own.
bool concernsTimeAlone(StringRef name) {
  return name == "s_delay_alu" || name == "s_waitcnt_depctr" || name == "s_sendmsg" ||
         name == "s_sendmsghalt";
}

/// Immediates of 16 bits, which are printed without their sign.
void extendImmediate(Instruction &instruction) {
  StringRef name = instruction.name;
  if (!name.starts_with("s_movk_") && !name.starts_with("s_addk_") &&
      !name.starts_with("s_mulk_") && !name.starts_with("s_cmpk_") && !name.starts_with("s_cmovk_"))
    return;
  Operand &last = instruction.operands.back();
  if (last.kind == Operand::Kind::Integer)
    last.integer =
        name.ends_with("_u32") ? int64_t(uint16_t(last.integer)) : int64_t(int16_t(last.integer));
}

/// Branches count words from their end; the count is printed without its sign.
std::string setTarget(Instruction &instruction) {
  StringRef name = instruction.name;
  if (name != "s_branch" && !name.starts_with("s_cbranch_") && name != "s_call_b64")
    return "";
  const Operand *last = instruction.operands.empty() ? nullptr : &instruction.operands.back();
  if (!last || last->kind != Operand::Kind::Integer || last->integer < INT16_MIN ||
      last->integer > UINT16_MAX)
    return "a branch needs a count of words";
  instruction.target = instruction.offset + instruction.bytes + 4 * int64_t(int16_t(last->integer));
  return "";
}

/// Operands and modifiers. Returns what is wrong; empty where all is right.
std::string parseRest(StringRef rest, Instruction &instruction) {
  bool hasComma = false, hasModifier = false;
  while (!rest.empty()) {
    StringRef word = takeWord(rest);
    std::optional<bool> modifier;
    if (!hasComma)
      modifier = parseModifier(word, instruction.modifiers);
    if (modifier && !*modifier)
      return formatv("the modifier {0} is malformed", word);
    if (!modifier && (hasModifier || hasComma == instruction.operands.empty()))
      return formatv("the modifier {0} is unknown", word);
    std::optional<Operand> operand = modifier ? std::nullopt : parseOperand(word);
    if (!modifier && !operand)
      return formatv("the operand {0} is unknown", word);
    if (operand)
      instruction.operands.push_back(*operand);
    hasModifier |= modifier.has_value();
    hasComma = rest.consume_front(",");
    rest = rest.ltrim();
    if (hasComma && (hasModifier || rest.empty()))
      return "a comma precedes no operand";
  }
  return "";
}

std::string parseOne(StringRef text, Instruction &instruction) {
  auto [name, rest] = text.split(' ');
  name = withoutEncoding(name);
  if (name.empty() || !all_of(name, [](char c) { return isAlnum(c) || c == '_'; }))
    return "this is not the name of an instruction";
  instruction.name = name.str();
  instruction.text = text.str();
  if (concernsTimeAlone(name))
    return "";
  if (name == "s_waitcnt")
    return parseCounts(rest.trim(), instruction.modifiers) ? "" : "the counts are unknown";
  if (isPacked(name))
    instruction.modifiers.opSelHi = 7;
  std::string problem = parseRest(rest.trim(), instruction);
  if (!problem.empty())
    return problem;
  if (!instruction.operands.empty())
    extendImmediate(instruction);
  return setTarget(instruction);
}

/// "v_dual_add_f32 v0, v1, v2 :: v_dual_mov_b32 v3, 0"
std::string parseDual(StringRef text, Instruction &instruction) {
  instruction.name = "v_dual";
  auto [first, second] = text.split("::");
  for (StringRef half : {first.trim(), second.trim()}) {
    if (!half.starts_with("v_dual_"))
      return "both halves of a dual instruction need the prefix v_dual_";
    Instruction part;
    part.offset = instruction.offset;
    part.bytes = instruction.bytes;
    std::string problem = parseOne(half, part);
    if (!problem.empty())
      return problem;
    part.name = "v_" + part.name.substr(StringRef("v_dual_").size());
    if (part.name == "v_cndmask_b32" && part.operands.size() == 3) // Its mask is not printed.
      part.operands.push_back(scalar(kVcc, 1));
    instruction.parts.push_back(std::move(part));
  }
  return "";
}

} // namespace

Expected<Instruction> parseInstruction(StringRef text, uint64_t offset, uint32_t bytes) {
  std::string line = text.trim().str();
  std::replace(line.begin(), line.end(), '\t', ' ');
  Instruction instruction;
  instruction.offset = offset;
  instruction.bytes = bytes;
  instruction.text = line;
  std::string problem =
      StringRef(line).contains("::") ? parseDual(line, instruction) : parseOne(line, instruction);
  if (problem.empty())
    return instruction;
  return createStringError(inconvertibleErrorCode(),
                           formatv("cannot read \"{0}\": {1}", line, problem).str());
}

} // namespace rooftile::emulator
