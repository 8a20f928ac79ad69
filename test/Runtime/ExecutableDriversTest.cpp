//===- ExecutableDriversTest.cpp - Executables on both drivers without a GPU -===//

#include "ExecutableFixtures.h"
#include "FakeCuda.h"
#include "FakeHip.h"
#include "rooftile/Runtime/Device/Driver.h"

#include <atomic>
#include <thread>

using namespace rooftile;

namespace {
/// A driver: its executable, and the functions that it is asked for.
struct Vendor {
  const char *name;
  ExecutableData (*product)();
  const char *load, *find, *launch, *allocate, *free, *unload, *failure;
  fakedriver::LaunchHook *hook;
  const Driver &(*driver)();
};

class BothDrivers : public TwoDevicesTest, public testing::WithParamInterface<Vendor> {
protected:
  void TearDown() override {
    *vendor.hook = nullptr;
    TwoDevicesTest::TearDown();
  }
  ExecutableData product() { return vendor.product(); }
  /// "cuMemAlloc failed on CUDA device 0: CUDA_ERROR_.."
  std::string failureOf(const char *call, int device = 0) {
    return std::string(call) + " failed on " + describe({vendor.driver().kind, device}) + ": " +
           vendor.failure;
  }

  const Vendor &vendor = GetParam();
};
} // namespace

INSTANTIATE_TEST_SUITE_P(
    Executables, BothDrivers,
    testing::Values(Vendor{"Cuda", productForCuda, "cuModuleLoadDataEx", "cuModuleGetFunction",
                           "cuLaunchKernelEx", "cuMemAllocFromPoolAsync", "cuMemFreeAsync",
                           "cuModuleUnload", "CUDA_ERROR_LAUNCH_FAILED", &fakecuda::launchHook,
                           cudaDriver},
                    Vendor{"Hip", productForHip, "hipModuleLoadData", "hipModuleGetFunction",
                           "hipModuleLaunchKernel", "hipMallocAsync", "hipFreeAsync",
                           "hipModuleUnload", "hipErrorLaunchFailure", &fakehip::launchHook,
                           hipDriver}),
    [](const auto &vendor) { return std::string(vendor.param.name); });

TEST_P(BothDrivers, LoadsKernelsOnceAndUnloadsThem) {
  {
    auto executable = loaded(product());
    EXPECT_EQ(count(""), 0); // the driver is left alone
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(run(*executable, 7), "");
    EXPECT_EQ(count(vendor.load), 2);
    EXPECT_EQ(count(vendor.find), 2);
    EXPECT_EQ(count(vendor.launch), 6);
    EXPECT_EQ(count(vendor.allocate), 3);
    EXPECT_EQ(count(vendor.free), 3);
    EXPECT_EQ(count(vendor.unload), 0);
  }
  EXPECT_EQ(count(vendor.unload), 2);
}

TEST_P(BothDrivers, OtherDriversAreLeftAlone) {
  EXPECT_EQ(run(*loaded(product()), 7), "");
  bool isCuda = vendor.product == productForCuda;
  EXPECT_EQ(count(isCuda ? "hip" : "cu"), 0);
  EXPECT_GT(count(isCuda ? "cu" : "hip"), 0);
}

TEST_P(BothDrivers, KernelsOfOneImageShareIt) {
  ExecutableData data = product();
  data.kernels[1].image = 0;
  auto executable = loaded(std::move(data));
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count(vendor.load), 1);
  EXPECT_EQ(count(vendor.find), 2);
}

TEST_P(BothDrivers, PrepareLoads) {
  auto executable = loaded(product());
  EXPECT_EQ(executable->prepare(), "");
  EXPECT_EQ(count(vendor.find), 2);
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count(vendor.find), 2);
}

/// A stream that is captured into a graph does not allow to make a pool.
TEST_P(BothDrivers, PrepareMakesThePool) {
  constexpr int kNoOtherTestsDevice = 5;
  setenv("ROOFTILE_FAKE_DEVICES", "6", 1);
  DeviceScope scope(cudaDriver(), kNoOtherTestsDevice);
  auto executable = loaded(product());
  EXPECT_EQ(executable->prepare(), "");
  int pools = count("cuMemPoolCreate");
  EXPECT_EQ(pools, vendor.product == productForCuda ? 1 : 0);
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count("cuMemPoolCreate"), pools);
}

/// The sizes and parameters of the launches of a thread.
static thread_local std::vector<std::vector<uint64_t>> launches;

TEST_P(BothDrivers, LaunchesWithSizesAndParameters) {
  launches.clear();
  *vendor.hook = [](const unsigned *sizes, void *, void **parameters) {
    std::vector<uint64_t> launch(sizes, sizes + 7);
    launch.push_back(*static_cast<uint32_t *>(parameters[0]));
    if (launches.empty())
      launch.push_back(*static_cast<uint64_t *>(parameters[1]));
    launches.push_back(launch);
  };
  auto executable = loaded(product());
  rooftileSetStream(reinterpret_cast<void *>(4711));
  EXPECT_EQ(run(*executable, 7, 12345), "");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_NE(launches[0][7], 0u); // of the memory
  launches[0][7] = 0;
  EXPECT_EQ(launches[0], (std::vector<uint64_t>{7, 64, 1, 64, 1, 1, 64, 0, 12345}));
  EXPECT_EQ(launches[1], (std::vector<uint64_t>{7, 1, 1, 64, 1, 1, 0, 12345}));
  const std::string stream = " stream 4711";
  EXPECT_EQ(count(vendor.launch + stream), 2);
  EXPECT_EQ(count(vendor.allocate + stream), 1);
  EXPECT_EQ(count(vendor.free + stream), 1);
}

TEST_P(BothDrivers, EmptyGridsLoadNothing) {
  auto executable = loaded(product());
  EXPECT_EQ(run(*executable, 0), "");
  EXPECT_EQ(count(vendor.load), 0);
  EXPECT_EQ(count(vendor.launch), 0);
}

TEST_P(BothDrivers, MemoryIsFreedWhereALaunchFails) {
  auto executable = loaded(product());
  letFail(vendor.launch);
  EXPECT_EQ(run(*executable, 7),
            "function 'product', instruction 1: " + failureOf(vendor.launch) +
                " (kernel first, grid (7, 64, 1), block (64, 1, 1), 64 bytes of shared memory)");
  EXPECT_STREQ(rooftileLastError(), "");
  EXPECT_EQ(count(vendor.launch), 1); // the second launch is not tried
  EXPECT_EQ(count(vendor.allocate), 1);
  EXPECT_EQ(count(vendor.free), 1);
  unsetenv("ROOFTILE_FAKE_FAILURE");
  EXPECT_EQ(run(*executable, 7), "");
}

TEST_P(BothDrivers, MemoryThatNobodyFreesIsFreed) {
  ExecutableData data = product();
  data.functions[0].instructions.erase(data.functions[0].instructions.end() - 2);
  auto executable = loaded(std::move(data));
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count(vendor.free), 1);
}

TEST_P(BothDrivers, EveryPieceOfMemoryIsFreedOnce) {
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
  EXPECT_EQ(run(*loaded(data), 7), "");
  EXPECT_EQ(count(vendor.allocate), kPieces);
  EXPECT_EQ(count(vendor.free), kPieces);
  code.instructions.back() = to(Opcode::Launch, 0);
  code.instructions.push_back({});
  letFail(vendor.load);
  expectContains(run(*loaded(data), 7), failureOf(vendor.load));
  EXPECT_EQ(count(vendor.free), 2 * kPieces);
}

TEST_P(BothDrivers, FailuresToLoad) {
  auto executable = loaded(product());
  letFail(vendor.load);
  expectContains(run(*executable, 7),
                 "function 'product', instruction 1: " + failureOf(vendor.load));
  letFail(vendor.find);
  expectContains(run(*executable, 7), failureOf(vendor.find) + " (first");
  letFail(vendor.allocate);
  expectContains(run(*executable, 7), "function 'product', instruction 0: " +
                                          failureOf(vendor.allocate) + " (64 bytes)");
  EXPECT_EQ(count(vendor.launch), 0);
  unsetenv("ROOFTILE_FAKE_FAILURE");
  EXPECT_EQ(run(*executable, 7), ""); // nothing of a failure stays
}

TEST_P(BothDrivers, ThreadsLoadOnce) {
  static std::atomic<int> launched;
  launched = 0;
  *vendor.hook = [](const unsigned *, void *, void **) { ++launched; };
  auto executable = loaded(product());
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
  EXPECT_EQ(count(vendor.load), 2);
  EXPECT_EQ(count(vendor.find), 2);
}

//===----------------------------------------------------------------------===//
// Several devices
//===----------------------------------------------------------------------===//

/// Each thread uses its own device, whatever the others do, and loads for it once.
TEST_P(BothDrivers, ThreadsUseTheirDevices) {
  constexpr int kRuns = 50;
  static std::atomic<int> launched[2];
  static thread_local int own = 0;
  static std::atomic<int> strayed;
  launched[0] = launched[1] = strayed = 0;
  *vendor.hook = [](const unsigned *, void *, void **) {
    ++launched[own];
    strayed += fakedriver::present() != own;
  };
  auto executable = loaded(product());
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      own = thread % 2;
      for (int i = 0; i < kRuns; ++i) {
        DeviceScope scope(vendor.driver(), own);
        failures += !run(*executable, 7).empty();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(strayed, 0);
  EXPECT_EQ(launched[0], 2 * 2 * kRuns);
  EXPECT_EQ(launched[1], 2 * 2 * kRuns);
  EXPECT_EQ(count(vendor.load), 2 * 2);
  EXPECT_EQ(count(vendor.find), 2 * 2);
}

/// A device whose driver is loading a module keeps no other device waiting.
TEST_P(BothDrivers, DevicesDoNotWaitForEachOther) {
  auto executable = loaded(product());
  setenv("ROOFTILE_FAKE_BLOCKED", vendor.load, 1);
  std::thread blocked([&] {
    DeviceScope scope(vendor.driver(), 1);
    EXPECT_EQ(run(*executable, 7), "");
  });
  while (!fakedriver::isBlocked())
    std::this_thread::yield();
  EXPECT_EQ(run(*executable, 7), ""); // on device 0
  EXPECT_EQ(count(vendor.launch), 2);
  unsetenv("ROOFTILE_FAKE_BLOCKED");
  fakedriver::unblock();
  blocked.join();
  EXPECT_EQ(count(vendor.launch), 4);
}

TEST_P(BothDrivers, FailuresNameTheDevice) {
  auto executable = loaded(product());
  DeviceScope scope(vendor.driver(), 1);
  letFail(vendor.launch);
  expectContains(run(*executable, 7), failureOf(vendor.launch, 1));
}

TEST_P(BothDrivers, UnknownDevices) {
  auto executable = loaded(product());
  Device unknown{vendor.driver().kind, 2};
  {
    DeviceScope scope(unknown);
    expectContains(run(*executable, 7),
                   "there is no " + describe(unknown) + ": the driver shows 2");
  }
  EXPECT_EQ(count(vendor.launch), 0);
  vendor.driver().setDevice(kMostDevices);
  EXPECT_EQ(takeError(), describe({unknown.kind, kMostDevices}) + " is out of range: 0 to 63");
}

/// The context that the program has made current is so again after a scope, also of another vendor.
TEST_P(BothDrivers, ScopesNest) {
  auto executable = loaded(product());
  const Driver &driver = vendor.driver();
  DeviceScope outer(driver, 1);
  {
    DeviceScope other(driver.kind == DeviceKind::Cuda ? hipDriver() : cudaDriver(), 0);
    EXPECT_NE(&Driver::ofThread(), &driver);
    DeviceScope inner(driver, 0);
    EXPECT_EQ(driver.device(), 0);
  }
  EXPECT_EQ(&Driver::ofThread(), &driver);
  EXPECT_EQ(driver.device(), 1);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

namespace {
class StateTest : public TwoDevicesTest {
protected:
  void TearDown() override {
    unsetenv("ROOFTILE_FAKE_THROTTLE");
    unsetenv("ROOFTILE_FAKE_FAILURE");
    TwoDevicesTest::TearDown();
  }
};
} // namespace

TEST_F(StateTest, DevicesAreFoundByTheirBus) {
  EXPECT_EQ(cudaDriver().state(0).clockMHz, 1755);
  EXPECT_EQ(cudaDriver().state(1).clockMHz, 1655);
  EXPECT_EQ(cudaDriver().state(1).memoryMHz, 3201);
  EXPECT_EQ(cudaDriver().state(1).watts, 612.5);
  EXPECT_TRUE(std::isnan(cudaDriver().state(-1).clockMHz));
}

TEST_F(StateTest, HeatAndLimitsOfPowerThrottle) {
  for (const char *reason : {"0x4", "0x8", "0x20", "0x40", "0x80"}) {
    setenv("ROOFTILE_FAKE_THROTTLE", reason, 1);
    EXPECT_TRUE(cudaDriver().state(0).throttled) << reason;
  }
  setenv("ROOFTILE_FAKE_THROTTLE", "0x113", 1); // idle, set by the user, synchronized, display
  EXPECT_FALSE(cudaDriver().state(0).throttled);
}

TEST_F(StateTest, WhatFailsIsUnknown) {
  setenv("ROOFTILE_FAKE_FAILURE", "nvmlDeviceGetPowerUsage", 1);
  EXPECT_TRUE(std::isnan(cudaDriver().state(0).watts));
  EXPECT_EQ(cudaDriver().state(0).clockMHz, 1755);
  setenv("ROOFTILE_FAKE_FAILURE", "nvmlDeviceGetClockInfo", 1);
  EXPECT_TRUE(std::isnan(cudaDriver().state(0).clockMHz));
  EXPECT_TRUE(std::isnan(hipDriver().state(0).clockMHz));
  EXPECT_TRUE(std::isnan(cpuDriver().state(0).watts));
  EXPECT_STREQ(rooftileLastError(), "");
}
