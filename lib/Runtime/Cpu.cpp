//===- Cpu.cpp - GPU kernels as coroutines of the host --------------------===//
//
// Blocks are independent and run on all cores. Inside a block the scheduler
// resumes every thread once per barrier epoch, in an order drawn from the
// seed: a kernel that is right only in one order of threads fails here.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Cpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

using namespace rooftile;
using namespace rooftile::cpu;

static std::atomic<uint64_t> orderSeed{1};

void rooftileCpuSeed(uint64_t seed) { orderSeed = seed; }

/// The next number of the SplitMix64 sequence (Steele, Lea, Flood 2014).
static uint64_t next(uint64_t &state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

namespace {

/// One launch, shared by the workers.
struct Launch {
  std::string name;
  Kernel kernel;
  int64_t blocks, threads, sharedBytes;
  void **params;
  std::atomic<int64_t> nextBlock{0};
  std::mutex mutex;
  int64_t failedBlock = INT64_MAX; // the smallest, so that the message does not depend on timing
  std::string error;

  void fail(int64_t block, const std::string &message) {
    std::lock_guard<std::mutex> lock(mutex);
    if (block >= failedBlock)
      return;
    failedBlock = block;
    error = "kernel " + name + ": " + message + " (block " + std::to_string(block) + " of " +
            std::to_string(blocks) + ", order seed " + std::to_string(orderSeed) + ")";
    nextBlock = blocks;
  }
};

/// Shared memory of one block between two guard zones. All of it reads as NaN.
class SharedMemory {
public:
  explicit SharedMemory(int64_t bytes) : bytes(bytes), storage(bytes + 2 * kGuard + kAlign) {
    auto base = reinterpret_cast<uintptr_t>(storage.data()) + kGuard;
    data = reinterpret_cast<uint8_t *>((base + kAlign - 1) / kAlign * kAlign);
  }

  void poison() {
    std::memset(data - kGuard, kGuardByte, kGuard);
    std::memset(data, 0xFF, bytes);
    std::memset(data + bytes, kGuardByte, kGuard);
  }

  /// What was written outside, or an empty string.
  std::string check() const {
    for (int64_t offset = -kGuard; offset < bytes + kGuard; ++offset) {
      if (offset == 0)
        offset = bytes;
      if (data[offset] != kGuardByte)
        return "writes outside its " + std::to_string(bytes) + " bytes of shared memory, at byte " +
               std::to_string(offset);
    }
    return "";
  }

  uint8_t *get() { return data; }

private:
  static constexpr int64_t kGuard = 512, kAlign = 1024;
  static constexpr uint8_t kGuardByte = 0xFE; // f32 and f64 of 0xFE.. are huge: seen when read
  int64_t bytes;
  std::vector<uint8_t> storage;
  uint8_t *data;
};

/// Runs blocks, one after the other, on one core.
class Worker {
public:
  explicit Worker(Launch &launch)
      : launch(launch), shared(launch.sharedBytes), threads(launch.threads),
        handles(launch.threads), order(launch.threads) {
    std::iota(order.begin(), order.end(), 0);
  }

  void run() {
    for (int64_t block; (block = launch.nextBlock++) < launch.blocks;)
      runBlock(block);
  }

private:
  void runBlock(int64_t block);
  void shuffle(uint64_t &state);
  bool resumeAll();
  bool agree(int64_t block);
  bool ended(size_t thread) const { return *static_cast<void **>(handles[thread]) == nullptr; }
  int64_t place(size_t thread) const { return ended(thread) ? kEnd : threads[thread].barrier; }

  Launch &launch;
  SharedMemory shared;
  std::vector<Thread> threads;
  std::vector<void *> handles;
  std::vector<uint32_t> order;
};

} // namespace

void Worker::shuffle(uint64_t &state) {
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[(next(state) >> 32) * i >> 32]);
}

/// Lets every thread run to its next barrier. False when there is none left.
bool Worker::resumeAll() {
  bool any = false;
  for (uint32_t thread : order) {
    if (ended(thread))
      continue;
    any = true;
    (*static_cast<void (**)(void *)>(handles[thread]))(handles[thread]);
  }
  return any;
}

static std::string describe(int64_t place) {
  return place == kEnd ? "has ended" : "waits at barrier " + std::to_string(place);
}

/// All threads of the block stand at the same barrier, or all have ended.
bool Worker::agree(int64_t block) {
  for (size_t thread = 1; thread < threads.size(); ++thread) {
    if (place(thread) == place(0))
      continue;
    launch.fail(block, "divergence at a barrier: thread 0 " + describe(place(0)) + ", thread " +
                           std::to_string(thread) + " " + describe(place(thread)));
    return false;
  }
  return true;
}

void Worker::runBlock(int64_t block) {
  shared.poison();
  uint64_t state = orderSeed * 0x2545F4914F6CDD1Dull + block;
  for (int64_t thread = 0; thread < launch.threads; ++thread) {
    threads[thread] = {thread, block, shared.get(), kStart};
    handles[thread] = launch.kernel(launch.params, &threads[thread]);
  }
  do
    shuffle(state);
  while (resumeAll() && agree(block));
  for (void *handle : handles)
    static_cast<void (**)(void *)>(handle)[1](handle);
  std::string outside = shared.check();
  if (!outside.empty())
    launch.fail(block, outside);
}

/// Blocks on all cores; on one when there are few.
static void runAll(Launch &launch) {
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  int64_t workers = std::min(cores, launch.blocks / 2);
  std::vector<std::thread> pool;
  for (int64_t i = 1; i < workers; ++i)
    pool.emplace_back([&] { Worker(launch).run(); });
  Worker(launch).run();
  for (std::thread &thread : pool)
    thread.join();
}

void rooftileCpuLaunch(const char *name, Kernel kernel, int64_t gridX, int64_t blockX,
                       int64_t sharedBytes, void **params) {
  // A grid as large as GPUs take: kernels count workgroups in 32 bits.
  if (gridX < 0 || gridX > INT32_MAX || blockX < 1 || blockX > (1 << 16) || sharedBytes < 0 ||
      sharedBytes > (int64_t(1) << 32)) {
    recordError(std::string("kernel ") + name + ": grid " + std::to_string(gridX) + ", block " +
                std::to_string(blockX) + " or shared memory of " + std::to_string(sharedBytes) +
                " bytes is out of range");
    return;
  }
  auto begin = std::chrono::steady_clock::now();
  Launch launch{name, kernel, gridX, blockX, sharedBytes, params, {}, {}, INT64_MAX, {}};
  if (gridX > 0)
    runAll(launch);
  if (!launch.error.empty())
    recordError(launch.error);
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  if (isProfiling())
    recordLaunch({elapsed.count(), nullptr, nullptr});
}
