//===- Callers.cpp - Whose BLAS a call is forwarded to --------------------===//

#include "Cases.h"
#include "Groups.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

using Product = void(bool, int, const double *, const double *, double *);

template <typename Function> static Function *functionOf(void *library, const char *name) {
  return reinterpret_cast<Function *>(dlsym(library, name));
}

/// A library of the folder $TEST_BLAS, opened as an extension of Python is.
static void *openPlugin(const char *name) {
  const char *folder = std::getenv("TEST_BLAS");
  return dlopen((std::string(folder ? folder : ".") + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Calls of the plugin reach its own BLAS, those of the program the program's.
static void testPlugin(const char *name) {
  void *library = openPlugin(name);
  EXPECT(library);
  if (!library)
    return;
  auto *product = functionOf<Product>(library, "plugin_product");
  auto *ownCalls = functionOf<int()>(library, "next_calls");
  constexpr int kSize = 40;
  std::vector<double> ones(kSize * kSize, 1), c(kSize * kSize);
  for (bool isC : {false, true})
    for (bool isMeasured : {false, true}) { // The first call may measure the BLAS.
      c[kSize] = 0;
      product(isC, kSize, ones.data(), ones.data(), c.data());
      int calls = ownCalls();
      EXPECT(c[kSize] == kSize && (isMeasured ? calls == 1 : calls >= 1));
    }
  nextCalls();
  for (bool isMeasured : {false, true}) {
    EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', kSize, kSize, kSize, 1, 0));
    int calls = nextCalls();
    EXPECT(ownCalls() == 0 && (isMeasured ? calls == 1 : calls >= 1));
  }
}

void testCallers() {
  testPlugin("librooftile-plugin.so");
  testPlugin("librooftile-bundle.so");
}

void testWrapper() {
  nextCalls();
  EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 7, 5, 3, 2, 3));
  EXPECT(nextCalls() == 1);
  auto *calls = functionOf<int()>(RTLD_DEFAULT, "wrapper_calls");
  EXPECT(calls && calls() == 1);
}

using Gemm = decltype(dgemm_);

/// The least of many short times: what else runs does not count.
static double secondsOf(Gemm *gemm) {
  constexpr int kTimes = 200, kCalls = 500, kSize = 4;
  double a[16] = {1, 2, 3}, b[16] = {4, 5, 6}, c[16], one = 1, zero = 0, least = 1;
  for (int time = 0; time < kTimes; ++time) {
    auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < kCalls; ++call)
      gemm("N", "N", &kSize, &kSize, &kSize, &one, a, &kSize, b, &kSize, &zero, c, &kSize);
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    least = std::min(least, seconds.count() / kCalls);
  }
  return least;
}

void testOverhead() {
  void *next = dlopen(std::getenv("ROOFTILE_BLAS_NEXT"), RTLD_NOW);
  auto *direct = functionOf<Gemm>(next, "dgemm_");
  EXPECT(direct && direct != dgemm_);
  if (!direct)
    return;
  double more = secondsOf(dgemm_) - secondsOf(direct);
  std::printf("forwarded: %.3f us more\n", more * 1e6);
  constexpr double kMost = 0.12e-6; // Checks and the search of the site; a look-up takes 0.5 us.
  EXPECT(more <= kMost);
}
