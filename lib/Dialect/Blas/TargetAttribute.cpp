//===- TargetAttribute.cpp - What a #blas.target can be -------------------===//

#include "StructReader.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;
using llvm::formatv;

bool blas::operator==(const TargetData &left, const TargetData &right) {
  return haveEqualValues(left, right);
}

llvm::hash_code blas::hash_value(const TargetData &target) { return hashOf(target); }

int64_t TargetData::gflopsOf(StringRef machine) const {
  for (const InstructionRate &rate : instructions)
    if (rate.instruction->name == machine)
      return rate.gflops;
  return 0;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string blas::textOf(const TargetData &target) { return structText(target); }

/// [m16n8k4_f64 = 65500], in GFLOP/s
std::string blas::valueText(const std::vector<InstructionRate> &rates) {
  std::string text;
  for (const InstructionRate &rate : rates)
    text += (text.empty() ? "" : ", ") + rate.instruction->name.str() + " = " +
            std::to_string(rate.gflops);
  return "[" + text + "]";
}

ParseResult blas::readValue(KeyContext in, std::vector<InstructionRate> &rates) {
  return in.parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc place = in.parser.getCurrentLocation();
    StringRef name;
    InstructionRate &rate = rates.emplace_back();
    if (in.parser.parseKeyword(&name) || in.parser.parseEqual() ||
        in.parser.parseInteger(rate.gflops))
      return failure();
    rate.instruction = tile::findInstruction(name);
    if (!rate.instruction)
      return in.parser.emitError(place) << "instruction '" << name << "' does not exist; there are "
                                        << tile::instructionNames();
    return success();
  });
}

ParseResult blas::readValue(KeyContext in, bool &value) {
  SMLoc place = in.parser.getCurrentLocation();
  StringRef word;
  if (in.parser.parseKeyword(&word))
    return failure();
  value = word == "true";
  if (!value && word != "false")
    return in.parser.emitError(place)
           << in.owner << ": " << in.key.name << " = " << unknownWordText(word, {"true", "false"});
  return success();
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  // Never destroyed: programs may compile after main.
  static const auto &keys = *new std::vector<KeyInfo>(keysOf<TargetData>());
  SMLoc place = parser.getCurrentLocation();
  TargetData target;
  if (StructReader<TargetData>(parser, "target", "target", keys).read(target))
    return {};
  return parser.getChecked<TargetAttr>(place, parser.getContext(), target);
}

void TargetAttr::print(AsmPrinter &printer) const { printer << textOf(getData()); }

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// The fault of the value of one key alone.
template <typename Value> static std::string whyOutside(const TargetKey &, const Value &) {
  return "";
}
static std::string whyOutside(const TargetKey &key, const int64_t &value) {
  if (value < key.least)
    return formatv("{0} = {1} is {2}", key.name, value,
                   key.least == 1 ? "not positive" : "negative");
  if (value > key.most)
    return formatv("{0} = {1} is not in {2} .. {3}", key.name, value, key.least, key.most);
  return "";
}
static std::string whyOutside(const TargetKey &, const std::vector<InstructionRate> &rates) {
  llvm::SmallDenseSet<StringRef> names;
  for (const InstructionRate &rate : rates) {
    StringRef name = rate.instruction->name;
    if (rate.instruction->isExchanged())
      return formatv("instruction {0} is {1} with operands exchanged: chips have the rate of that",
                     name, rate.instruction->machine);
    if (rate.gflops <= 0)
      return formatv("instruction {0}: gflops = {1} is not positive", name, rate.gflops);
    if (!names.insert(name).second)
      return formatv("instruction {0} appears twice", name);
  }
  return "";
}
static std::string whyOutside(const TargetKey &,
                              const std::optional<CalibrationData> &calibration) {
  std::string why = calibration ? whyInvalid(*calibration) : "";
  return why.empty() ? "" : "calibration: " + why;
}

/// The fault of values without a range, or beside others.
static std::string whyContradictory(const TargetData &target) {
  StringRef prefix = target.vendor == Vendor::Amd ? "gfx" : "sm_";
  if (!StringRef(target.arch).starts_with(prefix))
    return formatv("arch = \"{0}\" does not begin with {1}, as those of vendor = {2} do",
                   target.arch, prefix, stringifyVendor(target.vendor));
  if (!llvm::isPowerOf2_64(target.subgroup))
    return formatv("subgroup = {0} is no power of 2", target.subgroup);
  for (const InstructionRate &rate : target.instructions) {
    const tile::Instruction &own = *rate.instruction;
    bool isOfAmd = own.unit == tile::MatrixUnit::Mfma || own.unit == tile::MatrixUnit::Wmma;
    if (isOfAmd != (target.vendor == Vendor::Amd))
      return formatv("instruction {0} is one of {1} GPUs, but vendor = {2}", own.name,
                     isOfAmd ? "AMD" : "NVIDIA", stringifyVendor(target.vendor));
    if (own.lanes() != own.subgroups * target.subgroup)
      return formatv("instruction {0} has {1} lanes, but subgroup = {2}", own.name,
                     own.lanes() / own.subgroups, target.subgroup);
  }
  if (target.clusterUnits > target.units)
    return formatv("clusterUnits = {0} of units = {1}", target.clusterUnits, target.units);
  if (!llvm::is_contained({0, 4, 8}, target.atomicAddBytes))
    return formatv("atomicAddBytes = {0} is not 0, 4 or 8", target.atomicAddBytes);
  int64_t bytes = target.asyncCopyBytes;
  if (bytes != 0 && bytes != 4 && bytes != 8 && bytes != 16)
    return formatv("asyncCopyBytes = {0} is not 0, 4, 8 or 16", bytes);
  return "";
}

std::string blas::whyInvalid(const TargetData &target) {
  std::string why;
  TargetData::visitKeys([&](const TargetKey &key, auto member) {
    if (why.empty())
      why = whyOutside(key, target.*member);
  });
  return why.empty() ? whyContradictory(target) : why;
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emit, TargetData target) {
  if (target.chip.empty() || target.arch.empty())
    return emit() << "target: chip and arch must be named";
  std::string why = whyInvalid(target);
  return why.empty() ? success() : emit() << "target '" << target.chip << "': " << why;
}
