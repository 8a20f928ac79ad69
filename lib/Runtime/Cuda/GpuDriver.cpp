//===- GpuDriver.cpp - Executables on CUDA --------------------------------===//

#include "rooftile/Runtime/Executable/GpuDriver.h"
#include "Kernels.h"
#include "LaunchGraph.h"

using namespace rooftile;

static_assert(kGpuDevices == kCudaDevices);

extern "C" {
void *rooftileModuleLoad(void *image, size_t sizeBytes);
void *rooftileModuleGetFunction(void *module, const char *name);
void rooftileLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                                 intptr_t clusterZ, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                 intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                 int32_t sharedBytes, void *stream, void **params, void **extra,
                                 size_t paramsCount);
void *rooftileMemAlloc(uint64_t sizeBytes, void *stream, bool isHostShared);
void rooftileMemFree(void *pointer, void *stream);
}

namespace {
class Cuda : public GpuDriver {
public:
  bool open(std::string &why) const override { return CudaDriver::open(&why) != nullptr; }
  bool ask(GpuFacts &facts) const override;
  int device() const override { return defaultCudaDevice(); }
  void *load(const std::string &image) const override {
    return rooftileModuleLoad(const_cast<char *>(image.c_str()), image.size());
  }
  void unload(void *module, int device) const override { unloadModule(module, device); }
  void *find(void *module, const std::string &kernel) const override {
    return rooftileModuleGetFunction(module, kernel.c_str());
  }
  void launch(void *function, const std::string &name, const KernelLaunch &launch) const override;
  bool takesGraphs() const override { return takesCudaGraphs(); }
  std::unique_ptr<LaunchGraph> prepare(const LaunchList &launches) const override {
    return prepareCudaGraph(launches);
  }
  void prepareMemory() const override { prepareMemoryPool(); }
  void *allocate(uint64_t bytes) const override {
    return rooftileMemAlloc(bytes, rooftileGetStream(), /*isHostShared=*/false);
  }
  void free(void *memory) const override { rooftileMemFree(memory, rooftileGetStream()); }
  bool copy(void *to, const void *from, uint64_t bytes) const override;
  void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                      int64_t lines, int64_t lineBytes, int64_t boxLength,
                      int64_t boxLines) const override {
    rooftileTensorMap(descriptor, address, numberBytes, length, lines, lineBytes, boxLength,
                      boxLines);
  }
};
} // namespace

const GpuDriver &GpuDriver::cuda() {
  static const Cuda *instance = new Cuda;
  return *instance;
}

bool Cuda::ask(GpuFacts &facts) const {
  constexpr int kMajor = 75, kMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
  std::string why;
  const CudaDriver *cuda = CudaDriver::open(&why);
  if (!cuda)
    return recordError(why), false;
  int device = 0;
  char name[256] = {};
  bool isKnown =
      cuda->check(cuda->deviceGet(&device, defaultCudaDevice()), "cuDeviceGet") &&
      cuda->check(cuda->deviceGetName(name, sizeof name - 1, device), "cuDeviceGetName") &&
      cuda->check(cuda->deviceGetAttribute(&facts.major, kMajor, device), "cuDeviceGetAttribute") &&
      cuda->check(cuda->deviceGetAttribute(&facts.minor, kMinor, device), "cuDeviceGetAttribute");
  facts.name = name;
  facts.architecture =
      "compute capability " + std::to_string(facts.major) + "." + std::to_string(facts.minor);
  return isKnown;
}

bool Cuda::copy(void *to, const void *from, uint64_t bytes) const {
  const CudaDriver *cuda = CudaDriver::current();
  void *stream = rooftileGetStream();
  std::string detail = std::to_string(bytes) + " bytes";
  return cuda &&
         cuda->check(cuda->memcpyAsync(reinterpret_cast<uint64_t>(to),
                                       reinterpret_cast<uint64_t>(from), bytes, stream),
                     "cuMemcpyAsync", detail) &&
         cuda->check(cuda->streamSynchronize(stream), "cuStreamSynchronize", detail);
}

/// Sizes that the driver takes in 32 bits; grid and block are checked by the launch.
static bool areInRange(const std::string &name, const KernelLaunch &launch) {
  constexpr int64_t kMostClusterBlocks = 1024;
  bool fit = launch.sharedBytes >= 0 && launch.sharedBytes <= INT32_MAX;
  for (int64_t size : launch.cluster)
    fit &= size >= 1 && size <= kMostClusterBlocks;
  if (!fit)
    recordError("kernel " + name + ": a cluster of " + std::to_string(launch.cluster[0]) + " x " +
                std::to_string(launch.cluster[1]) + " x " + std::to_string(launch.cluster[2]) +
                " blocks or shared memory of " + std::to_string(launch.sharedBytes) +
                " bytes is out of range");
  return fit;
}

void Cuda::launch(void *function, const std::string &name, const KernelLaunch &launch) const {
  if (!areInRange(name, launch))
    return;
  const int64_t *grid = launch.grid, *block = launch.block, *cluster = launch.cluster;
  rooftileLaunchClusterKernel(function, cluster[0], cluster[1], cluster[2], grid[0], grid[1],
                              grid[2], block[0], block[1], block[2], launch.sharedBytes,
                              rooftileGetStream(), launch.parameters, nullptr,
                              launch.parameterCount);
}
