//===- ExecutableCudaTest.cpp - Executables on NVIDIA's driver without a GPU===//

#include "ExecutableFixtures.h"
#include "FakeCuda.h"
#include "rooftile/Runtime/Device/Driver.h"

#include <array>

using namespace rooftile;

namespace {
using CudaDriverTest = TwoDevicesTest;
} // namespace

TEST_F(CudaDriverTest, LoadsForEachDevice) {
  {
    auto executable = loaded(productForCuda());
    for (int device : {0, 1, 0, 1}) {
      DeviceScope scope(cudaDriver(), device);
      EXPECT_EQ(run(*executable, 7), "");
    }
    EXPECT_EQ(count("cuModuleLoadDataEx"), 4);
  }
  EXPECT_EQ(count("cuModuleUnload"), 4);
  EXPECT_STREQ(rooftileLastError(), "");
}

TEST_F(CudaDriverTest, SizesOutOfRange) {
  auto executable = loaded(productForCuda());
  expectContains(run(*executable, uint64_t(1) << 31), "exceeds (2147483647, 65535, 65535)");
  expectContains(run(*executable, UINT64_MAX), "kernel first: grid (-1, 64, 1)");
  ExecutableData data = productForCuda();
  data.functions[0].launches[0].cluster[1] = kArgument;
  expectContains(run(*loaded(data), 1025), "a cluster of 1 x 1025 x 1 blocks");
  data = productForCuda();
  data.functions[0].launches[0].sharedBytes = kArgument + 1;
  expectContains(run(*loaded(data), 1, uint64_t(1) << 32), "shared memory of 4294967296 bytes");
  EXPECT_EQ(count("cuLaunchKernelEx"), 0);
}

//===----------------------------------------------------------------------===//
// Launches as a graph
//===----------------------------------------------------------------------===//

/// Launches kernel 0 four times, on a grid of the first argument, with the number of the launch;
/// the last one with memory and the second argument, too. More than 64 blocks are followed by
/// kernel 1.
static ExecutableData chainForCuda() {
  ExecutableData data = productForCuda();
  Code code = functionOf("chain", 2, 8,
                         {operation(Opcode::Allocate, 5, kSixtyFour),
                          operation(Opcode::LessU, 7, kSixtyFour, kArgument),
                          operation(Opcode::Copy, 6, kZero), to(Opcode::Launch, 0),
                          operation(Opcode::Add, 6, 6, kOne), to(Opcode::Launch, 0),
                          operation(Opcode::Add, 6, 6, kOne), to(Opcode::Launch, 0),
                          operation(Opcode::Add, 6, 6, kOne), to(Opcode::Launch, 1),
                          to(Opcode::Launch, 2), operation(Opcode::Free, 0, 5)});
  code.launches = {launchOf(0, {{6, 4}}, kArgument),
                   launchOf(0, {{6, 8}, {4, 8}, {5, 8}}, kArgument),
                   launchOf(1, {{6, 8}, {4, 8}}, 7)};
  data.functions = {code};
  return data;
}

namespace {
/// For each launch, or kernel of a graph: blocks, and the first two parameters of the last one.
std::vector<std::array<uint64_t, 2>> seen;

class CudaGraphTest : public CudaDriverTest {
protected:
  void SetUp() override {
    CudaDriverTest::SetUp();
    fakecuda::launchHook = [](const unsigned *sizes, void *, void **parameters) {
      seen.push_back({sizes[0], *static_cast<uint32_t *>(parameters[0])});
      if (seen.back()[1] == 3)
        seen.back()[1] = *static_cast<uint64_t *>(parameters[1]);
    };
  }
  void TearDown() override {
    fakecuda::launchHook = nullptr;
    unsetenv("ROOFTILE_FAKE_CAPTURED");
    CudaDriverTest::TearDown();
  }
  /// Results of a run.
  std::vector<std::array<uint64_t, 2>> runOf(const Executable &executable, uint64_t grid,
                                             uint64_t number) {
    seen.clear();
    EXPECT_EQ(run(executable, grid, number), "");
    return seen;
  }
};

using Seen = std::vector<std::array<uint64_t, 2>>;
} // namespace

TEST_F(CudaGraphTest, SecondRunMakesAGraph) {
  auto executable = loaded(chainForCuda());
  Seen all = {{7, 0}, {7, 1}, {7, 2}, {7, 5}};
  EXPECT_EQ(runOf(*executable, 7, 5), all);
  EXPECT_EQ(count("cuLaunchKernelEx"), 4);
  EXPECT_EQ(runOf(*executable, 7, 5), all);
  EXPECT_EQ(count("cuGraphAddKernelNode_v2"), 4);
  EXPECT_EQ(count("cuGraphAddDependencies_v2"), 3);
  EXPECT_EQ(count("cuGraphLaunch stream 0"), 1);
  EXPECT_EQ(count("cuLaunchKernelEx"), 4);
  EXPECT_EQ(count("cuMemFreeAsync"), 2);
}

TEST_F(CudaGraphTest, LaterRunsChangeParameters) {
  auto executable = loaded(chainForCuda());
  runOf(*executable, 7, 5);
  runOf(*executable, 7, 5);
  // Memory is at another address, or not: that changes the last kernel alone, as its number does.
  runOf(*executable, 7, 5);
  EXPECT_LE(count("cuGraphExecKernelNodeSetParams_v2"), 1);
  EXPECT_EQ(runOf(*executable, 7, 6), (Seen{{7, 6}}));
  EXPECT_EQ(runOf(*executable, 9, 6), (Seen{{9, 0}, {9, 1}, {9, 2}, {9, 6}}));
  EXPECT_EQ(count("cuGraphLaunch"), 4);
  EXPECT_EQ(count("cuLaunchKernelEx"), 4);
}

TEST_F(CudaGraphTest, EachStreamHasItsOwn) {
  auto executable = loaded(chainForCuda());
  for (uint64_t stream : {16, 32, 16, 32, 16}) {
    rooftileSetStream(reinterpret_cast<void *>(stream));
    runOf(*executable, 7, 5);
  }
  EXPECT_EQ(count("cuGraphAddKernelNode_v2"), 8);
  EXPECT_EQ(count("cuGraphLaunch stream 16"), 2);
  EXPECT_EQ(count("cuGraphLaunch stream 32"), 1);
}

/// Other kernels are no run of the graph, and make one of their own when they come again.
TEST_F(CudaGraphTest, OtherLaunches) {
  auto executable = loaded(chainForCuda());
  for (uint64_t grid : {7, 7, 65})
    runOf(*executable, grid, 5);
  EXPECT_EQ(count("cuGraphLaunch"), 1);
  EXPECT_EQ(count("cuLaunchKernelEx"), 4 + 5);
  EXPECT_EQ(runOf(*executable, 66, 5).size(), 5u);
  EXPECT_EQ(count("cuGraphExecDestroy"), 1);
  EXPECT_EQ(count("cuGraphLaunch"), 2);
}

/// Launches go to the graph that is captured, one by one.
TEST_F(CudaGraphTest, CapturedStream) {
  auto executable = loaded(chainForCuda());
  rooftileSetStream(reinterpret_cast<void *>(48));
  setenv("ROOFTILE_FAKE_CAPTURED", "48", 1);
  for (int i = 0; i < 3; ++i)
    runOf(*executable, 7, 5);
  EXPECT_EQ(count("cuLaunchKernelEx stream 48"), 12);
  EXPECT_EQ(count("cuGraph"), 0);
}

/// Timed launches are launched one by one.
TEST_F(CudaGraphTest, Profile) {
  auto executable = loaded(chainForCuda());
  rooftileProfile(true);
  for (int i = 0; i < 3; ++i)
    runOf(*executable, 7, 5);
  rooftileProfile(false);
  EXPECT_EQ(count("cuLaunchKernelEx"), 12);
}

TEST_F(CudaGraphTest, RefusedGraphs) {
  for (const char *call :
       {"cuGraphCreate", "cuGraphAddKernelNode_v2", "cuGraphAddDependencies_v2",
        "cuGraphInstantiateWithFlags", "cuGraphLaunch", "cuGraphExecKernelNodeSetParams_v2"}) {
    auto executable = loaded(chainForCuda());
    int before = count("cuLaunchKernelEx");
    letFail(call);
    for (uint64_t number : {5, 5, 6})
      runOf(*executable, 7, number);
    unsetenv("ROOFTILE_FAKE_FAILURE");
    bool whenChanged = call == std::string("cuGraphExecKernelNodeSetParams_v2");
    EXPECT_EQ(count("cuLaunchKernelEx") - before, whenChanged ? 8 : 12) << call;
  }
}

/// A failure between launches ends the run before any of them.
TEST_F(CudaGraphTest, FailedRun) {
  ExecutableData data = chainForCuda();
  auto &instructions = data.functions[0].instructions;
  instructions.insert(instructions.begin() + 6, operation(Opcode::DivU, 6, kOne, kArgument));
  auto executable = loaded(data);
  expectContains(run(*executable, 0), "function 'chain', instruction 6: division by zero");
  EXPECT_EQ(count("cuLaunchKernelEx"), 0);
  EXPECT_EQ(count("cuMemFreeAsync"), 1);
  letFail("cuLaunchKernelEx");
  expectContains(
      run(*loaded(chainForCuda()), 7),
      "function 'chain': cuLaunchKernelEx failed on CUDA device 0: CUDA_ERROR_LAUNCH_FAILED");
}

TEST_F(CudaDriverTest, ArraysAreCopiedOnceForEachDevice) {
  auto executable = loaded(withArray(productForCuda()));
  for (int device : {0, 1, 0, 1}) {
    DeviceScope scope(cudaDriver(), device);
    uint64_t result = 0;
    EXPECT_EQ(executable->run(0, nullptr, &result), "");
    EXPECT_EQ(result, 0x61746164u); // "data"
  }
  EXPECT_EQ(count("cuMemcpyAsync"), 2 + 4);
  EXPECT_EQ(count("cuStreamSynchronize"), 2 + 4);
  letFail("cuMemcpyAsync");
  uint64_t result = 0;
  expectContains(executable->run(0, nullptr, &result), "cuMemcpyAsync");
}
