//===- ExecutableTest.cpp - Code of the host, its checks and its bytes ----===//
//
// Executables with kernels of this process; those of CUDA are in
// ExecutableCudaTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "ExecutableFixtures.h"

#include <array>
#include <cstring>
#include <random>
#include <thread>

using namespace rooftile;

namespace {

constexpr uint64_t kMinusOne = UINT64_MAX, kMin = uint64_t(1) << 63, kMax = kMin - 1;

/// Arguments of kernel `store`, by the thread that launched it.
thread_local std::vector<uint64_t> stored;
void store(int64_t, int64_t, int64_t, int64_t, void **parameters) {
  stored.push_back(*static_cast<uint64_t *>(parameters[0]));
}

void failing(int64_t grid, int64_t, int64_t, int64_t, void **) {
  recordError("kernel failing: grid " + std::to_string(grid));
}

/// Kernel 0 is `store`, kernel 1 `failing`.
std::unique_ptr<Executable> load(std::vector<Code> functions) {
  std::string why;
  ExecutableData data;
  data.chip = "cpu";
  data.kernels = {{"store", 0}, {"failing", 0}};
  data.functions = std::move(functions);
  auto executable = Executable::onHost(std::move(data), {{store, failing}, {}, nullptr}, why);
  EXPECT_EQ(why, "");
  return executable;
}

/// Runs the only function, `code`.
std::string run(const Code &code, std::vector<uint64_t> arguments = {}) {
  stored.clear();
  auto executable = load({code});
  return executable ? executable->run(0, arguments.data()) : "not loaded";
}

/// The result of one operation on arguments a, b and c.
uint64_t evaluate(Opcode opcode, uint64_t a, uint64_t b, uint64_t c = 0) {
  constexpr uint32_t kResult = kArgument + 3;
  Code code = functionOf(
      "f", 3, kResult + 1,
      {operation(opcode, kResult, kArgument, kArgument + 1, kArgument + 2), to(Opcode::Launch, 0)});
  code.launches = {launchOf(0, {{kResult, 8}})};
  EXPECT_EQ(run(code, {a, b, c}), "");
  return stored.size() == 1 ? stored[0] : 0xDEAD;
}

struct Case {
  Opcode opcode;
  uint64_t a, b, expected;
};

void expectAll(const std::vector<Case> &cases) {
  for (const Case &entry : cases)
    EXPECT_EQ(evaluate(entry.opcode, entry.a, entry.b), entry.expected)
        << "operation " << int(entry.opcode) << " of " << entry.a << " and " << entry.b;
}

} // namespace

TEST(Interpreter, Arithmetic) {
  expectAll({{Opcode::Copy, 7, 9, 7},
             {Opcode::Add, kMinusOne, 2, 1},
             {Opcode::Sub, 1, 2, kMinusOne},
             {Opcode::Mul, kMinusOne, kMinusOne, 1},
             {Opcode::Mul, kMin, 2, 0},
             {Opcode::And, 12, 10, 8},
             {Opcode::Or, 12, 10, 14},
             {Opcode::Xor, 12, 10, 6},
             {Opcode::ShiftLeft, 3, 63, kMin},
             {Opcode::ShiftLeft, 3, 64, 0},
             {Opcode::ShiftLeft, 3, kMinusOne, 0},
             {Opcode::ShiftRightU, kMin, 63, 1},
             {Opcode::ShiftRightU, kMinusOne, 64, 0},
             {Opcode::MinU, kMinusOne, 1, 1},
             {Opcode::MinS, kMinusOne, 1, kMinusOne},
             {Opcode::MaxU, kMinusOne, 1, kMinusOne},
             {Opcode::MaxS, kMinusOne, 1, 1},
             {Opcode::MinS, kMin, kMax, kMin},
             {Opcode::MaxS, kMin, kMax, kMax}});
}

TEST(Interpreter, Division) {
  uint64_t minusSeven = uint64_t(-7), minusTwo = uint64_t(-2), minusThree = uint64_t(-3);
  expectAll({{Opcode::DivU, 7, 2, 3},
             {Opcode::DivU, kMinusOne, 2, kMax},
             {Opcode::DivU, kMin, kMinusOne, 0},
             {Opcode::DivS, minusSeven, 2, minusThree},
             {Opcode::DivS, 7, minusTwo, minusThree},
             {Opcode::DivS, kMin, kMinusOne, kMin},
             {Opcode::DivS, kMin, 1, kMin},
             {Opcode::CeilDivU, 0, 5, 0},
             {Opcode::CeilDivU, 10, 5, 2},
             {Opcode::CeilDivU, 11, 5, 3},
             {Opcode::CeilDivU, kMinusOne, kMin, 2},
             {Opcode::CeilDivU, kMinusOne, 1, kMinusOne},
             {Opcode::CeilDivS, 7, 2, 4},
             {Opcode::CeilDivS, minusSeven, 2, minusThree},
             {Opcode::CeilDivS, 7, minusTwo, minusThree},
             {Opcode::CeilDivS, minusSeven, minusTwo, 4},
             {Opcode::CeilDivS, minusSeven, minusSeven, 1},
             {Opcode::CeilDivS, kMax, kMax, 1},
             {Opcode::CeilDivS, kMin, kMinusOne, kMin},
             {Opcode::CeilDivS, 0, minusTwo, 0},
             {Opcode::RemU, kMinusOne, 10, 5},
             {Opcode::RemS, minusSeven, 2, kMinusOne},
             {Opcode::RemS, 7, minusTwo, 1},
             {Opcode::RemS, kMin, kMinusOne, 0}});
}

TEST(Interpreter, Comparison) {
  expectAll({{Opcode::Equal, 3, 3, 1},
             {Opcode::Equal, 3, 4, 0},
             {Opcode::NotEqual, 3, 3, 0},
             {Opcode::NotEqual, 3, kMin + 3, 1},
             {Opcode::LessU, 1, kMinusOne, 1},
             {Opcode::LessU, 3, 3, 0},
             {Opcode::LessS, 1, kMinusOne, 0},
             {Opcode::LessS, kMin, kMax, 1},
             {Opcode::LessS, 3, 3, 0},
             {Opcode::LessEqualU, 3, 3, 1},
             {Opcode::LessEqualU, kMinusOne, 1, 0},
             {Opcode::LessEqualS, 3, 3, 1},
             {Opcode::LessEqualS, kMinusOne, 1, 1},
             {Opcode::LessEqualS, kMax, kMin, 0}});
  EXPECT_EQ(evaluate(Opcode::Select, 1, 5, 6), 5u);
  EXPECT_EQ(evaluate(Opcode::Select, kMin, 5, 6), 5u);
  EXPECT_EQ(evaluate(Opcode::Select, 0, 5, 6), 6u);
}

TEST(Interpreter, DivisionByZero) {
  for (Opcode opcode : {Opcode::DivU, Opcode::DivS, Opcode::CeilDivU, Opcode::CeilDivS,
                        Opcode::RemU, Opcode::RemS}) {
    Code code = functionOf("quotient", 1, 5,
                           {operation(Opcode::Copy, 4, kArgument), operation(opcode, 4, 4, kZero),
                            to(Opcode::Launch, 0)});
    code.launches = {launchOf(0, {{4, 8}})};
    EXPECT_EQ(run(code, {7}), "function 'quotient', instruction 1: division by zero");
    EXPECT_TRUE(stored.empty());
  }
}

/// The sum of 1 .. n, in the last of the registers.
static void expectSum(uint32_t registers) {
  uint32_t n = kArgument, sum = registers - 1;
  Code code =
      functionOf("sum", 1, registers,
                 {to(Opcode::JumpUnless, 4, n), operation(Opcode::Add, sum, sum, n),
                  operation(Opcode::Sub, n, n, kOne), to(Opcode::Jump, 0), to(Opcode::Launch, 0)});
  code.launches = {launchOf(0, {{sum, 8}})};
  for (int i = 0; i < 2; ++i) { // the second time registers begin with 0 again
    EXPECT_EQ(run(code, {1000}), "");
    EXPECT_EQ(stored, std::vector<uint64_t>{500500});
  }
}

TEST(Interpreter, Loop) { expectSum(5); }
TEST(Interpreter, LoopInManyRegisters) {
  expectSum(1024);
  expectSum(1025);
  expectSum(5000);
}

TEST(Interpreter, EndlessLoop) {
  Code code = functionOf("wheel", 0, 3, {to(Opcode::Jump, 0)});
  EXPECT_EQ(run(code), "function 'wheel', instruction 0: more than 67108864 instructions: "
                       "an endless loop");
}

TEST(Interpreter, LaunchesWhereTheGridIsNotEmpty) {
  Code code = functionOf("f", 1, 4, {to(Opcode::Launch, 0), to(Opcode::Launch, 1)});
  code.launches = {launchOf(0, {{kOne, 8}}, kArgument), launchOf(0, {{kSixtyFour, 8}})};
  EXPECT_EQ(run(code, {0}), "");
  EXPECT_EQ(stored, std::vector<uint64_t>{64});
  EXPECT_EQ(run(code, {2}), "");
  EXPECT_EQ(stored, (std::vector<uint64_t>{1, 64}));
}

TEST(Interpreter, StopsAtTheFirstFailure) {
  Code code = functionOf(
      "f", 1, 4,
      {to(Opcode::Launch, 0), to(Opcode::Launch, 1), to(Opcode::Launch, 1), to(Opcode::Launch, 0)});
  code.launches = {launchOf(0, {{kArgument, 8}}), launchOf(1, {}, kSixtyFour)};
  EXPECT_EQ(run(code, {5}), "function 'f', instruction 1: kernel failing: grid 64");
  EXPECT_EQ(stored.size(), 1u);
  EXPECT_STREQ(rooftileLastError(), "");
}

TEST(Interpreter, OneDimensionOnTheHost) {
  for (int sizes = 0; sizes < 3; ++sizes) {
    Code code = functionOf("f", 0, 3, {to(Opcode::Launch, 0)});
    LaunchSite site = launchOf(0, {{kOne, 8}});
    (sizes == 0 ? site.grid : sizes == 1 ? site.block : site.cluster)[1 + sizes % 2] = kSixtyFour;
    code.launches = {site};
    expectContains(run(code), "kernel store: a launch on the host has one dimension");
    EXPECT_TRUE(stored.empty());
  }
}

//===----------------------------------------------------------------------===//
// Memory, checks of operands, descriptors
//===----------------------------------------------------------------------===//

TEST(Memory, IsAllocatedAndFreed) {
  std::vector<Instruction> instructions;
  for (uint32_t i = 0; i < 20; ++i) // more than a run keeps without a list
    instructions.push_back(operation(Opcode::Allocate, 4 + i, kArgument));
  for (uint32_t i : {5, 4, 23, 12, 13, 20})
    instructions.push_back(operation(Opcode::Free, 0, i));
  instructions.push_back(to(Opcode::Launch, 0));
  Code code = functionOf("f", 1, 24, instructions);
  code.launches = {launchOf(0, {{7, 8}})};
  EXPECT_EQ(run(code, {1000}), "");
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_NE(stored[0], 0u);
  EXPECT_EQ(stored[0] % 256, 0u);
}

TEST(Memory, OfNoBytesIsNull) {
  Code code = functionOf("f", 1, 5,
                         {operation(Opcode::Copy, 4, kOne), operation(Opcode::Allocate, 4, kZero),
                          to(Opcode::Launch, 0), operation(Opcode::Free, 0, 4)});
  code.launches = {launchOf(0, {{4, 8}})};
  EXPECT_EQ(run(code, {0}), "");
  EXPECT_EQ(stored, std::vector<uint64_t>{0});
}

TEST(Memory, TooMuch) {
  Code code = functionOf("f", 1, 5, {operation(Opcode::Allocate, 4, kArgument)});
  for (uint64_t bytes : {kMinusOne, kMinusOne - 300, kMin})
    EXPECT_EQ(run(code, {bytes}),
              "function 'f', instruction 0: out of memory: " + std::to_string(bytes) + " bytes");
}

TEST(Memory, IsFreedOnceAndOnlyIfOfTheRun) {
  Code twice = functionOf("f", 1, 5,
                          {operation(Opcode::Allocate, 4, kArgument), operation(Opcode::Free, 0, 4),
                           operation(Opcode::Free, 0, 4)});
  EXPECT_EQ(run(twice, {64}),
            "function 'f', instruction 2: it frees memory that this run did not allocate");
  Code foreign = functionOf("f", 1, 4, {operation(Opcode::Free, 0, kArgument)});
  uint64_t number = 0;
  expectContains(run(foreign, {reinterpret_cast<uint64_t>(&number)}), "did not allocate");
}

TEST(Operands, Alignment) {
  EXPECT_EQ(evaluate(Opcode::IsAligned, 4096, 16, 0), 1u);
  Code code = functionOf("f", 3, 7, {operation(Opcode::IsAligned, 6, 3, 4, 5)});
  EXPECT_EQ(run(code, {0x1008, 16, 1}),
            "function 'f', instruction 0: operand B is at address 0x1008, but the kernel's "
            "accesses need a multiple of 16 bytes: not launched");
  for (uint64_t bytes : {uint64_t(0), kMinusOne, kMin})
    expectContains(run(code, {kMin, bytes, 0}), "an alignment of ");
  expectContains(run(code, {3, 2, kMinusOne}), "for role -1");
  expectContains(run(code, {3, 2, kMax}), "operand extra ");
}

TEST(Operands, Room) {
  EXPECT_EQ(evaluate(Opcode::HasRoom, 64, 64), 1u);
  Code code = functionOf("f", 2, 6, {operation(Opcode::HasRoom, 5, 3, 4)});
  EXPECT_EQ(run(code, {63, 64}), "function 'f', instruction 0: operand workspace has 63 elements, "
                                 "but the plan needs 64: not launched");
}

/// A descriptor is the last parameter of a kernel, beside numbers of other sizes.
namespace {
struct Seen {
  int64_t grid, block, cluster, sharedBytes;
  uint8_t byte;
  uint16_t half;
  std::array<uint64_t, 2> wide;
  std::array<int64_t, 7> descriptor;
} seen;
} // namespace

static void look(int64_t grid, int64_t block, int64_t cluster, int64_t sharedBytes,
                 void **parameters) {
  seen = {grid, block, cluster, sharedBytes, {}, {}, {}, {}};
  std::memcpy(&seen.byte, parameters[0], sizeof(seen.byte));
  std::memcpy(&seen.half, parameters[1], sizeof(seen.half));
  std::memcpy(&seen.wide, parameters[2], sizeof(seen.wide));
  std::memcpy(&seen.descriptor, parameters[3], sizeof(seen.descriptor));
}

/// Arguments: those of the descriptor, a number of 16 bytes, the grid.
static Code looker() {
  constexpr uint32_t kWide = kArgument + 7, kGrid = kWide + 2, kDescriptor = kGrid + 1;
  Code code =
      functionOf("look", 10, kDescriptor + 16, {to(Opcode::TensorMap, 0), to(Opcode::Launch, 0)});
  code.instructions[0].result = kZero; // 1 from here on
  code.descriptors = {{kDescriptor, 3, 4, 5, 6, 7, 8, 9}};
  code.launches = {
      launchOf(0, {{kWide, 1}, {kWide + 1, 2}, {kWide, 16}, {kDescriptor, 128}}, kGrid)};
  code.launches[0].cluster[0] = kOne;
  code.launches[0].sharedBytes = kSixtyFour;
  return code;
}

TEST(Operands, ParametersOfHostKernels) {
  std::string why;
  ExecutableData data;
  data.chip = "cpu";
  data.kernels = {{"look", 0}};
  data.functions = {looker()};
  auto executable = Executable::onHost(data, {{look}, {}, nullptr}, why);
  ASSERT_TRUE(executable) << why;
  uint64_t wide[] = {0x1122334455667788, 0x99AABBCCDDEEFF00};
  uint64_t arguments[] = {0x10000, 4, 100, 50, 400, 32, 8, wide[0], wide[1], 7};
  EXPECT_EQ(executable->run(executable->find("look"), arguments), "");
  EXPECT_EQ(seen.grid, 7);
  EXPECT_EQ(seen.block, 64);
  EXPECT_EQ(seen.cluster, 1);
  EXPECT_EQ(seen.sharedBytes, 64);
  EXPECT_EQ(seen.byte, 0x88);
  EXPECT_EQ(seen.half, 0xFF00);
  EXPECT_EQ(seen.wide[0], wide[0]);
  EXPECT_EQ(seen.wide[1], wide[1]);
  EXPECT_EQ(seen.descriptor, (std::array<int64_t, 7>{0x10000, 4, 100, 50, 400, 32, 8}));
  seen.grid = 0;
  arguments[4] = 402; // lines that are not a multiple of 16 bytes apart
  expectContains(executable->run(0, arguments), "function 'look', instruction 0: tensor copies");
  EXPECT_EQ(seen.grid, 0);
}

//===----------------------------------------------------------------------===//
// Valid
//===----------------------------------------------------------------------===//

/// Valid for one kernel, with everything that can be made wrong.
static Code full() {
  Code code = looker();
  code.instructions = {to(Opcode::TensorMap, 0),
                       operation(Opcode::Select, 4, 5, 6, 7),
                       to(Opcode::JumpUnless, 4, 3),
                       to(Opcode::Launch, 0),
                       {}};
  code.instructions[0].result = 4;
  return code;
}

static void expectInvalid(const char *part, void (*change)(Code &)) {
  Code code = full();
  EXPECT_EQ(whyInvalid(code, 1), "");
  change(code);
  std::string why = whyInvalid(code, 1);
  expectContains(why, part);
  std::string again;
  ExecutableData data;
  data.chip = "cpu";
  data.kernels = {{"look", 0}};
  data.functions = {code};
  EXPECT_FALSE(Executable::onHost(data, {{look}, {}, nullptr}, again));
  EXPECT_EQ(again, why);
  EXPECT_FALSE(readExecutable(writeExecutable(data), again));
  EXPECT_EQ(again, why);
}

TEST(Validity, Registers) {
  const char *second = "function 'look', instruction 1: register 29 is not one of 29";
  expectInvalid(second, [](Code &code) { code.instructions[1].result = code.registers; });
  expectInvalid(second, [](Code &code) { code.instructions[1].a = code.registers; });
  expectInvalid(second, [](Code &code) { code.instructions[1].b = code.registers; });
  expectInvalid(second, [](Code &code) { code.instructions[1].c = code.registers; });
  expectInvalid("instruction 2: register 4294967295 is",
                [](Code &code) { code.instructions[2].a = UINT32_MAX; });
  expectInvalid("14 constants and arguments in 13", [](Code &code) {
    code.arguments = 11;
    code.registers = 13;
  });
  expectInvalid("1048577 registers, at most 1048576",
                [](Code &code) { code.registers = kMostRegisters + 1; });
  expectInvalid("4294967298 constants", [](Code &code) { code.arguments = UINT32_MAX; });
}

TEST(Validity, TargetsAndEnd) {
  expectInvalid("instruction 2: instruction 5 is not one of 5",
                [](Code &code) { code.instructions[2].target = 5; });
  expectInvalid("instruction 3: launch 1 is not one of 1",
                [](Code &code) { code.instructions[3].target = 1; });
  expectInvalid("instruction 0: descriptor 1 is not one of 1",
                [](Code &code) { code.instructions[0].target = 1; });
  expectInvalid("its last instruction is no Return",
                [](Code &code) { code.instructions.pop_back(); });
  expectInvalid("its last instruction is no Return", [](Code &code) { code.instructions.clear(); });
  expectInvalid("instruction 1: operation 200 is not one of 50",
                [](Code &code) { code.instructions[1].opcode = Opcode(200); });
  Code jumps = full();
  jumps.instructions.back() = to(Opcode::Jump, 0);
  EXPECT_EQ(whyInvalid(jumps, 1), "");
}

TEST(Validity, LaunchesAndDescriptors) {
  expectInvalid("launch 0: kernel 1 is not one of 1",
                [](Code &code) { code.launches[0].kernel = 1; });
  for (auto change : {+[](Code &code) { code.launches[0].grid[2] = 29; },
                      +[](Code &code) { code.launches[0].block[1] = 29; },
                      +[](Code &code) { code.launches[0].cluster[0] = 29; },
                      +[](Code &code) { code.launches[0].sharedBytes = 29; },
                      +[](Code &code) { code.launches[0].parameters[1].place = 29; },
                      +[](Code &code) { code.launches[0].parameters[3].bytes = 129; }})
    expectInvalid("launch 0: register 29 is not one of 29", change);
  expectInvalid("a parameter of no bytes",
                [](Code &code) { code.launches[0].parameters[0].bytes = 0; });
  expectInvalid("launch 0: register ",
                [](Code &code) { code.launches[0].parameters[0].bytes = UINT32_MAX; });
  expectInvalid("1025 parameters", [](Code &code) { code.launches[0].parameters.resize(1025); });
  for (auto change : {+[](Code &code) { code.descriptors[0].descriptor++; },
                      +[](Code &code) { code.descriptors[0].address = 29; },
                      +[](Code &code) { code.descriptors[0].boxVectors = 29; }})
    expectInvalid("descriptor 0: register 29 is not one of 29", change);
  expectInvalid("descriptor 0: register 4294967310 is",
                [](Code &code) { code.descriptors[0].descriptor = UINT32_MAX; });
}

TEST(Validity, KernelsOfTheHost) {
  std::string why;
  ExecutableData data;
  data.chip = "cpu";
  data.kernels = {{"store", 0}};
  EXPECT_FALSE(Executable::onHost(data, {}, why));
  expectContains(why, "0 functions for 1 kernels");
  EXPECT_FALSE(Executable::onHost(data, {{nullptr}, {}, nullptr}, why));
  expectContains(why, "kernel store has no function");
  EXPECT_FALSE(Executable::load(data, why));
  expectContains(why, "is for the CPU");
  data.chip = "h200";
  EXPECT_FALSE(Executable::load(data, why));
  expectContains(why, "kernel store: image 0 is not one of 0");
  data.images = {{"short"}};
  EXPECT_FALSE(Executable::load(data, why));
  expectContains(why, "image 0 has 5 bytes");
}

TEST(Kernels, OfTheHostAreMadeAheadOfALaunch) {
  std::string why;
  ExecutableData data;
  data.chip = "cpu";
  data.kernels = {{"store", 0}};
  int made = 0;
  auto bytes = std::make_shared<std::atomic<size_t>>(100);
  auto make = [&] { ++made, *bytes += 1000; };
  auto executable = Executable::onHost(data, {{store}, {make, make}, bytes}, why);
  ASSERT_TRUE(executable) << why;
  size_t before = executable->bytes();
  EXPECT_GE(before, 100u);
  EXPECT_EQ(executable->prepare(), "");
  EXPECT_EQ(made, 2);
  EXPECT_EQ(executable->bytes(), before + 2000);
  auto broken = Executable::onHost(data, {{store}, {[] { recordError("no code"); }}, bytes}, why);
  EXPECT_EQ(broken->prepare(), "no code");
}

TEST(Validity, NumberOfTheFunction) {
  auto executable = load({functionOf("f", 0, 3, {}), functionOf("g", 0, 3, {})});
  EXPECT_EQ(executable->find("g"), 1);
  EXPECT_EQ(executable->find("h"), -1);
  EXPECT_EQ(executable->run(1, nullptr), "");
  expectContains(executable->run(-1, nullptr), "no function -1");
  expectContains(executable->run(2, nullptr), "no function 2");
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static ExecutableData everything() {
  ExecutableData data;
  data.chip = "h200";
  data.images = {{std::string("cubin\0with zeros", 16)}, {""}, {std::string(300, '\xFF')}};
  data.kernels = {{"gemm_f32", 2}, {"reduce", 0}};
  data.functions = {full(), functionOf("empty", 0, 3, {})};
  data.functions[0].constants = {0, kMinusOne, kMin};
  data.description = "{\"plan\": []}";
  return data;
}

static uint64_t fnv(std::string_view bytes) {
  uint64_t sum = 14695981039346656037u;
  for (unsigned char byte : bytes)
    sum = (sum ^ byte) * 1099511628211u;
  return sum;
}

/// With a length and a checksum that are right for what follows.
static std::string seal(std::string bytes) {
  uint64_t head[] = {bytes.size() - 32, fnv(std::string_view(bytes).substr(32))};
  for (int i = 0; i < 16; ++i)
    bytes[16 + i] = char(head[i / 8] >> 8 * (i % 8));
  return bytes;
}

TEST(Format, RoundTrip) {
  std::string bytes = writeExecutable(everything()), why;
  EXPECT_EQ(bytes.substr(0, 16), std::string("rooftile\3\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(bytes, writeExecutable(everything()));
  EXPECT_EQ(bytes, seal(bytes));
  auto data = readExecutable(bytes, why);
  ASSERT_TRUE(data) << why;
  EXPECT_EQ(why, "");
  EXPECT_EQ(writeExecutable(*data), bytes);
  EXPECT_EQ(data->chip, "h200");
  EXPECT_EQ(data->images[0].bytes, everything().images[0].bytes);
  EXPECT_EQ(data->kernels[0].name, "gemm_f32");
  EXPECT_EQ(data->kernels[0].image, 2u);
  EXPECT_EQ(data->functions[0].constants[2], kMin);
  EXPECT_EQ(data->functions[0].instructions[1].c, 7u);
  EXPECT_EQ(data->functions[0].launches[0].parameters[2].bytes, 16u);
  EXPECT_EQ(data->functions[0].launches[0].sharedBytes, kSixtyFour);
  EXPECT_EQ(data->functions[0].descriptors[0].boxVectors, 9u);
  EXPECT_EQ(data->description, "{\"plan\": []}");
}

TEST(Format, EveryTruncationIsNoticed) {
  std::string bytes = writeExecutable(everything()), why;
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string cut = bytes.substr(0, size);
    EXPECT_FALSE(readExecutable(cut, why)) << size;
    EXPECT_FALSE(why.empty());
    if (size < 32)
      continue;
    EXPECT_FALSE(readExecutable(seal(cut), why)) << size; // and by its lengths
    expectContains(why, "its lengths do not fit its bytes");
  }
  EXPECT_FALSE(readExecutable(bytes + "x", why));
  EXPECT_FALSE(readExecutable(seal(bytes + "x"), why));
}

TEST(Format, EveryChangeOfAByteIsNoticed) {
  std::string bytes = writeExecutable(everything()), why;
  for (size_t place = 0; place < bytes.size(); ++place)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[place] ^= 1 << bit;
      EXPECT_FALSE(readExecutable(bytes, why)) << place;
      bytes[place] ^= 1 << bit;
    }
  EXPECT_TRUE(readExecutable(bytes, why));
}

TEST(Format, OtherVersion) {
  std::string bytes = writeExecutable(everything()), why;
  bytes[8] = 4;
  EXPECT_FALSE(readExecutable(seal(bytes), why));
  EXPECT_EQ(why, "the executable has version 4 of the format, not 3");
}

/// Up to 8 bytes changed, or a part cut out.
static std::string corrupt(std::string bytes, std::mt19937_64 &random) {
  if (random() % 4 == 0)
    return bytes.erase(random() % bytes.size(), 1 + random() % 64);
  for (uint64_t count = 1 + random() % 8; count; --count)
    bytes[random() % bytes.size()] ^= 1 + random() % 255;
  return bytes;
}

TEST(Format, CorruptionsAreNoticed) {
  std::mt19937_64 random(1);
  std::string bytes = writeExecutable(everything()), why;
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = corrupt(bytes, random);
    if (damaged == bytes)
      continue;
    EXPECT_FALSE(readExecutable(damaged, why)) << i;
    EXPECT_FALSE(why.empty());
  }
}

/// With a checksum made for them, corruptions are errors, or data that is valid as it stands.
TEST(Format, SealedCorruptionsAreErrorsOrValid) {
  std::mt19937_64 random(2);
  std::string bytes = writeExecutable(everything()), why;
  int errors = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = corrupt(bytes.substr(32), random);
    auto data = readExecutable(seal(bytes.substr(0, 32) + damaged), why);
    errors += !data;
    EXPECT_EQ(data == nullptr, !why.empty());
    if (data)
      EXPECT_EQ(whyInvalid(*data), "");
  }
  EXPECT_GT(errors, 5000);
  EXPECT_LT(errors, 20000);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

TEST(Threads, ErrorsAreThoseOfAThread) {
  rooftileClearError();
  recordError("of the first");
  std::string before, own, behind;
  std::thread([&] {
    before = rooftileLastError();
    recordError("of the second");
    recordError("a later one");
    own = rooftileLastError();
    rooftileClearError();
    behind = rooftileLastError();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(own, "of the second");
  EXPECT_EQ(behind, "");
  EXPECT_STREQ(rooftileLastError(), "of the first");
  EXPECT_EQ(takeError(), "of the first");
  EXPECT_STREQ(rooftileLastError(), "");
}

TEST(Threads, RunOneExecutableAtOnce) {
  constexpr int kThreads = 8, kRuns = 2000;
  Code sum = functionOf("sum", 1, 6,
                        {to(Opcode::JumpUnless, 4, 3), operation(Opcode::Add, 4, 4, 3),
                         operation(Opcode::Sub, 3, 3, kOne), to(Opcode::Jump, 0),
                         operation(Opcode::Allocate, 5, kSixtyFour), to(Opcode::Launch, 0)});
  sum.launches = {launchOf(0, {{4, 8}})};
  Code fails = functionOf("fails", 1, 4, {to(Opcode::Launch, 0)});
  fails.launches = {launchOf(1, {}, kArgument)};
  auto executable = load({sum, fails});
  int wrong[kThreads] = {};
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kRuns; ++i) {
        uint64_t n = 1 + thread;
        stored.clear();
        wrong[thread] +=
            !executable->run(0, &n).empty() || stored.size() != 1 || stored[0] != n * (n + 1) / 2;
        wrong[thread] +=
            executable->run(1, &n) !=
            "function 'fails', instruction 0: kernel failing: grid " + std::to_string(n);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int count : wrong)
    EXPECT_EQ(count, 0);
}
