//===- Arrivals.cpp - Bulk copies of the CPU scheduler --------------------===//

#include "Kernels.h"

#include <cmath>

namespace {

/// Shared memory: two stages of 4 floats, then their counters.
constexpr int64_t kStageAlignment = 16, kCounters = 2 * kStageAlignment;

std::suspend_always arrived(Thread *thread, int64_t id, const void *counter, int64_t parity) {
  thread->counter = counter;
  thread->parity = parity;
  thread->arrival = id;
  return {};
}

char *shared(Thread *thread, int64_t byte) { return static_cast<char *>(thread->shared) + byte; }

/// The fault of a kernel.
enum class Defect { None, NoWait, NoCopy, FewBytes, NoCounter, ManyCopiers, NoBarrier };

/// Thread 0 copies 4 floats for each of 5 steps into 2 stages, one step ahead; all threads add up
/// what has arrived.
Coroutine sumBody(void **params, Thread *thread) {
  auto *out = static_cast<float *>(params[0]);
  const auto *in = static_cast<const float *>(params[1]);
  Defect defect = *static_cast<Defect *>(params[2]);
  auto counter = [&](int64_t step) { return shared(thread, kCounters + 8 * (step % 2)); };
  auto copy = [&](int64_t step) {
    rooftileCpuExpect(thread, counter(step),
                      kStageAlignment * (defect == Defect::FewBytes ? 2 : 1));
    if (defect != Defect::NoCopy)
      rooftileCpuBulkCopy(thread, shared(thread, kStageAlignment * (step % 2)), in + 4 * step,
                          kStageAlignment, counter(step), /*site=*/1);
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
    float *stage = reinterpret_cast<float *>(shared(thread, kStageAlignment * (step % 2)));
    rooftileCpuRead(thread, stage, kStageAlignment, 4, /*site=*/2);
    sum += stage[0] + stage[1] + stage[2] + stage[3];
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

/// Thread 0 copies a box of 2 vectors of 4 elements out of 3 vectors of 5, 32 bytes apart.
Coroutine boxBody(void **params, Thread *thread) {
  auto *out = static_cast<float *>(params[0]);
  const auto *place = static_cast<const int64_t *>(params[2]);
  char *counter = shared(thread, 32);
  if (thread->threadId == 0)
    rooftileCpuArrivals(thread, counter, 1, 1);
  co_await barrier(thread, 1);
  if (thread->threadId == 0) {
    rooftileCpuExpect(thread, counter, 32);
    rooftileCpuTensorCopy(thread, thread->shared, params[1], place[0], place[1], counter,
                          /*site=*/1);
  }
  co_await arrived(thread, 2, counter, 0);
  rooftileCpuRead(thread, thread->shared, 32, 4, /*site=*/2);
  if (thread->threadId == 3)
    std::memcpy(out, thread->shared, 32);
}
void *box(void **params, Thread *thread) { return boxBody(params, thread).handle.address(); }

/// The box whose first number is `element` of `line`: number 10 l + e, or 0 outside of the matrix.
void launchBox(int64_t element, int64_t line) {
  alignas(16) float in[3 * 8];
  float out[8] = {};
  for (int i = 0; i < 24; ++i)
    in[i] = 10.f * (i / 8) + i % 8 + 1;
  alignas(64) char descriptor[128];
  rooftileClearError();
  bool made = rooftileCpuTensorMap(descriptor, reinterpret_cast<int64_t>(in), 4, 5, 3, 32, 4, 2, 0);
  int64_t place[] = {element, line};
  void *params[] = {out, descriptor, place};
  rooftileCpuLaunch("box", box, 1, 8, 1, 48, params, "copy\0read\0", 4);
  bool right = made;
  for (int64_t i = 0; i < 8; ++i) {
    int64_t l = line + i / 4, e = element + i % 4;
    bool inside = l >= 0 && l < 3 && e >= 0 && e < 5;
    right &= out[i] == (inside ? 10.f * l + e + 1 : 0.f);
  }
  expectError("a box", "");
  expect("numbers of a box", right);
}

} // namespace

void testArrivals() {
  for (int64_t element : {-5, -2, 0, 1, 3, 5})
    for (int64_t line : {-2, -1, 0, 2, 3})
      launchBox(element, line);
  alignas(64) char descriptor[128];
  rooftileClearError();
  expect("crooked lines", !rooftileCpuTensorMap(descriptor, 64, 4, 5, 3, 36, 4, 2, 0));
  expectError("crooked vectors", "vectors lie 36 bytes apart, no multiple of 16");
  rooftileClearError();
  expect("large box", !rooftileCpuTensorMap(descriptor, 64, 4, 512, 3, 2048, 512, 2, 0));
  expectError("large box", "a side of the box of 512 is not in 1 .. 256");
  rooftileClearError();
  expect("narrow box", !rooftileCpuTensorMap(descriptor, 64, 4, 64, 3, 256, 16, 2, 128));
  expectError("narrow box", "vectors of a box of 64 bytes are not the 128 of the swizzle");
  rooftileClearError();
  expect("other swizzle", !rooftileCpuTensorMap(descriptor, 64, 4, 64, 3, 256, 16, 2, 64));
  expectError("other swizzle", "a swizzle of 64 bytes is not 0 or 128");

  launch("bulk copies", Defect::None, "");
  launch("no wait", Defect::NoWait, "nothing waits for them");
  launch("no copy", Defect::NoCopy,
         "waits at wait for bulk copies 2, read; its counter has 1 of 1 copiers and 0 of 16 bytes");
  launch("few bytes", Defect::FewBytes, "and 16 of 32 bytes");
  launch("no counter", Defect::NoCounter, "at a counter of arrivals that was not set up");
  launch("many copiers", Defect::ManyCopiers, "race in shared memory: ");
  launch("no barrier to refill", Defect::NoBarrier, "race in shared memory: ");
}
