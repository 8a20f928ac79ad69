//===- Cluster.cpp - Blocks that run together as coroutines ---------------===//

#include "Cluster.h"
#include "Copies.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace rooftile;
using namespace rooftile::cpu;

static constexpr int64_t kGuardBytes = 512, kAlignBytes = 1024;
static constexpr uint8_t kGuardByte = 0xFE; // f32 and f64 of 0xFE.. are huge: seen when read

/// A kernel may have no barrier, so a launch that is given up ends between threads as well.
static constexpr size_t kResumesBetweenPolls = 16;

/// The next number of the SplitMix64 sequence (Steele, Lea, Flood 2014).
static uint64_t next(uint64_t &state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

uint64_t rooftile::cpu::drawBelow(uint64_t &state, uint64_t count) {
  return (next(state) >> 32) * count >> 32;
}

void Launch::fail(int64_t block, const std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (block >= failedBlock)
    return;
  failedBlock = block;
  error = "kernel " + name + ": " + message + " (block " + std::to_string(block) + " of " +
          std::to_string(blocks) + ", order seed " + std::to_string(seed) + ")";
  nextCluster = clusters();
}

void Launch::gatherRecorded() {
  std::string taken = takeError();
  std::lock_guard<std::mutex> lock(mutex);
  if (recorded.empty())
    recorded = std::move(taken);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

SharedMemory::SharedMemory(int64_t bytes)
    : bytes(bytes), storage(bytes + 2 * kGuardBytes + kAlignBytes) {
  auto base = reinterpret_cast<uintptr_t>(storage.data()) + kGuardBytes;
  data = reinterpret_cast<uint8_t *>((base + kAlignBytes - 1) / kAlignBytes * kAlignBytes);
}

void SharedMemory::poison() {
  std::memset(data - kGuardBytes, kGuardByte, kGuardBytes);
  std::memset(data, 0xFF, bytes);
  std::memset(data + bytes, kGuardByte, kGuardBytes);
}

std::string SharedMemory::check() const {
  for (int64_t offset = -kGuardBytes; offset < bytes + kGuardBytes; ++offset) {
    if (offset == 0)
      offset = bytes;
    if (data[offset] != kGuardByte)
      return "writes outside its " + std::to_string(bytes) + " bytes of shared memory, at byte " +
             std::to_string(offset);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

Block::Block(Launch &launch, Clock &clock)
    : launch(launch), clock(clock), shared(launch.sharedBytes),
      shadow(launch.record.sites ? launch.sharedBytes : 0, launch.record.granuleBytes, clock),
      threads(launch.threads), handles(launch.threads), order(launch.threads),
      released(launch.threads), registers(launch.threads * kMaxRegisters) {
  std::iota(order.begin(), order.end(), 0);
}

void Block::start(int64_t block, int64_t rankInCluster, Block *blocks, void **memories) {
  id = block;
  rank = rankInCluster;
  peers = blocks;
  epoch = clock.now;
  void *recorder = launch.record.sites ? this : nullptr;
  arrivals.clear();
  if (launch.multipliesLater)
    fences.setUp(launch.sharedBytes, launch.threads);
  for (int64_t thread = 0; thread < launch.threads; ++thread) {
    threads[thread] = {thread,   block,   shared.get(), kStart, rank, launch.clusterSize,
                       memories, recorder};
    threads[thread].registers = &registers[thread * kMaxRegisters];
    threads[thread].arrivals = &arrivals;
    handles[thread] = launch.kernel(launch.params, &threads[thread]);
  }
}

void Block::shuffle(uint64_t &state) {
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[drawBelow(state, i)]);
}

/// All threads of the block stand at the same barrier, or all have ended.
bool Block::agree() {
  for (size_t thread = 1; thread < threads.size(); ++thread) {
    if (placeOf(thread) == placeOf(0))
      continue;
    launch.fail(id, "divergence at a barrier: thread 0 " + describe(placeOf(0)) + ", thread " +
                        std::to_string(thread) + " " + describe(placeOf(thread)));
    return false;
  }
  return true;
}

void Block::resume() {
  for (size_t i = 0; i < order.size(); ++i) {
    size_t thread = order[i];
    if (i % kResumesBetweenPolls == 0 && launch.interruption.poll())
      return;
    if (ended(thread) || !released[thread])
      continue;
    released[thread] = false;
    threads[thread].collective = threads[thread].arrival = 0;
    (*static_cast<void (**)(void *)>(handles[thread]))(handles[thread]);
  }
}

bool Block::advance(uint64_t &state) {
  std::fill(released.begin(), released.end(), true);
  do {
    shuffle(state);
    resume();
    if (launch.interruption.isRequested())
      return false;
  } while (arrive() || multiply());
  if (isStuck())
    return false;
  epoch = clock.next();
  if (!unwritten.empty())
    launch.fail(id, unwritten);
  unwritten.clear();
  return agree();
}

void Block::finish() {
  bool atEnd = place() == kEnd, pending = atEnd && arrivals.isPending(), multiplies = false;
  for (Thread &thread : threads) {
    dropCopies(thread);
    multiplies |= dropProducts(thread);
  }
  for (void *handle : handles)
    static_cast<void (**)(void *)>(handle)[1](handle);
  if (pending)
    launch.fail(id, "ends while bulk copies are on their way: nothing waits for them");
  if (atEnd && multiplies)
    launch.fail(id, "ends while asynchronous products are on their way: nothing waits for them");
  std::string outside = shared.check();
  if (!outside.empty())
    launch.fail(id, outside);
}

//===----------------------------------------------------------------------===//
// One cluster
//===----------------------------------------------------------------------===//

Cluster::Cluster(Launch &launch) : launch(launch) {
  blocks.reserve(launch.clusterSize);
  for (int64_t rank = 0; rank < launch.clusterSize; ++rank) {
    blocks.emplace_back(launch, clock);
    memories.push_back(blocks.back().getShared().get());
  }
}

/// Every block stands at the same cluster barrier, or every one has ended. Blocks that end while
/// others wait would leave them waiting, and free their shared memory.
bool Cluster::meet() {
  for (Block &block : blocks) {
    if (block.place() == blocks[0].place())
      continue;
    launch.fail(blocks[0].getId(), "divergence at a cluster barrier: block " +
                                       std::to_string(blocks[0].getId()) + " " +
                                       blocks[0].describePlace() + ", block " +
                                       std::to_string(block.getId()) + " " + block.describePlace());
    return false;
  }
  return true;
}

/// Lets one block run to its next barrier, or all of them past the cluster barrier at which they
/// stand. False when all have ended, or after an error.
bool Cluster::advance(uint64_t &state) {
  std::vector<Block *> ready;
  for (Block &block : blocks)
    if (!block.waitsForCluster() && block.place() != kEnd)
      ready.push_back(&block);
  if (!ready.empty())
    return ready[ready.size() == 1 ? 0 : drawBelow(state, ready.size())]->advance(state);
  if (!meet() || blocks[0].place() == kEnd)
    return false;
  uint32_t epoch = clock.meet();
  for (Block &block : blocks)
    block.setEpoch(epoch);
  for (size_t i = 0, begin = drawBelow(state, blocks.size()); i < blocks.size(); ++i)
    if (!blocks[(begin + i) % blocks.size()].advance(state))
      return false;
  return true;
}

/// Accesses of earlier clusters in the shadows are from before the start.
void Cluster::restartClock() {
  if (clock.now > UINT32_MAX / 2) {
    clock = Clock();
    for (Block &block : blocks)
      block.clearShadow();
  }
  clock.start = clock.meet();
}

void Cluster::run(int64_t index) {
  int64_t first = index * launch.clusterSize;
  uint64_t state = launch.seed * 0x2545F4914F6CDD1Dull + first;
  restartClock();
  for (Block &block : blocks)
    block.getShared().poison();
  for (int64_t rank = 0; rank < launch.clusterSize; ++rank)
    blocks[rank].start(first + rank, rank, blocks.data(), memories.data());
  while (advance(state))
    ;
  for (Block &block : blocks)
    block.finish();
}
