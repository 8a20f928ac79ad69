//===- Cpu.cpp - GPU kernels as coroutines of the host --------------------===//
//
// Clusters are independent and run on all cores. A kernel that is right only in
// one order of threads or blocks fails here.
//
//===----------------------------------------------------------------------===//

#include "CpuCluster.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace rooftile;
using namespace rooftile::cpu;

static std::atomic<uint64_t> orderSeed{1};
static std::atomic<bool> recording{true};

/// The limits of the largest GPUs: kernels count workgroups in 32 bits.
static constexpr int64_t kMaxBlocks = INT32_MAX, kMaxThreads = 1 << 16, kMaxClusterSize = 64;
static constexpr int64_t kMaxSharedBytes = int64_t(1) << 32;

void rooftileCpuSeed(uint64_t seed) { orderSeed = seed; }

void rooftileCpuRecord(bool on) { recording = on; }

/// Clusters on all cores; on one when there are few.
static void runAll(Launch &launch) {
  auto work = [&launch] {
    Cluster cluster(launch);
    for (int64_t index; (index = launch.nextCluster++) < launch.clusters();)
      cluster.run(index);
  };
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (int64_t i = 1; i < std::min(cores, launch.clusters() / 2); ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &thread : pool)
    thread.join();
}

static bool inRange(int64_t value, int64_t low, int64_t high) {
  return value >= low && value <= high;
}

/// What is wrong with a launch, or an empty string.
static std::string misfit(int64_t gridX, int64_t blockX, int64_t clusterX, int64_t sharedBytes) {
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
  if (std::string reason = misfit(gridX, blockX, clusterX, sharedBytes); !reason.empty())
    return recordError(std::string("kernel ") + name + ": " + reason);
  auto begin = std::chrono::steady_clock::now();
  Record record{recording ? sites : nullptr, granuleBytes};
  Launch launch{name,   kernel,    gridX, blockX, clusterX,  sharedBytes, params,
                record, orderSeed, {},    {},     INT64_MAX, {}};
  if (gridX > 0)
    runAll(launch);
  if (!launch.error.empty())
    recordError(launch.error);
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  if (isProfiling())
    recordLaunch({elapsed.count(), nullptr, nullptr});
}
