//===- ExecutableFixtures.h - Executables written by hand -------*- C++ -*-===//
#ifndef ROOFTILE_TEST_RUNTIME_EXECUTABLEFIXTURES_H
#define ROOFTILE_TEST_RUNTIME_EXECUTABLEFIXTURES_H

#include "rooftile/Runtime/Executable/Executable.h"

#include <gtest/gtest.h>

namespace rooftile {

/// Registers 0 .. 2 of every function hold 0, 1 and 64; its arguments follow.
constexpr uint32_t kZero = 0, kOne = 1, kSixtyFour = 2, kArgument = 3;

inline Instruction operation(Opcode opcode, uint32_t result, uint32_t a = 0, uint32_t b = 0,
                             uint32_t c = 0) {
  return {opcode, result, a, b, c, 0};
}

inline Instruction to(Opcode opcode, uint32_t target, uint32_t a = 0) {
  return {opcode, 0, a, 0, 0, target};
}

/// A Return is added.
inline Code functionOf(const char *name, uint32_t arguments, uint32_t registers,
                       std::vector<Instruction> instructions) {
  Code code;
  code.name = name;
  code.constants = {0, 1, 64};
  code.arguments = arguments;
  code.registers = registers;
  code.instructions = std::move(instructions);
  code.instructions.push_back({});
  return code;
}

/// One block of 64 threads unless said otherwise.
inline LaunchSite launchOf(uint32_t kernel, std::vector<Parameter> parameters,
                           uint32_t grid = kOne) {
  LaunchSite site{kernel,
                  {grid, kOne, kOne},
                  {kSixtyFour, kOne, kOne},
                  {kOne, kOne, kOne},
                  /*shared=*/kZero,
                  {}};
  site.parameters = std::move(parameters);
  return site;
}

/// Expects that `text` contains `part`.
inline void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' has no '" << part << "'";
}

} // namespace rooftile

#endif // ROOFTILE_TEST_RUNTIME_EXECUTABLEFIXTURES_H
