//===- Cpu.cpp - The CPU scheduler, on kernels written as C++ coroutines --===//
//
// C++20 coroutines have the frame layout of the kernels that thread-to-cpu
// makes. Prints one line per case; non-zero exit when one is wrong.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Cpu.h"

#include <cmath>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using rooftile::cpu::Thread;

namespace {

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

std::suspend_always barrier(Thread *thread, int64_t id) {
  thread->barrier = id;
  return {};
}

int failures = 0;

void expect(const char *name, bool right, const char *detail = "") {
  std::printf("%s: %s %s\n", right ? "ok" : "FAILED", name, detail);
  failures += !right;
}

/// Launches and expects an error that contains `text` (none when it is empty).
void launch(const char *name, rooftile::cpu::Kernel kernel, int64_t grid, int64_t block,
            int64_t sharedBytes, void **params, const char *text) {
  rooftileClearError();
  rooftileCpuLaunch(name, kernel, grid, block, sharedBytes, params);
  const char *error = rooftileLastError();
  expect(name, *text ? std::strstr(error, text) != nullptr : *error == 0, error);
}

/// Each thread publishes a number, reads its neighbour's, 16 times over.
Coroutine rotateBody(void **params, Thread *thread) {
  auto *out = *static_cast<double **>(params[0]);
  int64_t n = *static_cast<int64_t *>(params[1]);
  auto *shared = static_cast<double *>(thread->shared);
  double value = thread->threadId + 1000.0 * thread->blockId;
  for (int step = 0; step < 16; ++step) {
    shared[thread->threadId] = value;
    co_await barrier(thread, 1);
    value = shared[(thread->threadId + 1) % n];
    co_await barrier(thread, 2);
  }
  out[thread->blockId * n + thread->threadId] = value;
}
void *rotate(void **params, Thread *thread) { return rotateBody(params, thread).handle.address(); }

/// Without the barrier a neighbour's number may not be there: NaN.
Coroutine racyBody(void **params, Thread *thread) {
  auto *out = *static_cast<double **>(params[0]);
  int64_t n = *static_cast<int64_t *>(params[1]);
  auto *shared = static_cast<double *>(thread->shared);
  shared[thread->threadId] = 1;
  out[thread->blockId * n + thread->threadId] = shared[(thread->threadId + 1) % n];
  co_return;
}
void *racy(void **params, Thread *thread) { return racyBody(params, thread).handle.address(); }

Coroutine divergentBody(Thread *thread) {
  if (thread->threadId == 3 && thread->blockId >= 5)
    co_await barrier(thread, 7);
  else
    co_await barrier(thread, 8);
}
void *divergent(void **, Thread *thread) { return divergentBody(thread).handle.address(); }

Coroutine leaverBody(Thread *thread) {
  if (thread->threadId != 2)
    co_await barrier(thread, 4);
}
void *leaver(void **, Thread *thread) { return leaverBody(thread).handle.address(); }

Coroutine strayBody(Thread *thread) {
  static_cast<char *>(thread->shared)[64 + thread->threadId] = 1;
  co_return;
}
void *stray(void **, Thread *thread) { return strayBody(thread).handle.address(); }

} // namespace

extern "C" void *mgpuModuleLoad(void *image, size_t sizeBytes);

int main() {
  int64_t threads = 256, blocks = 9;
  std::vector<double> out(threads * blocks);
  double *data = out.data();
  void *params[] = {&data, &threads};
  rooftileProfile(true);
  launch("rotate", rotate, blocks, threads, threads * 8, params, "");
  double milliseconds = -1;
  expect("one launch timed", rooftileProfileTake(&milliseconds, 1) == 1 && milliseconds > 0);
  bool right = true;
  for (int64_t i = 0; i < threads * blocks; ++i)
    right &= out[i] == (i % threads + 16) % threads + 1000.0 * (i / threads);
  expect("values", right);
  launch("racy", racy, blocks, threads, threads * 8, params, "");
  int poisoned = 0;
  for (double value : out)
    poisoned += std::isnan(value);
  expect("a missing barrier reads NaN", poisoned > 0);
  launch(
      "divergent", divergent, 9, 8, 0, nullptr,
      "divergence at a barrier: thread 0 waits at barrier 8, thread 3 waits at barrier 7 (block 5");
  launch("leaver", leaver, 1, 4, 0, nullptr, "thread 2 has ended");
  launch("stray", stray, 2, 4, 64, nullptr,
         "writes outside its 64 bytes of shared memory, at byte 64");
  launch("no blocks", rotate, 0, 4, 64, params, "");
  launch("bad block", rotate, 1, 0, 64, params, "out of range");
  launch("huge grid", rotate, int64_t(1) << 31, 1, 64, params, "out of range");
  unsigned char object[64] = {0177, 'E', 'L', 'F'};
  object[18] = 224; // EM_AMDGPU
  rooftileClearError();
  bool loaded = mgpuModuleLoad(object, sizeof(object));
  expect(rooftileLastError(), !loaded);
  return failures != 0;
}
