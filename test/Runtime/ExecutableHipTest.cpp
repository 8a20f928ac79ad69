//===- ExecutableHipTest.cpp - Executables on AMD's driver without a GPU --===//

#include "ExecutableFixtures.h"
#include "rooftile/Runtime/Device/Driver.h"

using namespace rooftile;

extern "C" int hipSetDevice(int device);

namespace {
class HipDriverTest : public DriverTest {
protected:
  void TearDown() override {
    unsetenv("ROOFTILE_FAKE_ARCHITECTURE");
    unsetenv("ROOFTILE_FAKE_HIP_NAME");
    DriverTest::TearDown();
  }
};
} // namespace

TEST_F(HipDriverTest, CallsGoToTheFirstDevice) {
  auto executable = loaded(productForHip());
  hipSetDevice(3);
  EXPECT_EQ(run(*executable, 7), "");
  EXPECT_EQ(count("hipSetDevice"), 2); // the test's own, and one back
  hipSetDevice(3);
  for (const char *call : {"hipGetDevice", "hipSetDevice"}) {
    letFail(call);
    expectContains(run(*executable, 7),
                   std::string(call) + " failed on HIP device 0: hipErrorLaunchFailure");
  }
  EXPECT_EQ(count("hipModuleLaunchKernel"), 2);
}

TEST_F(HipDriverTest, ImagesThatTheDriverRefuses) {
  ExecutableData data = productForHip();
  data.images[0].bytes[48] = 0x2f; // for gfx906
  expectContains(run(*loaded(data), 7),
                 "hipModuleLoadData failed on HIP device 0: hipErrorNoBinaryForGpu");
  EXPECT_EQ(count("hipModuleLaunchKernel"), 0);
}

static std::string whyNotLoaded(ExecutableData data) {
  std::string why;
  EXPECT_EQ(Executable::load(std::move(data), why), nullptr);
  return why;
}

TEST_F(HipDriverTest, ImagesThatAreNone) {
  ExecutableData data = productForHip();
  data.images[1].bytes.resize(19);
  EXPECT_EQ(whyNotLoaded(data), "image 1 has 19 bytes and can be no kernel");
  data.images[1].bytes = ".version 8.0, which is PTX";
  EXPECT_EQ(whyNotLoaded(data), "image 1 is for NVIDIA GPUs, those before it for AMD");
  std::swap(data.images[0], data.images[1]);
  EXPECT_EQ(whyNotLoaded(data), "image 1 is for AMD GPUs, those before it for NVIDIA");
}

TEST_F(HipDriverTest, WhatTheHardwareHasNot) {
  ExecutableData data = productForHip();
  data.functions[0].launches[0].cluster[1] = kArgument;
  expectContains(run(*loaded(data), 2),
                 "kernel first: cluster (1, 2, 1): AMD GPUs launch no clusters");
  data = productForHip();
  Code &code = data.functions[0];
  code.registers += kDescriptorRegisters;
  DescriptorSite site;
  site.descriptor = 6;
  code.descriptors = {site};
  code.instructions = {operation(Opcode::TensorMap, kArgument), {}};
  expectContains(run(*loaded(data), 2), "AMD GPUs have no tensor copies");
  EXPECT_EQ(count("hipModuleLaunchKernel"), 0);
}

TEST_F(HipDriverTest, SizesOutOfRange) {
  auto executable = loaded(productForHip());
  expectContains(run(*executable, uint64_t(1) << 26),
                 "kernel first: grid (67108864, 64, 1) of blocks (64, 1, 1) is not within 1 .. "
                 "4294967295 threads a dimension");
  expectContains(run(*executable, UINT64_MAX), "grid (-1, 64, 1)");
  ExecutableData data = productForHip();
  data.functions[0].launches[0].block[1] = kArgument + 1;
  for (uint64_t lines : {uint64_t(0), uint64_t(17), uint64_t(1025), UINT64_MAX})
    expectContains(run(*loaded(data), 7, lines), "is not within 1 .. 1024 threads");
  data = productForHip();
  data.functions[0].launches[0].sharedBytes = kArgument + 1;
  expectContains(run(*loaded(data), 1, uint64_t(1) << 32), "shared memory of 4294967296 bytes");
  EXPECT_EQ(count("hipModuleLaunchKernel"), 0);
  EXPECT_EQ(run(*executable, (uint64_t(1) << 26) - 1), "");
}

TEST_F(HipDriverTest, FactsOfTheDevice) {
  DeviceFacts facts;
  setenv("ROOFTILE_FAKE_HIP_NAME", "AMD Instinct MI250X", 1);
  setenv("ROOFTILE_FAKE_ARCHITECTURE", "gfx90a:sramecc+:xnack-", 1);
  EXPECT_TRUE(hipDriver().ask(0, facts));
  EXPECT_EQ(facts.name, "AMD Instinct MI250X");
  EXPECT_EQ(facts.architecture, "gfx90a");
  EXPECT_EQ(facts.major, 0);
  EXPECT_EQ(facts.memoryBytes, uint64_t(192) << 30);
  EXPECT_EQ(facts.units, 304);
  EXPECT_EQ(facts.subgroup, 64);
  EXPECT_EQ(facts.clockKilohertz, 2100000);
  EXPECT_EQ(facts.sharedBytesPerBlock, 65536);
  EXPECT_EQ(facts.threadsPerBlock, 1024);
  setenv("ROOFTILE_FAKE_ARCHITECTURE", "", 1); // as if the layout were another one
  EXPECT_FALSE(hipDriver().ask(0, facts));
  EXPECT_EQ(
      takeError(),
      "the HIP driver does not say of which architecture HIP device 0 is (AMD Instinct MI250X)");
  letFail("hipGetDevicePropertiesR0600");
  EXPECT_FALSE(hipDriver().ask(0, facts));
  expectContains(takeError(),
                 "hipGetDevicePropertiesR0600 failed on HIP device 0: hipErrorLaunchFailure");
}

TEST_F(HipDriverTest, ArraysAreCopiedOnce) {
  auto executable = loaded(withArray(productForHip()));
  for (int round = 0; round < 2; ++round) {
    uint64_t result = 0;
    EXPECT_EQ(executable->run(0, nullptr, &result), "");
    EXPECT_EQ(result, 0x61746164u); // "data"
  }
  EXPECT_EQ(count("hipMemcpyAsync"), 1 + 2);
}
