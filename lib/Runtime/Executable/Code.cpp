//===- Code.cpp - Can a function be run? ----------------------------------===//

#include "rooftile/Runtime/Executable/Code.h"

using namespace rooftile;

namespace {
/// The registers that an operation has.
struct Shape {
  bool hasResult;
  unsigned operands;
};

/// Goes through a function and keeps the first thing that is wrong.
struct Check {
  const Code &code;
  uint32_t kernels, arrays;
  std::string violation;

  bool fail(const std::string &place, const std::string &what) {
    violation = "function '" + code.name + "'" + (place.empty() ? "" : ", " + place) + ": " + what;
    return false;
  }
  bool isOneOf(const std::string &place, const char *what, uint64_t number, uint64_t count) {
    return number < count || fail(place, std::string(what) + " " + std::to_string(number) +
                                             " is not one of " + std::to_string(count));
  }
  /// `count` registers from `first` on.
  bool areRegisters(const std::string &place, uint32_t first, uint64_t count = 1) {
    return isOneOf(place, "register", first + count - 1, code.registers);
  }
  bool checkSizes();
  bool check(const std::string &place, const Instruction &instruction);
  bool check(const std::string &place, const LaunchSite &launch);
  bool check(const std::string &place, const DescriptorSite &descriptor);
  bool check(const std::string &place, const ResultSite &result);
  template <typename T> bool checkAll(const char *what, const std::vector<T> &all) {
    for (size_t i = 0; i < all.size(); ++i)
      if (!check(what + std::to_string(i), all[i]))
        return false;
    return true;
  }
};
} // namespace

static Shape shapeOf(Opcode opcode) {
  switch (opcode) {
  case Opcode::Jump:
  case Opcode::Launch:
  case Opcode::Return:
    return {false, 0};
  case Opcode::JumpUnless:
  case Opcode::Free:
  case Opcode::Require:
    return {false, 1};
  case Opcode::SameSize:
    return {false, 3};
  case Opcode::TensorMap:
  case Opcode::Array:
    return {true, 0};
  case Opcode::Copy:
  case Opcode::SqrtF:
  case Opcode::Convert:
  case Opcode::Allocate:
    return {true, 1};
  case Opcode::Select:
  case Opcode::IsAligned:
    return {true, 3};
  default:
    return {true, 2};
  }
}

bool Check::checkSizes() {
  if (code.registers > kMostRegisters)
    return fail("", std::to_string(code.registers) + " registers, at most " +
                        std::to_string(kMostRegisters));
  uint64_t given = uint64_t(code.constants.size()) + code.arguments;
  if (given > code.registers)
    return fail("", std::to_string(given) + " constants and arguments in " +
                        std::to_string(code.registers) + " registers");
  bool ends = !code.instructions.empty() && (code.instructions.back().opcode == Opcode::Return ||
                                             code.instructions.back().opcode == Opcode::Jump);
  return ends || fail("", "its last instruction is no Return and no Jump");
}

bool Check::check(const std::string &place, const Instruction &instruction) {
  if (!isOneOf(place, "operation", uint64_t(instruction.opcode), uint64_t(kLastOpcode) + 1))
    return false;
  Shape shape = shapeOf(instruction.opcode);
  const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
  if (shape.hasResult && !areRegisters(place, instruction.result))
    return false;
  for (unsigned i = 0; i < shape.operands; ++i)
    if (!areRegisters(place, operands[i]))
      return false;
  switch (instruction.opcode) {
  case Opcode::Jump:
  case Opcode::JumpUnless:
    return isOneOf(place, "instruction", instruction.target, code.instructions.size());
  case Opcode::Convert:
    return isOneOf(place, "conversion", instruction.target, kNumberTypes * kNumberTypes);
  case Opcode::Launch:
    return isOneOf(place, "launch", instruction.target, code.launches.size());
  case Opcode::Require:
    return isOneOf(place, "message", instruction.target, code.messages.size());
  case Opcode::Array:
    return isOneOf(place, "array", instruction.target, arrays);
  case Opcode::TensorMap:
    return isOneOf(place, "descriptor", instruction.target, code.descriptors.size());
  default:
    return true;
  }
}

bool Check::check(const std::string &place, const LaunchSite &launch) {
  if (!isOneOf(place, "kernel", launch.kernel, kernels) || !areRegisters(place, launch.sharedBytes))
    return false;
  for (int dim = 0; dim < 3; ++dim)
    if (!areRegisters(place, launch.grid[dim]) || !areRegisters(place, launch.block[dim]) ||
        !areRegisters(place, launch.cluster[dim]))
      return false;
  if (launch.parameters.size() > kMostParameters)
    return fail(place, std::to_string(launch.parameters.size()) + " parameters, at most " +
                           std::to_string(kMostParameters));
  for (const Parameter &parameter : launch.parameters) {
    if (parameter.bytes == 0)
      return fail(place, "a parameter of no bytes");
    if (!areRegisters(place, parameter.place, (uint64_t(parameter.bytes) + 7) / 8))
      return false;
  }
  return true;
}

bool Check::check(const std::string &place, const DescriptorSite &site) {
  for (uint32_t number : {site.address, site.realBytes, site.length, site.vectors, site.vectorBytes,
                          site.boxLength, site.boxVectors, site.swizzleBytes})
    if (!areRegisters(place, number))
      return false;
  return areRegisters(place, site.descriptor, kDescriptorRegisters);
}

bool Check::check(const std::string &place, const ResultSite &result) {
  return areRegisters(place, result.place);
}

std::string rooftile::whyInvalid(const Code &code, uint32_t kernels, uint32_t arrays) {
  Check check{code, kernels, arrays, {}};
  bool isValid = check.checkSizes() && check.checkAll("instruction ", code.instructions) &&
                 check.checkAll("launch ", code.launches) &&
                 check.checkAll("descriptor ", code.descriptors) &&
                 check.checkAll("result ", code.results);
  return isValid ? "" : check.violation;
}
