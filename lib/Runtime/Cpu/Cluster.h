//===- Cluster.h - Blocks that run together as coroutines -------*- C++ -*-===//
//
// A cluster is one block, or several that are resident at a time and may wait
// for each other. Blocks of a cluster run interleaved in an order drawn from
// the seed, the threads of a block in another between two of its barriers.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CPU_CLUSTER_H
#define ROOFTILE_LIB_RUNTIME_CPU_CLUSTER_H

#include "Copies.h"
#include "GlobalShadow.h"
#include "Interruption.h"
#include "Products.h"
#include "Shadow.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace rooftile::cpu {

/// A number below `count`, which is less than 2^32; `state` moves on.
uint64_t drawBelow(uint64_t &state, uint64_t count);

/// One launch, shared by the workers.
struct Launch {
  std::string name;
  Kernel kernel;
  int64_t blocks, threads, clusterSize, sharedBytes;
  void **params;
  Record record;        ///< no sites: accesses are not recorded
  bool multipliesLater; ///< It records, and has asynchronous products.
  uint64_t seed;
  std::atomic<int64_t> nextCluster{0};
  std::mutex mutex;
  int64_t failedBlock = INT64_MAX; ///< the smallest: the message does not depend on timing
  std::string error;
  std::string recorded; ///< the first error that a worker left
  GlobalShadow global;  ///< of a kernel that records its accesses
  Interruption interruption{};

  int64_t clusters() const { return blocks / clusterSize; }
  /// Records what is wrong in `block` and stops the launch; the first message of a block counts.
  void fail(int64_t block, const std::string &message);
  /// Moves out what this worker recorded: memory that its kernels damaged, for example.
  void gatherRecorded();
};

/// One access of a kernel, as its code describes it.
struct AccessSite {
  int64_t bytes, alignment, site;
  bool writes, arrives = false; ///< arrives: a write that those who read it have waited for
};

/// Shared memory of one block between two guard zones. All of it reads as NaN.
class SharedMemory {
public:
  explicit SharedMemory(int64_t bytes);
  void poison();
  /// The memory that was written outside, or an empty string.
  std::string check() const;
  uint8_t *get() const { return data; }

private:
  int64_t bytes;
  std::vector<uint8_t> storage;
  uint8_t *data;
};

/// Added to the number of a matrix instruction, and of a wait for bulk copies, where offsets of
/// threads are compared.
constexpr int64_t kSubgroup = 2 * kClusterBarrier, kArrival = 4 * kClusterBarrier;

/// A block and its threads.
class Block {
public:
  Block(Launch &launch, Clock &clock);

  /// Creates the threads, suspended at their starts. `peers`: the blocks of the cluster by rank,
  /// `memories` their shared memory.
  void start(int64_t block, int64_t rank, Block *peers, void **memories);
  /// Lets every thread run to its next barrier or end, in an order drawn from `state`. False when
  /// they do not stop at the same barrier, with an error recorded, or when the launch is given up.
  bool advance(uint64_t &state);
  void finish();

  /// Where all threads stand: kStart, kEnd or the number of a barrier.
  int64_t place() const { return placeOf(0); }
  std::string describePlace() const { return describe(place()); }
  bool waitsForCluster() const { return place() >= kClusterBarrier; }
  int64_t getId() const { return id; }
  SharedMemory &getShared() { return shared; }
  /// The accesses that follow come after a barrier of the block.
  void setEpoch(uint32_t next) { epoch = next; }
  void clearShadow() { shadow.clear(); }

  /// Records an access of one of its threads, to its shared memory or that of a peer.
  void access(const Thread &thread, const void *address, const AccessSite &what);
  /// Records what an asynchronous product of one of its threads reads.
  void readByProduct(const Thread &thread, const void *address, int64_t bytes, int64_t site);
  void fence(const Thread &thread) { fences.fence(thread.threadId); }
  /// Records an access of one of its threads to global memory.
  void accessGlobal(const void *address, int64_t bytes, GlobalKind kind, int64_t site);

private:
  /// The block of the cluster whose shared memory holds `address`, or null.
  Block *ownerOf(const void *address);
  std::string nameOf(const Access &access) const;
  std::string barrierBefore(const Thread &thread) const;
  std::string describe(int64_t place) const;
  void shuffle(uint64_t &state);
  bool agree();
  /// Lets the released threads run, in the order that was drawn.
  void resume();
  /// Releases the threads whose bulk copies are there. False where there is none.
  bool arrive();
  /// Records an error where threads stopped for something that never comes.
  bool isStuck();
  /// The lanes of every subgroup that stands at a matrix instruction multiply. False where none
  /// does, or, with an error recorded, where its lanes do not stand at the same one.
  bool multiply();
  bool multiply(size_t first);
  /// Whether a lane of these waits for bulk copies: its subgroup multiplies later.
  bool isHeld(size_t begin, size_t lanes) const;
  bool ended(size_t thread) const { return *static_cast<void **>(handles[thread]) == nullptr; }
  int64_t placeOf(size_t thread) const {
    if (ended(thread))
      return kEnd;
    int64_t collective = threads[thread].collective, arrival = threads[thread].arrival;
    if (arrival != 0)
      return kArrival + arrival;
    return collective != 0 ? kSubgroup + collective : threads[thread].barrier;
  }
  static bool waitsForSubgroup(int64_t place) { return place >= kSubgroup && place < kArrival; }
  static bool waitsForArrival(int64_t place) { return place >= kArrival; }

  Launch &launch;
  Clock &clock;
  int64_t id = 0, rank = 0;
  Block *peers = nullptr;
  uint32_t epoch = 0;
  std::string unwritten; ///< the first read of what was not written; empty for none
  SharedMemory shared;
  Shadow shadow;
  std::vector<Thread> threads;
  std::vector<void *> handles;
  std::vector<uint32_t> order;
  std::vector<char> released; // of all threads: may run now
  Arrivals arrivals;
  Fences fences;                 // of a kernel with asynchronous products that records its accesses
  std::vector<double> registers; // of all threads, at matrix instructions
  std::vector<double> operands;  // of one subgroup, gathered
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
  void restartClock();

  Launch &launch;
  Clock clock;
  std::vector<Block> blocks;
  std::vector<void *> memories;
};

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPU_CLUSTER_H
