//===- CompilerCudaTest.cpp - Operations compiled, and called on a GPU ----===//
//
// Skipped where there is no GPU of NVIDIA's.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Compiler/Compiler.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using Clock = std::chrono::steady_clock;

namespace {
/// Memory of the device, filled from the host.
class DeviceMemory {
public:
  explicit DeviceMemory(const std::vector<double> &numbers)
      : bytes(numbers.size() * sizeof(double)), memory(cudaDriver().allocate(bytes)),
        address(reinterpret_cast<uint64_t>(memory)) {
    cudaDriver().copy(memory, numbers.data(), bytes);
  }
  ~DeviceMemory() { cudaDriver().free(memory); }
  std::vector<double> read() const {
    std::vector<double> numbers(bytes / sizeof(double));
    cudaDriver().copy(numbers.data(), memory, bytes);
    return numbers;
  }

  size_t bytes;
  void *memory;
  uint64_t address;
};

class CompilerCudaTest : public testing::Test {
protected:
  void SetUp() override {
    if (std::string why; !cudaDriver().open(why))
      GTEST_SKIP() << "no GPU";
    cache =
        std::filesystem::temp_directory_path() / ("rooftile-cuda-test-" + std::to_string(getpid()));
  }
  void TearDown() override { std::filesystem::remove_all(cache); }

  std::filesystem::path cache;
};

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

std::vector<double> digits(int64_t count, int64_t step) {
  std::vector<double> numbers(count);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = double((i * step + i / 7) % 9) - 4;
  return numbers;
}

struct Mnk {
  int64_t m, n, k;
};

/// C = A B + C of f64 in row-major order without gaps.
Operation productOf(Mnk sizes, bool isKnown) {
  Operation operation;
  operation.a.element = operation.b.element = operation.c.element = Element::F64;
  operation.beta = Scalar::One;
  if (!isKnown)
    return operation;
  operation.m = sizes.m, operation.n = sizes.n, operation.k = sizes.k;
  operation.a.leading = sizes.k, operation.b.leading = operation.c.leading = sizes.n;
  operation.a.align = operation.b.align = operation.c.align = 16;
  return operation;
}

/// Calls it once, and compares every element.
void check(Compiler &compiler, Mnk sizes, bool isKnown) {
  auto [m, n, k] = sizes;
  Operation operation = productOf(sizes, isKnown);
  Compiled compiled = compiler.get(operation);
  ASSERT_EQ(compiled.error, "");
  std::vector<double> a = digits(m * k, 3), b = digits(k * n, 5), c = digits(m * n, 7);
  DeviceMemory onA(a), onB(b), onC(c);
  rooftile::compiler::CallArguments call;
  call.m = m, call.n = n, call.k = k;
  call.a = {onA.address, k, 0}, call.b = {onB.address, n, 0}, call.c = {onC.address, n, 0};
  std::vector<uint64_t> registers;
  argumentsOf(operation, call, registers);
  ASSERT_EQ(compiled.executable->run(compiled.function, registers.data()), "");
  std::vector<double> result = onC.read();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = c[i * n + j];
      for (int64_t l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      ASSERT_EQ(result[i * n + j], sum) << i << ", " << j;
    }
}
} // namespace

TEST_F(CompilerCudaTest, StaticAndDynamicSizes) {
  Compiler compiler({DeviceKind::Cuda, "", cache.string()});
  for (Mnk sizes : {Mnk{64, 64, 64}, Mnk{300, 130, 70}, Mnk{1, 33, 5}, Mnk{40, 24, 9000}})
    for (bool isKnown : {true, false})
      check(compiler, sizes, isKnown);
  EXPECT_EQ(compiler.warning(), "");
}

/// A second process finds on disk what the first has compiled.
TEST_F(CompilerCudaTest, FromDisk) {
  Operation operation = productOf({256, 256, 256}, true);
  auto start = Clock::now();
  ASSERT_TRUE(Compiler({DeviceKind::Cuda, "", cache.string()}).get(operation));
  double compiled = microsecondsSince(start);
  start = Clock::now();
  Compiler again({DeviceKind::Cuda, "", cache.string()});
  ASSERT_TRUE(again.get(operation));
  double found = microsecondsSince(start);
  std::printf("compiled in %.1f ms, found on disk in %.2f ms\n", compiled * 1e-3, found * 1e-3);
  EXPECT_LT(found, compiled);
  check(again, {256, 256, 256}, true);
}

/// Cost of a call for the host: launches are queued, and the GPU is waited for outside.
TEST_F(CompilerCudaTest, CallsAreCheap) {
  Compiler compiler({DeviceKind::Cuda, "", cache.string()});
  for (bool isKnown : {true, false}) {
    Mnk sizes{64, 64, 64};
    Operation operation = productOf(sizes, isKnown);
    Compiled compiled = compiler.get(operation);
    ASSERT_EQ(compiled.error, "");
    DeviceMemory a(digits(4096, 1)), b(digits(4096, 2)), c(digits(4096, 3));
    rooftile::compiler::CallArguments call;
    call.m = call.n = call.k = 64;
    call.a = {a.address, 64, 0}, call.b = {b.address, 64, 0}, call.c = {c.address, 64, 0};
    std::vector<uint64_t> registers;
    double best = INFINITY;
    for (int round = 0; round < 50; ++round) {
      auto start = Clock::now();
      for (int i = 0; i < 100; ++i) {
        argumentsOf(operation, call, registers);
        ASSERT_EQ(compiled.executable->run(compiled.function, registers.data()), "");
      }
      best = std::min(best, microsecondsSince(start) / 100);
      ASSERT_TRUE(cudaDriver().waitForDevice());
    }
    std::printf("%s sizes: %.2f us a call\n", isKnown ? "known" : "open", best);
  }
}
