//===- AfterMain.cpp - Calls from destructors of static objects -----------===//
//
// rooftile-c-after-main early|late: a static object that is older or younger than the first call of
// the library calls it in its destructor, when the thread_local objects of the main thread are
// gone. Of a younger one, kernels are compiled as before. Of an older one LLVM's static objects are
// gone, too: those that are there run, others are refused.
//
//===----------------------------------------------------------------------===//

#include "rooftile/rooftile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

static bool isEarly = false;

static void expect(bool holds, const char *text) {
  if (holds)
    return;
  std::printf("does not hold: %s\n", text);
  std::fflush(stdout);
  _Exit(1);
}
#define EXPECT(condition) expect(condition, #condition)

/// A product of ones of order `size`.
static rooftile_status multiply(rooftile_handle handle, int size) {
  float ones[64], c[64] = {};
  for (float &one : ones)
    one = 1;
  rooftile_status status = rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_N,
                                          size, size, size, 1, ones, size, ones, size, 0, c, size);
  EXPECT(status != ROOFTILE_SUCCESS || c[size * size - 1] == float(size));
  return status;
}

static rooftile_handle make() {
  rooftile_options options = {};
  options.size = sizeof options;
  options.device = ROOFTILE_CPU;
  options.chip = "h200";
  rooftile_handle handle = nullptr;
  EXPECT(rooftile_create(&handle, &options) == ROOFTILE_SUCCESS);
  EXPECT(multiply(handle, 2) == ROOFTILE_SUCCESS);
  // A message, and the memory of a call, are objects of the thread.
  EXPECT(multiply(handle, -1) == ROOFTILE_INVALID_ARGUMENT);
  return handle;
}

namespace {
struct Caller {
  rooftile_handle handle = nullptr;
  ~Caller() {
    EXPECT(multiply(handle, 2) == ROOFTILE_SUCCESS);
    EXPECT(multiply(handle, -1) == ROOFTILE_INVALID_ARGUMENT);
    EXPECT(std::strstr(rooftile_message(handle), "m is -1"));
    rooftile_status status = multiply(handle, 3);
    EXPECT(status == (isEarly ? ROOFTILE_SUCCESS : ROOFTILE_COMPILE_FAILURE));
    EXPECT(isEarly || std::strstr(rooftile_message(handle), "the process is ending"));
    EXPECT(rooftile_destroy(handle) == ROOFTILE_SUCCESS);
    std::printf("after main: as expected\n");
  }
};
} // namespace

/// A static object of this function is made when it is called.
static Caller &caller() {
  static Caller only;
  return only;
}

int main(int argc, char **argv) {
  isEarly = argc > 1 && std::strcmp(argv[1], "early") == 0;
  rooftile_handle handle = isEarly ? make() : nullptr;
  Caller &own = caller();
  own.handle = isEarly ? handle : make();
}
