//===- Cpu.cpp - GPU kernels as coroutines of the host --------------------===//
//
// Clusters are independent and run on all cores. A kernel that is right only in
// one order of threads or blocks fails here.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "rooftile/Runtime/Threads.h"
#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

using namespace rooftile;
using namespace rooftile::cpu;

static std::atomic<uint64_t> orderSeed{1};
static std::atomic<bool> recording{true};

/// The limits of the largest GPUs: kernels count workgroups in 32 bits.
static constexpr int64_t kMaxBlocks = INT32_MAX, kMaxThreads = 1 << 16, kMaxClusterSize = 64;
static constexpr int64_t kMaxSharedBytes = int64_t(1) << 32;

void rooftileCpuSeed(uint64_t seed) { orderSeed = seed; }

void rooftileCpuRecord(bool on) { recording = on; }

//===----------------------------------------------------------------------===//
// Some of the tiles
//===----------------------------------------------------------------------===//

namespace {
/// Arguments of rooftileCpuSample.
struct Sample {
  std::string prefix;
  int64_t tiles = 0, blocksPerTile = 1;
};
} // namespace

static Sample sample;
static std::atomic<int64_t> storedBytes{0};

void rooftileCpuSample(const char *prefix, int64_t tiles, int64_t blocksPerTile) {
  sample = {prefix, tiles, std::max<int64_t>(1, blocksPerTile)};
}

int64_t rooftileCpuTakeStoredBytes() { return storedBytes.exchange(0); }

static bool isSampled(const std::string &name) {
  return sample.tiles > 0 && name.compare(0, sample.prefix.size(), sample.prefix) == 0;
}

/// The clusters of some tiles, in order; empty: all.
static std::vector<int64_t> chooseClusters(const Launch &launch) {
  int64_t perTile = std::max<int64_t>(1, sample.blocksPerTile / launch.clusterSize);
  int64_t tiles = launch.clusters() / perTile;
  if (!isSampled(launch.name) || tiles <= sample.tiles)
    return {};
  std::set<int64_t> chosen{0};
  if (sample.tiles > 1)
    chosen.insert(tiles - 1);
  for (uint64_t state = launch.seed; int64_t(chosen.size()) < sample.tiles;)
    chosen.insert(drawBelow(state, tiles));
  std::vector<int64_t> clusters;
  for (int64_t tile : chosen)
    for (int64_t part = 0; part < perTile; ++part)
      clusters.push_back(tile * perTile + part);
  return clusters;
}

/// Steps through 0 .. `count` - 1, all of them and each once: those of seed 1 are 1.
static int64_t stepOf(uint64_t seed, int64_t count) {
  int64_t step = 1 + int64_t((seed - 1) * 0x9E3779B97F4A7C15ull >> 33) % count;
  while (std::gcd(step, count) != 1)
    ++step;
  return step;
}

/// Clusters on all cores, in an order drawn from the seed; on one core when there are few.
static void runAll(Launch &launch) {
  std::vector<int64_t> chosen = chooseClusters(launch);
  int64_t count = chosen.empty() ? launch.clusters() : int64_t(chosen.size());
  int64_t step = stepOf(launch.seed, count);
  auto work = [&launch, &chosen, count, step] {
    Cluster cluster(launch);
    for (int64_t index; (index = launch.nextCluster++) < count;) {
      if (launch.interruption.poll())
        return;
      int64_t place = index * step % count;
      cluster.run(chosen.empty() ? place : chosen[place]);
    }
  };
  onThreads(std::clamp<int64_t>(count / 2, 1, hostThreads()), [&](unsigned thread) {
    work();
    if (thread != 0) // thread 0 is that of the caller, whose error stays where it is
      launch.gatherRecorded();
  });
}

static bool inRange(int64_t value, int64_t low, int64_t high) {
  return value >= low && value <= high;
}

/// The fault of a launch, or an empty string.
static std::string violation(int64_t gridX, int64_t blockX, int64_t clusterX, int64_t sharedBytes) {
  if (!inRange(gridX, 0, kMaxBlocks) || !inRange(blockX, 1, kMaxThreads) ||
      !inRange(clusterX, 1, kMaxClusterSize) || !inRange(sharedBytes, 0, kMaxSharedBytes))
    return "grid " + std::to_string(gridX) + ", block " + std::to_string(blockX) + ", cluster " +
           std::to_string(clusterX) + " or shared memory of " + std::to_string(sharedBytes) +
           " bytes is out of range";
  if (gridX % clusterX != 0)
    return "a grid of " + std::to_string(gridX) + " blocks is not whole clusters of " +
           std::to_string(clusterX);
  return "";
}

void rooftileCpuLaunch(const char *name, Kernel kernel, int64_t gridX, int64_t blockX,
                       int64_t clusterX, int64_t sharedBytes, void **params, const char *sites,
                       int64_t granuleBytes) {
  if (std::string reason = violation(gridX, blockX, clusterX, sharedBytes); !reason.empty())
    return recordError(std::string("kernel ") + name + ": " + reason);
  auto begin = std::chrono::steady_clock::now();
  Record record{recording ? sites : nullptr, granuleBytes};
  Launch launch{name,
                kernel,
                gridX,
                blockX,
                clusterX,
                sharedBytes,
                params,
                record,
                multipliesLater(record),
                orderSeed,
                {},
                {},
                INT64_MAX,
                {},
                {},
                GlobalShadow(granuleBytes)};
  if (gridX > 0)
    runAll(launch);
  if (launch.interruption.isRequested())
    return recordError("kernel " + launch.name + ": interrupted");
  for (const std::string &error : {launch.recorded, launch.error})
    if (!error.empty())
      recordError(error);
  if (isSampled(launch.name))
    storedBytes += launch.global.storedBytes();
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  if (isProfiling())
    recordLaunch({elapsed.count()});
}
