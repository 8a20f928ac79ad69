//===- ExecutableCudaTest.cpp - Executables on NVIDIA's driver without a GPU===//

#include "ExecutableFixtures.h"
#include "rooftile/Runtime/Cuda/Driver.h"

using namespace rooftile;

namespace {
class CudaDriverTest : public DriverTest {
protected:
  void TearDown() override {
    setDefaultCudaDevice(0);
    DriverTest::TearDown();
  }
};
} // namespace

TEST_F(CudaDriverTest, LoadsForEachDevice) {
  {
    auto executable = loaded(productForCuda());
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
