//===- Launch.cpp - Launches on CUDA --------------------------------------===//

#include "Kernels.h"

using namespace rooftile;

/// The value out of range, or an empty string. Grid and block are within what every CUDA device
/// accepts
/// (CUDA programming guide, table of technical specifications): grid 2^31 - 1, 65535, 65535; 1024
/// threads a block. Sizes of clusters and shared memory fit in 32 bits.
static std::string whyRefused(const KernelLaunch &launch) {
  constexpr int64_t kMostClusterBlocks = 1024;
  const int64_t *grid = launch.grid, *block = launch.block, *cluster = launch.cluster;
  bool fits = launch.sharedBytes >= 0 && launch.sharedBytes <= INT32_MAX;
  for (int dim = 0; dim < 3; ++dim)
    fits &= cluster[dim] >= 1 && cluster[dim] <= kMostClusterBlocks;
  if (!fits)
    return "a cluster of " + std::to_string(cluster[0]) + " x " + std::to_string(cluster[1]) +
           " x " + std::to_string(cluster[2]) + " blocks or shared memory of " +
           std::to_string(launch.sharedBytes) + " bytes is out of range";
  bool gridFits = grid[0] <= INT32_MAX && grid[1] <= 65535 && grid[2] <= 65535;
  for (int dim = 0; dim < 3; ++dim)
    gridFits &= grid[dim] >= 0;
  if (!gridFits)
    return "grid " + sizesText(grid) + " exceeds (2147483647, 65535, 65535)";
  bool blockFits = block[0] > 0 && block[1] > 0 && block[2] > 0 && block[0] <= 1024 &&
                   block[1] <= 1024 && block[2] <= 64 && block[0] * block[1] * block[2] <= 1024;
  return blockFits ? "" : "block " + sizesText(block) + " is not within 1 .. 1024 threads";
}

static bool isAlone(const KernelLaunch &launch) {
  return launch.cluster[0] * launch.cluster[1] * launch.cluster[2] == 1;
}

static std::string textOf(const std::string &name, const KernelLaunch &launch) {
  return "kernel " + name + ", grid " + sizesText(launch.grid) + ", block " +
         sizesText(launch.block) + ", " + std::to_string(launch.sharedBytes) +
         " bytes of shared memory" +
         (isAlone(launch) ? "" : ", cluster " + sizesText(launch.cluster));
}

/// With attributes: CUlaunchConfig and CUlaunchAttribute, as laid out in the driver API.
static int launchWith(const CudaLibrary &cuda, const Kernel &kernel, const KernelLaunch &launch,
                      void *stream) {
  constexpr int kClusterDimension = 4; // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
  constexpr int kEarly = 6;            // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
  struct {
    int id, pad;
    unsigned value[16];
  } attributes[2] = {};
  struct {
    unsigned grid[3], block[3], sharedBytes;
    void *stream, *attributes;
    unsigned count;
  } config = {{}, {}, unsigned(launch.sharedBytes), stream, attributes, 0};
  if (kernel.beginsEarly)
    attributes[config.count++] = {kEarly, 0, {1}};
  if (!isAlone(launch))
    attributes[config.count++] = {
        kClusterDimension,
        0,
        {unsigned(launch.cluster[0]), unsigned(launch.cluster[1]), unsigned(launch.cluster[2])}};
  for (int dim = 0; dim < 3; ++dim) {
    config.grid[dim] = launch.grid[dim];
    config.block[dim] = launch.block[dim];
  }
  return cuda.launchKernelEx(&config, kernel.function, launch.parameters, nullptr);
}

static int launchPlain(const CudaLibrary &cuda, const Kernel &kernel, const KernelLaunch &l,
                       void *stream) {
  return cuda.launchKernel(kernel.function, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],
                           l.block[2], l.sharedBytes, stream, l.parameters, nullptr);
}

void rooftile::launchKernel(Kernel &kernel, const std::string &name, const KernelLaunch &launch,
                            void *stream) {
  const CudaLibrary *cuda = CudaLibrary::current();
  if (!cuda)
    return;
  if (std::string why = whyRefused(launch); !why.empty())
    return recordError("kernel " + name + ": " + why);
  bool isEmpty = launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0;
  if (isEmpty || !kernel.allowShared(*cuda, launch.sharedBytes, name))
    return;
  bool isPlain = isAlone(launch) && !kernel.beginsEarly;
  if (int result = isPlain ? launchPlain(*cuda, kernel, launch, stream)
                           : launchWith(*cuda, kernel, launch, stream))
    cuda->check(result, isPlain ? "cuLaunchKernel" : "cuLaunchKernelEx", textOf(name, launch));
}
