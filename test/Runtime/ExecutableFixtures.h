//===- ExecutableFixtures.h - Executables written by hand -------*- C++ -*-===//
#ifndef ROOFTILE_TEST_RUNTIME_EXECUTABLEFIXTURES_H
#define ROOFTILE_TEST_RUNTIME_EXECUTABLEFIXTURES_H

#include "rooftile/Runtime/Executable/Executable.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

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

/// Calls of a driver without a GPU, from the beginning of a test on.
class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("ROOFTILE_FAKE_LOG", log.c_str(), 1);
    rooftileClearError();
  }
  void TearDown() override {
    rooftileSetStream(nullptr);
    unsetenv("ROOFTILE_FAKE_FAILURE");
    unsetenv("ROOFTILE_FAKE_LOG");
    std::remove(log.c_str());
  }
  /// Calls whose line begins with `call`.
  int count(const std::string &call) const {
    int found = 0;
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);)
      found += line.compare(0, call.size(), call) == 0;
    return found;
  }
  void letFail(const char *call) { setenv("ROOFTILE_FAKE_FAILURE", call, 1); }

  std::string log = testing::TempDir() + "rooftile-driver-" + std::to_string(getpid()) + ".log";
};

/// A test with two devices of each driver.
class TwoDevicesTest : public DriverTest {
protected:
  void SetUp() override {
    for (const char *variable : {"ROOFTILE_FAKE_DEVICES", "ROOFTILE_FAKE_HIP_DEVICES"})
      setenv(variable, "2", 1);
    DriverTest::SetUp();
  }
};

/// Function "product" allocates memory of 64 bytes, launches kernels 0 and 1 (of two images) with
/// it and its second argument, on grids of the first, and frees it.
inline ExecutableData productOf(const char *chip, std::vector<KernelImage> images) {
  ExecutableData data;
  data.chip = chip;
  data.images = std::move(images);
  data.kernels = {{"first", 0}, {"second", 1}};
  Code code = functionOf("product", 2, 6,
                         {operation(Opcode::Allocate, 5, kSixtyFour), to(Opcode::Launch, 0),
                          to(Opcode::Launch, 1), operation(Opcode::Free, 0, 5)});
  code.launches = {launchOf(0, {{5, 8}, {4, 8}}, kArgument), launchOf(1, {{4, 4}}, kArgument)};
  code.launches[0].grid[1] = kSixtyFour;
  code.launches[0].sharedBytes = kSixtyFour;
  data.functions = {code};
  return data;
}

inline ExecutableData productForCuda() {
  return productOf("h200",
                   {{".version 8.0 and the first kernel"}, {".version 8.0 and the second kernel"}});
}

/// Its images are heads of code objects for gfx942, with something after them.
inline ExecutableData productForHip() {
  std::string bytes(64, '\0');
  bytes.replace(0, 4, "\177ELF");
  bytes[18] = char(224); // e_machine
  bytes[48] = 0x4c;      // e_flags
  bytes += "and the kernels";
  return productOf("mi300x", {{bytes}, {bytes}});
}

/// Its first function returns the 4 bytes of an array.
inline ExecutableData withArray(ExecutableData data) {
  data.arrays = {"data"};
  Instruction array = operation(Opcode::Array, kArgument);
  data.functions = {
      functionOf("array", 0, 5, {array, operation(Opcode::Load, 4, kArgument, kSixtyFour)})};
  data.functions[0].constants[kSixtyFour] = data.arrays[0].size();
  data.functions[0].results = {{4}};
  return data;
}

inline std::unique_ptr<Executable> loaded(ExecutableData data) {
  std::string why;
  auto executable = Executable::load(std::move(data), why);
  EXPECT_EQ(why, "");
  return executable;
}

/// Runs its first function on a grid.
inline std::string run(const Executable &executable, uint64_t grid, uint64_t number = 5) {
  uint64_t arguments[] = {grid, number};
  return executable.run(0, arguments);
}

} // namespace rooftile

#endif // ROOFTILE_TEST_RUNTIME_EXECUTABLEFIXTURES_H
