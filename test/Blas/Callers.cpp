//===- Callers.cpp - Whose BLAS a call is forwarded to --------------------===//

#include "Cases.h"
#include "Groups.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
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

//===----------------------------------------------------------------------===//
// Cost of a call
//===----------------------------------------------------------------------===//

// The library calls these instead of those of libc and libstdc++. It asks dladdr1 about every
// symbol that it finds.
static std::atomic<int> foundSymbols = 0, allocations = 0;

extern "C" int dladdr1(const void *address, Dl_info *info, void **extra, int flags) {
  ++foundSymbols;
  static auto *const real = functionOf<decltype(dladdr1)>(RTLD_NEXT, "dladdr1");
  return real(address, info, extra, flags);
}

void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

/// One call site, however it is reached.
[[gnu::noinline]] static void callOnce() {
  constexpr int kSize = 4;
  double a[16] = {1, 2, 3}, b[16] = {4, 5, 6}, c[16], one = 1, zero = 0;
  dgemm_("N", "N", &kSize, &kSize, &kSize, &one, a, &kSize, b, &kSize, &zero, c, &kSize);
}

/// Counts, and not a time, which depends on the machine and on what else runs there.
void testOverhead() {
  callOnce();
  EXPECT(foundSymbols > 0 && allocations > 0); // Or the library does not call those above.
  foundSymbols = allocations = 0;
  for (int call = 0; call < 1000; ++call)
    callOnce();
  EXPECT(foundSymbols == 0);
  EXPECT(allocations == 0);
}
