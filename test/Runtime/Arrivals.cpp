//===- Arrivals.cpp - Bulk copies of the CPU scheduler --------------------===//

#include "Kernels.h"

#include <cmath>

namespace {

/// Shared memory: two slots of 4 floats, then their counters.
constexpr int64_t kSlotBytes = 16, kCounters = 2 * kSlotBytes;

std::suspend_always arrived(Thread *thread, int64_t id, const void *counter, int64_t parity) {
  thread->counter = counter;
  thread->parity = parity;
  thread->arrival = id;
  return {};
}

char *shared(Thread *thread, int64_t byte) { return static_cast<char *>(thread->shared) + byte; }

/// What is wrong with a kernel.
enum class Defect { None, NoWait, NoCopy, FewBytes, NoCounter, ManyCopiers, NoBarrier };

/// Thread 0 copies 4 floats for each of 5 steps into 2 slots, one step ahead; all threads add up
/// what has arrived.
Coroutine sumBody(void **params, Thread *thread) {
  auto *out = static_cast<float *>(params[0]);
  const auto *in = static_cast<const float *>(params[1]);
  Defect defect = *static_cast<Defect *>(params[2]);
  auto counter = [&](int64_t step) { return shared(thread, kCounters + 8 * (step % 2)); };
  auto copy = [&](int64_t step) {
    rooftileCpuExpect(thread, counter(step), kSlotBytes * (defect == Defect::FewBytes ? 2 : 1));
    if (defect != Defect::NoCopy)
      rooftileCpuBulkCopy(thread, shared(thread, kSlotBytes * (step % 2)), in + 4 * step,
                          kSlotBytes, counter(step), /*site=*/1);
  };
  if (thread->threadId == 0 && defect != Defect::NoCounter)
    rooftileCpuArrivals(thread, counter(0), 2, 1);
  co_await barrier(thread, 1);
  bool copies = thread->threadId == 0 || defect == Defect::ManyCopiers;
  if (copies)
    copy(0);
  float sum = 0;
  for (int64_t step = 0; step < 5; ++step) {
    if (defect != Defect::NoWait)
      co_await arrived(thread, 2, counter(step), step / 2 % 2);
    if (defect != Defect::NoBarrier)
      co_await barrier(thread, 3);
    if (copies && step < 4)
      copy(step + 1);
    float *slot = reinterpret_cast<float *>(shared(thread, kSlotBytes * (step % 2)));
    rooftileCpuRead(thread, slot, kSlotBytes, 4, /*site=*/2);
    sum += slot[0] + slot[1] + slot[2] + slot[3];
  }
  out[thread->threadId] = sum;
}
void *sum(void **params, Thread *thread) { return sumBody(params, thread).handle.address(); }

void launch(const char *name, Defect defect, const char *text) {
  float in[20], out[8] = {};
  for (int i = 0; i < 20; ++i)
    in[i] = i;
  void *params[] = {out, in, &defect};
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    rooftileCpuSeed(seed);
    rooftileClearError();
    rooftileCpuLaunch("sum", sum, 1, 8, 1, kCounters + 16, params, "copy\0read\0", 4);
  }
  expectError(name, text);
  if (*text == 0)
    expect("copied sums", out[0] == 190 && out[7] == 190);
}

} // namespace

void testArrivals() {
  launch("bulk copies", Defect::None, "");
  launch("no wait", Defect::NoWait, "nothing waits for them");
  launch("no copy", Defect::NoCopy,
         "waits at wait for bulk copies 2, read; its counter has 1 of 1 copiers and 0 of 16 bytes");
  launch("few bytes", Defect::FewBytes, "and 16 of 32 bytes");
  launch("no counter", Defect::NoCounter, "at a counter of arrivals that was not set up");
  launch("many copiers", Defect::ManyCopiers, "race in shared memory: ");
  launch("no barrier to refill", Defect::NoBarrier, "race in shared memory: ");
}
