//===- CpuCluster.h - Blocks that run together as coroutines ----*- C++ -*-===//
//
// A cluster is one block, or several that are resident at a time and may wait
// for each other. Blocks of a cluster run interleaved in an order drawn from
// the seed, the threads of a block in another between two of its barriers.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CPUCLUSTER_H
#define ROOFTILE_LIB_RUNTIME_CPUCLUSTER_H

#include "rooftile/Runtime/Cpu.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace rooftile::cpu {

/// One launch, shared by the workers.
struct Launch {
  std::string name;
  Kernel kernel;
  int64_t blocks, threads, clusterSize, sharedBytes;
  void **params;
  uint64_t seed;
  std::atomic<int64_t> nextCluster{0};
  std::mutex mutex;
  int64_t failedBlock = INT64_MAX; ///< the smallest: the message does not depend on timing
  std::string error;

  int64_t clusters() const { return blocks / clusterSize; }
  /// Records what is wrong in `block` and stops the launch; the first message of a block counts.
  void fail(int64_t block, const std::string &message);
};

/// Shared memory of one block between two guard zones. All of it reads as NaN.
class SharedMemory {
public:
  explicit SharedMemory(int64_t bytes);
  void poison();
  /// What was written outside, or an empty string.
  std::string check() const;
  uint8_t *get() const { return data; }

private:
  int64_t bytes;
  std::vector<uint8_t> storage;
  uint8_t *data;
};

/// A block and its threads.
class Block {
public:
  explicit Block(Launch &launch);

  /// Creates the threads, suspended at their starts. `peers`: shared memory of the cluster by rank.
  void start(int64_t block, int64_t rank, void **peers);
  /// Lets every thread run to its next barrier or end, in an order drawn from `state`. False, with
  /// an error recorded, when they do not stop at the same place.
  bool advance(uint64_t &state);
  void finish();

  /// Where all threads stand: kStart, kEnd or the number of a barrier.
  int64_t place() const { return placeOf(0); }
  bool waitsForCluster() const { return place() >= kClusterBarrier; }
  int64_t getId() const { return id; }
  SharedMemory &getShared() { return shared; }

private:
  void shuffle(uint64_t &state);
  bool agree();
  bool ended(size_t thread) const { return *static_cast<void **>(handles[thread]) == nullptr; }
  int64_t placeOf(size_t thread) const { return ended(thread) ? kEnd : threads[thread].barrier; }

  Launch &launch;
  int64_t id = 0;
  SharedMemory shared;
  std::vector<Thread> threads;
  std::vector<void *> handles;
  std::vector<uint32_t> order;
};

/// The blocks of one cluster at a time, on one core.
class Cluster {
public:
  explicit Cluster(Launch &launch);
  /// Runs cluster number `index` to its end, or to its first error.
  void run(int64_t index);

private:
  bool advance(uint64_t &state);
  bool meet();

  Launch &launch;
  std::vector<Block> blocks;
  std::vector<void *> peers;
};

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPUCLUSTER_H
