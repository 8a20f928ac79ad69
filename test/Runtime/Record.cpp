//===- Record.cpp - Shadow memory: races are found in every order ---------===//

#include "Kernels.h"

#include <string>

using rooftile::cpu::kClusterBarrier;

namespace {

/// Accesses of the kernels below, as lane-to-cpu describes them.
const char sites[] = "gpu.barrier (a)\0gpu.barrier (b)\0store (c)\0load (d)\0";
constexpr int64_t kStore = 3, kLoad = 4;

double *at(Thread *thread, int64_t index) { return static_cast<double *>(thread->shared) + index; }
void store(Thread *thread, int64_t index) {
  rooftileCpuWrite(thread, at(thread, index), 8, 8, kStore);
  *at(thread, index) = 1;
}
void load(Thread *thread, double *address) { rooftileCpuRead(thread, address, 8, 8, kLoad); }

/// Expects `text` with every one of ten orders; 4 threads a block, 8 blocks.
void launch(const char *name, rooftile::cpu::Kernel kernel, int64_t cluster, const char *text) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    rooftileClearError();
    rooftileCpuSeed(seed);
    rooftileCpuLaunch(name, kernel, 8, 4, cluster, 256, nullptr, sites, 8);
    const char *error = rooftileLastError();
    if (seed == 10 || (*text ? std::strstr(error, text) == nullptr : *error != 0))
      return expectError(name, text);
  }
}

template <Coroutine (*body)(Thread *)> void *kernel(void **, Thread *thread) {
  return body(thread).handle.address();
}

/// Right: everyone writes, everyone reads the neighbour's, three times.
Coroutine exchange(Thread *thread) {
  for (int step = 0; step < 3; ++step) {
    store(thread, thread->threadId);
    co_await barrier(thread, 1);
    load(thread, at(thread, (thread->threadId + 1) % 4));
    co_await barrier(thread, 2);
  }
}

/// The second barrier is missing, so the next write races with the neighbour's read.
Coroutine noSecondBarrier(Thread *thread) {
  for (int step = 0; step < 2; ++step) {
    store(thread, thread->threadId);
    co_await barrier(thread, 1);
    load(thread, at(thread, (thread->threadId + 1) % 4));
  }
}

Coroutine noBarrier(Thread *thread) {
  store(thread, thread->threadId);
  load(thread, at(thread, (thread->threadId + 1) % 4));
  co_return;
}

Coroutine sameElement(Thread *thread) {
  if (thread->threadId < 2)
    store(thread, 7);
  co_return;
}

/// Block 0 writes, the others read what only block 0 had.
Coroutine unwritten(Thread *thread) {
  if (thread->blockId == 0)
    store(thread, thread->threadId);
  co_await barrier(thread, 1);
  if (thread->threadId == 2)
    load(thread, at(thread, thread->threadId));
}

Coroutine outside(Thread *thread) {
  if (thread->threadId == 3)
    load(thread, at(thread, 32));
  co_return;
}

Coroutine misaligned(Thread *thread) {
  if (thread->threadId == 0) {
    store(thread, 1);
    rooftileCpuRead(thread, at(thread, 1), 8, 16, kLoad);
  }
  co_return;
}

double *peer(Thread *thread) {
  return static_cast<double *>(thread->peers[thread->clusterRank ^ 1]) + thread->threadId;
}

/// Right: the cluster meets before a peer's memory is read, and before it is written again.
Coroutine meet(Thread *thread) {
  store(thread, thread->threadId);
  co_await barrier(thread, kClusterBarrier + 1);
  load(thread, peer(thread));
  co_await barrier(thread, kClusterBarrier + 2);
  store(thread, thread->threadId);
}

/// A barrier of the own block does not order a peer.
Coroutine ownBarrierOnly(Thread *thread) {
  store(thread, thread->threadId);
  co_await barrier(thread, 1);
  load(thread, peer(thread));
}

/// The write that follows the own block's reads races with the peer's read, although a barrier of
/// the block separates it from its own.
Coroutine leaveEarly(Thread *thread) {
  store(thread, thread->threadId);
  co_await barrier(thread, kClusterBarrier + 1);
  load(thread, at(thread, (thread->threadId + 1) % 4));
  load(thread, at(thread, thread->threadId));
  if (thread->clusterRank == 1)
    load(thread, peer(thread));
  co_await barrier(thread, 2);
  if (thread->clusterRank == 0)
    store(thread, thread->threadId);
}

double global[8];

void storeGlobal(Thread *thread, int64_t index, double value) {
  global[index] = value;
  rooftileCpuGlobal(thread, &global[index], 8, 1, kStore);
}

/// Right: two blocks store the same bits to one element.
Coroutine sameBits(Thread *thread) {
  if (thread->threadId == 0)
    storeGlobal(thread, thread->blockId / 2, double(thread->blockId / 2));
  co_return;
}

Coroutine otherBits(Thread *thread) {
  if (thread->threadId == 0)
    storeGlobal(thread, 3, double(thread->blockId / 7)); // of the last block only
  co_return;
}

Coroutine readStored(Thread *thread) {
  if (thread->threadId == 1 && thread->blockId == 5)
    storeGlobal(thread, 2, 1);
  if (thread->threadId == 2 && thread->blockId == 6)
    rooftileCpuGlobal(thread, &global[2], 8, 0, kLoad);
  co_return;
}

/// Right: each reads what it stored itself, and all read the last element.
Coroutine readOwn(Thread *thread) {
  if (thread->threadId == 0 && thread->blockId < 7) {
    storeGlobal(thread, thread->blockId, double(thread->blockId));
    rooftileCpuGlobal(thread, &global[thread->blockId], 8, 0, kLoad);
  }
  rooftileCpuGlobal(thread, &global[7], 8, 0, kLoad);
  co_return;
}

/// Right: atomic additions of all blocks.
Coroutine add(Thread *thread) {
  rooftileCpuGlobal(thread, &global[0], 8, 2, kStore);
  co_return;
}

Coroutine addAndStore(Thread *thread) {
  if (thread->threadId == 0 && thread->blockId == 4)
    storeGlobal(thread, 0, 1);
  else
    rooftileCpuGlobal(thread, &global[0], 8, 2, kStore);
  co_return;
}

/// Which of eight blocks, tiles of two each, ran?
void testSample() {
  rooftileCpuSample("read", 2, 2);
  (void)rooftileCpuTakeStoredBytes();
  std::memset(global, 0xFF, sizeof(global));
  launch("read own", kernel<readOwn>, 1, "");
  bool ran = global[0] == 0 && global[1] == 1 && global[6] == 6;
  expect("two tiles", ran && global[2] != 2 && global[3] != 3 && global[4] != 4 && global[5] != 5);
  expect("stored bytes", rooftileCpuTakeStoredBytes() == 10 * 3 * 8);
  rooftileCpuSample("other", 1, 2);
  launch("read own", kernel<readOwn>, 1, "");
  expect("all tiles", global[5] == 5);
  rooftileCpuSample("", 0, 1);
}

} // namespace

void testRecording() {
  launch("exchange", kernel<exchange>, 1, "");
  launch("no second barrier", kernel<noSecondBarrier>, 1,
         "with no barrier between them (the last barrier before is gpu.barrier (a))");
  launch("no barrier", kernel<noBarrier>, 1, "race in shared memory: ");
  launch("same element", kernel<sameElement>, 1, "race in shared memory: write by store (c) by");
  launch("unwritten", kernel<unwritten>, 1,
         "reads shared memory that was not written: load (d) by thread 2, at byte 16");
  launch("outside", kernel<outside>, 1,
         "access of 8 bytes outside the 256 bytes of shared memory: load (d) by thread 3, at byte");
  launch("misaligned", kernel<misaligned>, 1, "not at a multiple of 16 bytes: load (d) by");
  launch("meet", kernel<meet>, 2, "");
  launch("own barrier only", kernel<ownBarrierOnly>, 2, "of block");
  launch("leave early", kernel<leaveEarly>, 2, "race in shared memory: ");
  launch("same bits", kernel<sameBits>, 1, "");
  launch("other bits", kernel<otherBits>, 1, "race in global memory: store by store (c) of block ");
  launch("read stored", kernel<readStored>, 1, "race in global memory: ");
  launch("read own", kernel<readOwn>, 1, "");
  launch("add", kernel<add>, 1, "");
  launch("add and store", kernel<addAndStore>, 1, "race in global memory: ");
  testSample();
  rooftileCpuRecord(false);
  launch("not recorded", kernel<noBarrier>, 1, "");
  rooftileCpuRecord(true);
}
