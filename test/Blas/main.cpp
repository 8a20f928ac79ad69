//===- main.cpp - Tests of BLAS in place ----------------------------------===//
//
// rooftile-blas-tests NAME: one group of tests, in the environment of the caller. It prints what
// does not hold, and then how many checks there were; it exits 1 where one does not hold.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Groups.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

static std::atomic<int> checks{0}, failures{0};

void expect(bool holds, const char *text, const char *file, int line) {
  ++checks;
  if (holds)
    return;
  ++failures;
  std::printf("%s:%d: does not hold: %s\n", file, line, text);
}

int nextCalls() {
  void *library = dlopen(std::getenv("ROOFTILE_BLAS_NEXT"), RTLD_NOW);
  auto *calls = reinterpret_cast<int (*)()>(library ? dlsym(library, "next_calls") : nullptr);
  return calls ? calls() : -1;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*test)();
  } groups[] = {{"zeros", testZeros},
                {"products", testProducts},
                {"triangular", testTriangular},
                {"updates", testUpdates},
                {"update-zeros", testUpdateZeros},
                {"update-panels", testUpdatePanels},
                {"update-status", testUpdateStatus},
                {"forwarded", testForwarded},
                {"refused", testRefused},
                {"threads", testThreads},
                {"fork", testFork},
                {"callers", testCallers},
                {"wrapper", testWrapper},
                {"overhead", testOverhead},
                {"unaligned", testUnaligned},
                {"spread", testSpread},
                {"panels", testPanels},
                {"overlap", testOverlap},
                {"status", testStatus},
                {"driver", testDriver},
                {"memory", testMemory},
                {"lost", testLost},
                {"devices", testDevices},
                {"route", testRoute},
                {"errors", testErrors},
                {"handlers", testHandlers},
                {"one", testOne},
                {"complex-solve", testComplexSolve}};
  const char *name = argc > 1 ? argv[1] : "";
  for (auto &group : groups)
    if (std::strcmp(name, group.name) == 0)
      group.test();
  std::printf("%s: %d checks, %d failures\n", name, checks.load(), failures.load());
  return checks == 0 || failures != 0;
}
