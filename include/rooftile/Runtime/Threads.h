//===- Threads.h - Loops over all cores of the host -------------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_THREADS_H
#define ROOFTILE_RUNTIME_THREADS_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace rooftile {

/// Cores of the host; asked for once, as the system reads a file for every answer.
inline unsigned hostThreads() {
  static const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  return count;
}

/// Calls `body(thread)` on `count` threads and waits for all.
template <typename Body> void onThreads(unsigned count, Body body) {
  std::vector<std::thread> threads;
  for (unsigned thread = 1; thread < count; ++thread)
    threads.emplace_back([&body, thread] { body(thread); });
  body(0);
  for (std::thread &thread : threads)
    thread.join();
}

/// Splits [0, count) into one range a thread; few iterations stay on this one.
template <typename Body> void forRanges(int64_t count, Body body) {
  constexpr int64_t kLeastPerThread = 1 << 14;
  unsigned threads = std::clamp<int64_t>(count / kLeastPerThread, 1, hostThreads());
  onThreads(threads, [&](unsigned thread) {
    body(count * thread / threads, count * (thread + 1) / threads);
  });
}

/// Calls `body(index, thread)` for every index, each on the next free thread.
template <typename Body> void forEachOnThreads(int64_t count, Body body) {
  std::atomic<int64_t> next{0};
  onThreads(std::clamp<int64_t>(count, 1, hostThreads()), [&](unsigned thread) {
    for (int64_t index = next++; index < count; index = next++)
      body(index, thread);
  });
}

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_THREADS_H
