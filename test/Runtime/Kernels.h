//===- Kernels.h - Kernels of the CPU path as C++ coroutines ----*- C++ -*-===//
//
// C++20 coroutines have the frame layout of the kernels that lane-to-cpu makes.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TEST_RUNTIME_KERNELS_H
#define ROOFTILE_TEST_RUNTIME_KERNELS_H

#include "rooftile/Runtime/Cpu/Cpu.h"

#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using rooftile::cpu::Thread;

struct Coroutine {
  struct promise_type {
    Coroutine get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
};

inline std::suspend_always barrier(Thread *thread, int64_t id) {
  thread->barrier = id;
  return {};
}

inline int failures = 0;

inline void expect(const char *name, bool right, const char *detail = "") {
  std::printf("%s: %s %s\n", right ? "ok" : "FAILED", name, detail);
  failures += !right;
}

/// The runtime's error contains `text`; none when it is empty.
inline void expectError(const char *name, const char *text) {
  const char *error = rooftileLastError();
  expect(name, *text ? std::strstr(error, text) != nullptr : *error == 0, error);
}

/// Kernels that record their accesses (Record.cpp).
void testRecording();
/// Shadow memory alone (Shadow.cpp).
void testShadow();
/// Matrix instructions (Subgroup.cpp).
void testSubgroups();
/// Bulk copies (Arrivals.cpp).
void testArrivals();
/// Launches that end before their kernels do (Interruption.cpp).
void testInterruption();

#endif // ROOFTILE_TEST_RUNTIME_KERNELS_H
