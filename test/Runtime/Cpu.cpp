//===- Cpu.cpp - The CPU scheduler, on kernels written as C++ coroutines --===//
//
// C++20 coroutines have the frame layout of the kernels that lane-to-cpu
// makes. Prints one line per case; non-zero exit when one is wrong.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "rooftile/Runtime/Threads.h"

#include <atomic>
#include <cmath>
#include <vector>

namespace {

/// Launches and expects an error that contains `text` (none when it is empty).
void launch(const char *name, rooftile::cpu::Kernel kernel, int64_t grid, int64_t block,
            int64_t sharedBytes, void **params, const char *text) {
  rooftileClearError();
  rooftileCpuLaunch(name, kernel, grid, block, 1, sharedBytes, params, nullptr, 0);
  expectError(name, text);
}

/// A launch with 8 blocks in clusters of `size`, one thread each.
void launchCluster(const char *name, rooftile::cpu::Kernel kernel, int64_t size, void **params,
                   const char *text) {
  rooftileClearError();
  rooftileCpuLaunch(name, kernel, 8, 1, size, 8, params, nullptr, 0);
  expectError(name, text);
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

/// Each block publishes a number, the cluster meets, each reads its neighbour's, and the cluster
/// meets again before a block may leave. Blocks pass different numbers of their own barriers.
Coroutine passOnBody(void **params, Thread *thread) {
  auto *out = *static_cast<double **>(params[0]);
  *static_cast<double *>(thread->shared) = 10.0 + thread->blockId;
  for (int64_t own = 0; own < thread->clusterRank; ++own)
    co_await barrier(thread, 1);
  co_await barrier(thread, rooftile::cpu::kClusterBarrier + 2);
  out[thread->blockId] =
      *static_cast<double *>(thread->peers[(thread->clusterRank + 1) % thread->clusterSize]);
  co_await barrier(thread, rooftile::cpu::kClusterBarrier + 3);
}
void *passOn(void **params, Thread *thread) { return passOnBody(params, thread).handle.address(); }

Coroutine deserterBody(Thread *thread) {
  if (thread->clusterRank == 0 || thread->blockId < 4)
    co_await barrier(thread, rooftile::cpu::kClusterBarrier + 2);
}
void *deserter(void **, Thread *thread) { return deserterBody(thread).handle.address(); }

void testClusters() {
  std::vector<double> out(8);
  double *data = out.data();
  void *params[] = {&data};
  bool right = true;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    rooftileCpuSeed(seed);
    rooftileCpuLaunch("pass on", passOn, 8, 1, 4, 8, params, nullptr, 0);
    for (int64_t block = 0; block < 8; ++block)
      right &= out[block] == 10 + block / 4 * 4 + (block + 1) % 4;
  }
  expect("cluster values", right);
  launchCluster("pass on", passOn, 4, params, "");
  launchCluster("deserter", deserter, 4, nullptr,
                "divergence at a cluster barrier: block 4 waits at cluster barrier 2, block 5 has "
                "ended (block 4");
  launchCluster("ragged clusters", passOn, 3, params,
                "a grid of 8 blocks is not whole clusters of 3");
}

} // namespace

extern "C" void *rooftileModuleLoad(void *image, size_t sizeBytes);

extern "C" float __truncsfbf2(float number);

/// Rounding to bf16: to nearest, ties to even, NaN to NaN.
static void testBf16() {
  auto rounded = [](uint32_t bits) {
    float number;
    std::memcpy(&number, &bits, sizeof(bits));
    number = __truncsfbf2(number);
    std::memcpy(&bits, &number, sizeof(bits));
    return bits & 0xffff;
  };
  bool right = rounded(0x3f800000) == 0x3f80 && rounded(0x3f808000) == 0x3f80 &&
               rounded(0x3f818000) == 0x3f82 && rounded(0x3f808001) == 0x3f81 &&
               rounded(0xbf80c000) == 0xbf81 && rounded(0x7f7fffff) == 0x7f80 &&
               rounded(0xff800000) == 0xff80 && rounded(0x7f800001) == 0x7fc0 &&
               rounded(0x00000001) == 0;
  expect("bf16", right);
}

/// Records an error on a thread of the launch that is not the caller's, where there are others.
std::thread::id caller;
std::atomic<bool> hasRecorded;
void *recordOnWorker(void **, Thread *thread) {
  bool isWorker = std::this_thread::get_id() != caller || rooftile::hostThreads() == 1;
  if (isWorker && !hasRecorded.exchange(true))
    rooftile::recordError("recorded by a worker");
  while (!hasRecorded)
    std::this_thread::yield();
  return divergentBody(thread).handle.address();
}

int main() {
  caller = std::this_thread::get_id();
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
  launch("error of a worker", recordOnWorker, 4, 1, 64, nullptr, "recorded by a worker");
  testBf16();
  testClusters();
  testRecording();
  testShadow();
  testSubgroups();
  testArrivals();
  testInterruption();
  unsigned char object[64] = {0177, 'E', 'L', 'F'};
  object[18] = 224; // EM_AMDGPU
  rooftileClearError();
  bool loaded = rooftileModuleLoad(object, sizeof(object));
  expect(rooftileLastError(), !loaded);
  return failures != 0;
}
