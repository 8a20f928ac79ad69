//===- ExecutableCudaTest.cpp - Executables on the driver without a GPU ---===//

#include "ExecutableFixtures.h"
#include "FakeCuda.h"
#include "rooftile/Runtime/Cuda/Driver.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace rooftile;

namespace {

/// What the driver without a GPU is asked for, from the beginning of a test on.
class Driver : public testing::Test {
protected:
  void SetUp() override {
    setenv("ROOFTILE_FAKE_LOG", log.c_str(), 1);
    rooftileClearError();
  }
  void TearDown() override {
    fakecuda::launchHook = nullptr;
    setDefaultCudaDevice(0);
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

} // namespace

/// Function "product" allocates memory of 64 bytes, launches kernels 0 and 1 (of two images) with
/// it and its second argument, on grids of the first, and frees it.
static ExecutableData product() {
  ExecutableData data;
  data.chip = "h200";
  data.images = {{".version 8.0 and the first kernel"}, {".version 8.0 and the second kernel"}};
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

static std::unique_ptr<Executable> load(ExecutableData data) {
  std::string why;
  auto executable = Executable::load(std::move(data), why);
  EXPECT_EQ(why, "");
  return executable;
}

static std::string run(const Executable &executable, uint64_t grid, uint64_t number = 5) {
  uint64_t arguments[] = {grid, number};
  return executable.run(0, arguments);
}

TEST_F(Driver, LoadsKernelsOnceAndUnloadsThem) {
  {
    auto executable = load(product());
    EXPECT_EQ(count("cuModuleLoadDataEx"), 0);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(run(*executable, 7), "");
    EXPECT_EQ(count("cuModuleLoadDataEx"), 2);
    EXPECT_EQ(count("cuModuleGetFunction"), 2);
    EXPECT_EQ(count("cuLaunchKernelEx"), 6);
    EXPECT_EQ(count("cuMemAllocFromPoolAsync"), 3);
    EXPECT_EQ(count("cuMemFreeAsync"), 3);
    EXPECT_EQ(count("cuModuleUnload"), 0);
  }
  EXPECT_EQ(count("cuModuleUnload"), 2);
}

TEST_F(Driver, KernelsOfOneImageShareIt) {
  ExecutableData data = product();
  data.kernels[1].image = 0;
  auto executable = load(std::move(data));
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(count("cuModuleGetFunction"), 2);
}

TEST_F(Driver, LoadsForEachDevice) {
  {
    auto executable = load(product());
    for (int device : {0, 1, 0, 1}) {
      setDefaultCudaDevice(device);
      EXPECT_EQ(run(*executable, 7), "");
    }
    EXPECT_EQ(count("cuModuleLoadDataEx"), 4);
    setDefaultCudaDevice(0);
  }
  EXPECT_EQ(count("cuModuleUnload"), 4);
  EXPECT_STREQ(rooftileLastError(), "");
}

/// The sizes and parameters of the launches of a thread.
static thread_local std::vector<std::vector<uint64_t>> launches;

TEST_F(Driver, LaunchesWithSizesAndParameters) {
  launches.clear();
  fakecuda::launchHook = [](const unsigned *sizes, void *, void **parameters) {
    std::vector<uint64_t> launch(sizes, sizes + 7);
    launch.push_back(*static_cast<uint32_t *>(parameters[0]));
    if (launches.empty())
      launch.push_back(*static_cast<uint64_t *>(parameters[1]));
    launches.push_back(launch);
  };
  auto executable = load(product());
  rooftileSetStream(reinterpret_cast<void *>(4711));
  EXPECT_EQ(run(*executable, 7, 12345), "");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_NE(launches[0][7], 0u); // of the memory
  launches[0][7] = 0;
  EXPECT_EQ(launches[0], (std::vector<uint64_t>{7, 64, 1, 64, 1, 1, 64, 0, 12345}));
  EXPECT_EQ(launches[1], (std::vector<uint64_t>{7, 1, 1, 64, 1, 1, 0, 12345}));
  EXPECT_EQ(count("cuLaunchKernelEx stream 4711"), 2);
  EXPECT_EQ(count("cuMemAllocFromPoolAsync stream 4711"), 1);
  EXPECT_EQ(count("cuMemFreeAsync stream 4711"), 1);
}

TEST_F(Driver, EmptyGridsLoadNothing) {
  auto executable = load(product());
  EXPECT_EQ(run(*executable, 0), "");
  EXPECT_EQ(count("cuModuleLoadDataEx"), 0);
  EXPECT_EQ(count("cuLaunchKernelEx"), 0);
}

TEST_F(Driver, MemoryIsFreedWhereALaunchFails) {
  auto executable = load(product());
  letFail("cuLaunchKernelEx");
  EXPECT_EQ(run(*executable, 7),
            "function 'product', instruction 1: cuLaunchKernelEx failed: CUDA_ERROR_LAUNCH_FAILED "
            "(kernel first, grid (7, 64, 1), block (64, 1, 1), 64 bytes of shared memory)");
  EXPECT_STREQ(rooftileLastError(), "");
  EXPECT_EQ(count("cuLaunchKernelEx"), 1); // the second launch is not tried
  EXPECT_EQ(count("cuMemAllocFromPoolAsync"), 1);
  EXPECT_EQ(count("cuMemFreeAsync"), 1);
  unsetenv("ROOFTILE_FAKE_FAILURE");
  EXPECT_EQ(run(*executable, 7), "");
}

TEST_F(Driver, MemoryThatNobodyFreesIsFreed) {
  ExecutableData data = product();
  data.functions[0].instructions.erase(data.functions[0].instructions.end() - 2);
  auto executable = load(std::move(data));
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count("cuMemFreeAsync"), 1);
}

TEST_F(Driver, EveryPieceOfMemoryIsFreedOnce) {
  constexpr int kPieces = 20; // more than a run keeps without a list
  ExecutableData data = product();
  Code &code = data.functions[0];
  code.registers += kPieces;
  code.instructions.clear();
  for (uint32_t i = 0; i < kPieces; ++i)
    code.instructions.push_back(operation(Opcode::Allocate, 6 + i, kSixtyFour));
  for (uint32_t i : {7, 6, 25, 14, 22})
    code.instructions.push_back(operation(Opcode::Free, 0, i));
  code.instructions.push_back({});
  EXPECT_EQ(run(*load(data), 7), "");
  EXPECT_EQ(count("cuMemAllocFromPoolAsync"), kPieces);
  EXPECT_EQ(count("cuMemFreeAsync"), kPieces);
  code.instructions.back() = to(Opcode::Launch, 0);
  code.instructions.push_back({});
  letFail("cuModuleLoadDataEx");
  expectContains(run(*load(data), 7), "cuModuleLoadDataEx failed");
  EXPECT_EQ(count("cuMemFreeAsync"), 2 * kPieces);
}

TEST_F(Driver, FailuresToLoad) {
  auto executable = load(product());
  letFail("cuModuleLoadDataEx");
  expectContains(run(*executable, 7),
                 "function 'product', instruction 1: cuModuleLoadDataEx failed");
  letFail("cuModuleGetFunction");
  expectContains(run(*executable, 7),
                 "cuModuleGetFunction failed: CUDA_ERROR_LAUNCH_FAILED (first");
  letFail("cuMemAllocFromPoolAsync");
  expectContains(run(*executable, 7),
                 "function 'product', instruction 0: cuMemAllocFromPoolAsync failed");
  EXPECT_EQ(count("cuLaunchKernelEx"), 0);
  unsetenv("ROOFTILE_FAKE_FAILURE");
  EXPECT_EQ(run(*executable, 7), ""); // nothing of a failure stays
}

TEST_F(Driver, SizesOutOfRange) {
  auto executable = load(product());
  expectContains(run(*executable, uint64_t(1) << 31), "exceeds (2147483647, 65535, 65535)");
  expectContains(run(*executable, UINT64_MAX), "kernel first: grid (-1, 64, 1)");
  ExecutableData data = product();
  data.functions[0].launches[0].cluster[1] = kArgument;
  expectContains(run(*load(data), 1025), "a cluster of 1 x 1025 x 1 blocks");
  data = product();
  data.functions[0].launches[0].sharedBytes = kArgument + 1;
  expectContains(run(*load(data), 1, uint64_t(1) << 32), "shared memory of 4294967296 bytes");
  EXPECT_EQ(count("cuLaunchKernelEx"), 0);
}

TEST_F(Driver, ThreadsLoadOnce) {
  static std::atomic<int> launched;
  launched = 0;
  fakecuda::launchHook = [](const unsigned *, void *, void **) { ++launched; };
  auto executable = load(product());
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        failures += !run(*executable, 7).empty();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(launched, 800);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(count("cuModuleGetFunction"), 2);
}
