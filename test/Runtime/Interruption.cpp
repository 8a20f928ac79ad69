//===- Interruption.cpp - Launches that their caller gives up -------------===//

#include "Kernels.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

std::atomic<int> asked{0};
std::thread::id caller;
bool givesUp() { return ++asked > 0 && std::this_thread::get_id() == caller; }
bool goesOn() { return ++asked < 0; }

/// No barrier: each thread runs to its end at once.
Coroutine sleeperBody(void **params) {
  ++**static_cast<std::atomic<int> **>(params[0]);
  std::this_thread::sleep_for(milliseconds(10));
  co_return;
}
void *sleeper(void **params, Thread *) { return sleeperBody(params).handle.address(); }

/// Barriers for ten seconds.
Coroutine waiterBody(void **params, Thread *thread) {
  ++**static_cast<std::atomic<int> **>(params[0]);
  for (auto end = Clock::now() + milliseconds(10000); Clock::now() < end;)
    co_await barrier(thread, 1);
}
void *waiter(void **params, Thread *thread) { return waiterBody(params, thread).handle.address(); }

/// Whether the launch was over in a second; the number of threads that started is in `started`.
bool launch(const char *name, rooftile::cpu::Kernel kernel, int64_t blocks, int64_t threads,
            int &started) {
  std::atomic<int> count{0};
  std::atomic<int> *address = &count;
  void *params[] = {&address};
  rooftileClearError();
  asked = 0;
  auto start = Clock::now();
  rooftileCpuLaunch(name, kernel, blocks, threads, 1, 64, params, nullptr, 0);
  started = count;
  return Clock::now() - start < milliseconds(1000);
}

} // namespace

void testInterruption() {
  int started = 0;
  caller = std::this_thread::get_id();
  rooftileCpuAsk(givesUp);
  bool isQuick = launch("between threads", sleeper, 1, 1024, started);
  expectError("between threads", "kernel between threads: interrupted");
  expect("ends between threads", isQuick && started < 100 && asked == 1);
  isQuick = launch("between barriers", waiter, 1, 4, started);
  expectError("between barriers", "kernel between barriers: interrupted");
  expect("ends between barriers", isQuick && started == 4);
  isQuick = launch("many blocks", sleeper, 100000, 1, started);
  expectError("many blocks", "kernel many blocks: interrupted");
  expect("ends between blocks", isQuick && started < 10000);
  rooftileCpuAsk(goesOn);
  launch("goes on", sleeper, 1, 64, started);
  expectError("goes on", "");
  expect("is asked, and goes on", started == 64 && asked >= 1 && asked < 20);
  rooftileCpuAsk(nullptr);
  launch("not asked", sleeper, 1, 16, started);
  expectError("not asked", "");
  expect("nobody is asked", started == 16 && asked == 0);
}
