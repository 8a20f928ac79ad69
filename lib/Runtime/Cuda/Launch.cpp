//===- Launch.cpp - Launches on CUDA --------------------------------------===//

#include "Kernels.h"
#include "rooftile/Runtime/Executable/GpuDriver.h"

using namespace rooftile;

/// Grid and block within what every CUDA device takes (CUDA programming guide, table of technical
/// specifications): grid 2^31 - 1, 65535, 65535; 1024 threads a block.
static bool checkSizes(void *function, const int64_t *grid, const int64_t *block) {
  bool gridFits = grid[0] <= INT32_MAX && grid[1] <= 65535 && grid[2] <= 65535;
  for (int dim = 0; dim < 3; ++dim)
    gridFits &= grid[dim] >= 0;
  if (!gridFits)
    recordError(kernelOf(function).name + ": grid " + sizesText(grid) +
                " exceeds (2147483647, 65535, 65535)");
  bool blockFits = block[0] > 0 && block[1] > 0 && block[2] > 0 && block[0] <= 1024 &&
                   block[1] <= 1024 && block[2] <= 64 && block[0] * block[1] * block[2] <= 1024;
  if (!blockFits)
    recordError(kernelOf(function).name + ": block " + sizesText(block) +
                " is not within 1 .. 1024 threads");
  return gridFits && blockFits;
}

/// A timing event recorded in `stream`, or null.
static void *mark(const CudaDriver &cuda, void *stream) {
  void *event = nullptr;
  if (cuda.check(cuda.eventCreate(&event, 0), "cuEventCreate"))
    cuda.check(cuda.eventRecord(event, stream), "cuEventRecord");
  return event;
}

namespace {
/// A launch as the driver takes it.
struct Launch {
  void *function;
  int64_t grid[3], block[3], cluster[3];
  int32_t sharedBytes;
  void *stream, **params, **extra;
  bool beginsEarly = false;

  bool isAlone() const { return cluster[0] * cluster[1] * cluster[2] == 1; }
  std::string describe() const {
    return kernelOf(function).name + ", grid " + sizesText(grid) + ", block " + sizesText(block) +
           ", " + std::to_string(sharedBytes) + " bytes of shared memory";
  }
};
} // namespace

/// With attributes: CUlaunchConfig and CUlaunchAttribute, as laid out in the driver API.
static int launchWith(const CudaDriver &cuda, const Launch &launch) {
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
  } config = {{}, {}, unsigned(launch.sharedBytes), launch.stream, attributes, 0};
  if (launch.beginsEarly)
    attributes[config.count++] = {kEarly, 0, {1}};
  if (!launch.isAlone())
    attributes[config.count++] = {
        kClusterDimension,
        0,
        {unsigned(launch.cluster[0]), unsigned(launch.cluster[1]), unsigned(launch.cluster[2])}};
  for (int dim = 0; dim < 3; ++dim) {
    config.grid[dim] = launch.grid[dim];
    config.block[dim] = launch.block[dim];
  }
  return cuda.launchKernelEx(&config, launch.function, launch.params, launch.extra);
}

static int launchPlain(const CudaDriver &cuda, const Launch &l) {
  return cuda.launchKernel(l.function, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],
                           l.block[2], l.sharedBytes, l.stream, l.params, l.extra);
}

static void launch(Launch launch) {
  const CudaDriver *cuda = launch.function ? CudaDriver::current() : nullptr;
  if (!cuda)
    return recordError("launch of a kernel that was not loaded");
  Kernel &kernel = kernelOf(launch.function);
  if (!checkSizes(launch.function, launch.grid, launch.block) ||
      !allowShared(*cuda, launch.function, kernel, launch.sharedBytes))
    return;
  launch.beginsEarly = kernel.beginsEarly;
  bool empty = launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0;
  bool plain = launch.isAlone() && !launch.beginsEarly;
  LaunchTime time;
  bool timed = isProfiling();
  if (timed && !empty)
    time.begin = mark(*cuda, launch.stream);
  int result = empty ? 0 : plain ? launchPlain(*cuda, launch) : launchWith(*cuda, launch);
  if (result)
    cuda->check(result, plain ? "cuLaunchKernel" : "cuLaunchKernelEx",
                launch.describe() +
                    (launch.isAlone() ? "" : ", cluster " + sizesText(launch.cluster)));
  if (time.begin)
    time.end = mark(*cuda, launch.stream);
  if (timed)
    recordLaunch(time);
}

extern "C" {

ROOFTILE_EXPORT void rooftileLaunchClusterKernel(void *function, intptr_t clusterX,
                                                 intptr_t clusterY, intptr_t clusterZ,
                                                 intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                                 intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                                 int32_t sharedBytes, void *stream, void **params,
                                                 void **extra, size_t paramsCount) {
  launch({function,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          {clusterX, clusterY, clusterZ},
          sharedBytes,
          stream,
          params,
          extra});
}

ROOFTILE_EXPORT void rooftileLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                                          intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                                          intptr_t blockZ, int32_t sharedBytes, void *stream,
                                          void **params, void **extra, size_t paramsCount) {
  rooftileLaunchClusterKernel(function, 1, 1, 1, gridX, gridY, gridZ, blockX, blockY, blockZ,
                              sharedBytes, stream, params, extra, paramsCount);
}

} // extern "C"
