//===- GpuDriver.cpp - Executables on HIP ---------------------------------===//
//
// Kernel parameters are passed one by one, as to CUDA: the driver takes their sizes and places from
// the metadata of the code object. Shared memory (LDS) up to what a compute unit has needs no
// leave.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Executable/GpuDriver.h"
#include "rooftile/Runtime/Hip/Driver.h"

using namespace rooftile;

namespace {
class Hip : public GpuDriver {
public:
  bool open(std::string &why) const override { return HipDriver::open(&why) != nullptr; }
  bool ask(GpuFacts &facts) const override;
  int device() const override { return kHipDevice; }
  void *load(const std::string &image) const override;
  void unload(void *module, int device) const override;
  void *find(void *module, const std::string &kernel) const override;
  void launch(void *function, const std::string &name, const KernelLaunch &launch) const override;
  void *allocate(uint64_t bytes) const override;
  void free(void *memory) const override;
  bool copy(void *to, const void *from, uint64_t bytes) const override;
  void makeDescriptor(void *, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                      int64_t) const override {
    recordError("a descriptor of a matrix: AMD GPUs have no tensor copies");
  }
};
} // namespace

const GpuDriver &GpuDriver::hip() {
  static const Hip *instance = new Hip;
  return *instance;
}

bool Hip::ask(GpuFacts &facts) const {
  HipDeviceFacts device;
  if (!askHipDevice(device))
    return false;
  facts = {device.name, device.architecture};
  return true;
}

void *Hip::load(const std::string &image) const {
  const HipDriver *hip = HipDriver::current();
  void *module = nullptr;
  bool isLoaded = hip && hip->check(hip->moduleLoadData(&module, image.data()), "hipModuleLoadData",
                                    "a code object of " + std::to_string(image.size()) + " bytes");
  return isLoaded ? module : nullptr;
}

void Hip::unload(void *module, int) const {
  if (const HipDriver *hip = HipDriver::current())
    hip->moduleUnload(module); // at exit the driver may be gone already: not an error
}

void *Hip::find(void *module, const std::string &kernel) const {
  const HipDriver *hip = HipDriver::current();
  void *function = nullptr;
  bool isFound = hip && hip->check(hip->moduleGetFunction(&function, module, kernel.c_str()),
                                   "hipModuleGetFunction", kernel);
  return isFound ? function : nullptr;
}

/// What is out of range, or an empty string. The hardware counts the threads of a grid, in 32 bits
/// a dimension (HSA platform system architecture, 1.2: grid_size of a dispatch packet), and has
/// 1024 threads a workgroup.
static std::string whyRefused(const KernelLaunch &launch) {
  constexpr int64_t kMostThreads = 1024;
  const int64_t *grid = launch.grid, *block = launch.block, *cluster = launch.cluster;
  if (cluster[0] != 1 || cluster[1] != 1 || cluster[2] != 1)
    return "cluster " + sizesText(cluster) + ": AMD GPUs launch no clusters";
  int64_t threads = 1;
  for (int dim = 0; dim < 3; ++dim) {
    if (block[dim] < 1 || block[dim] > kMostThreads)
      return "block " + sizesText(block) + " is not within 1 .. 1024 threads";
    threads *= block[dim];
    if (grid[dim] < 1 || grid[dim] > int64_t(UINT32_MAX) / block[dim])
      return "grid " + sizesText(grid) + " of blocks " + sizesText(block) +
             " is not within 1 .. 4294967295 threads a dimension";
  }
  if (threads > kMostThreads)
    return "block " + sizesText(block) + " is not within 1 .. 1024 threads";
  if (launch.sharedBytes < 0 || launch.sharedBytes > INT32_MAX)
    return "shared memory of " + std::to_string(launch.sharedBytes) + " bytes is out of range";
  return "";
}

void Hip::launch(void *function, const std::string &name, const KernelLaunch &launch) const {
  if (std::string why = whyRefused(launch); !why.empty())
    return recordError("kernel " + name + ": " + why);
  const HipDriver *hip = HipDriver::current();
  if (!hip)
    return;
  const int64_t *grid = launch.grid, *block = launch.block;
  if (int result = hip->moduleLaunchKernel(
          function, unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2]), unsigned(block[0]),
          unsigned(block[1]), unsigned(block[2]), unsigned(launch.sharedBytes), rooftileGetStream(),
          launch.parameters, nullptr))
    hip->check(result, "hipModuleLaunchKernel",
               "kernel " + name + ", grid " + sizesText(grid) + ", block " + sizesText(block) +
                   ", " + std::to_string(launch.sharedBytes) + " bytes of shared memory");
}

void *Hip::allocate(uint64_t bytes) const {
  const HipDriver *hip = bytes ? HipDriver::current() : nullptr;
  if (!hip)
    return nullptr;
  void *memory = nullptr;
  int result = hip->hasPools ? hip->mallocAsync(&memory, bytes, rooftileGetStream())
                             : hip->malloc(&memory, bytes);
  bool isDone = hip->check(result, hip->hasPools ? "hipMallocAsync" : "hipMalloc",
                           std::to_string(bytes) + " bytes");
  return isDone ? memory : nullptr;
}

/// Without pools the driver waits for all work on the device first.
void Hip::free(void *memory) const {
  const HipDriver *hip = memory ? HipDriver::current() : nullptr;
  if (hip && hip->hasPools)
    hip->check(hip->freeAsync(memory, rooftileGetStream()), "hipFreeAsync");
  else if (hip)
    hip->check(hip->free(memory), "hipFree");
}

bool Hip::copy(void *to, const void *from, uint64_t bytes) const {
  constexpr int kByAddresses = 4; // hipMemcpyDefault
  const HipDriver *hip = HipDriver::current();
  void *stream = rooftileGetStream();
  std::string detail = std::to_string(bytes) + " bytes";
  return hip &&
         hip->check(hip->memcpyAsync(to, from, bytes, kByAddresses, stream), "hipMemcpyAsync",
                    detail) &&
         hip->check(hip->streamSynchronize(stream), "hipStreamSynchronize", detail);
}
