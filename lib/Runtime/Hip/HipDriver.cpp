//===- HipDriver.cpp - Devices of AMD's driver ----------------------------===//
//
// Kernel parameters are passed one by one, as to CUDA: the driver reads their sizes and offsets
// from the metadata of the code object. Shared memory (LDS) up to what a compute unit has needs no
// leave.
//
//===----------------------------------------------------------------------===//

#include "../Device/CudaStyleDriver.h"
#include "Library.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace rooftile;

namespace {
class HipDriver : public CudaStyleDriver<HipLibrary> {
public:
  HipDriver() : CudaStyleDriver(DeviceKind::Hip) {}

  std::string version() const override;
  bool ask(int device, DeviceFacts &facts) const override;
  int presentDevice(const char *&why) const override;

  void *allocateInOrder(uint64_t bytes, void *stream) const override;
  void freeInOrder(void *memory, void *stream) const override;
  void *allocateShared(uint64_t bytes) const override;
  void *allocatePinned(uint64_t bytes) const override;
  bool copy(void *to, const void *from, uint64_t bytes) const override;
  bool copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const override;

  void *load(const void *image, size_t bytes) const override;
  void unload(void *module) const override;
  void *find(void *module, const std::string &kernel) const override;
  bool makeDescriptor(void *, const TensorMap &) const override {
    recordError("a descriptor of a matrix: AMD GPUs have no tensor copies");
    return false;
  }

protected:
  void put(void *function, const std::string &name, const KernelLaunch &launch,
           void *stream) const override;
  void *context() const override;
  void restore(void *context) const override;
};
} // namespace

const Driver &rooftile::hipDriver() {
  static const Driver *instance = new HipDriver; // never destroyed: programs call after main
  return *instance;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// HIP_VERSION: major * 10^7 + minor * 10^5 + patch.
std::string HipDriver::version() const {
  const HipLibrary *hip = HipLibrary::open();
  int version = 0;
  if (!hip || hip->runtimeGetVersion(&version) != 0)
    return "";
  return "HIP " + std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100);
}

namespace {
/// Fields of hipDeviceProp_tR0600, whose layout the name of the function promises; it has 1472
/// bytes.
struct Properties {
  char name[256];
  char identifiers[32]; // uuid, luid and its mask
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount;
  char others[1160 - 392];
  char gcnArchName[256];
  char end[4096 - 1416];
};
static_assert(offsetof(Properties, totalGlobalMem) == 288);
static_assert(offsetof(Properties, clockRate) == 348);
static_assert(offsetof(Properties, multiProcessorCount) == 388);
static_assert(offsetof(Properties, gcnArchName) == 1160);
} // namespace

template <size_t N> static std::string textOf(const char (&text)[N]) {
  return std::string(text, strnlen(text, N));
}

/// The architecture is without what is on or off ("gfx942:sramecc+:xnack-").
bool HipDriver::ask(int device, DeviceFacts &facts) const {
  if (std::string why = whyMissing(device); !why.empty())
    return recordError(why), false;
  const HipLibrary &hip = *HipLibrary::open();
  Properties properties = {};
  if (!hip.check(hip.getDeviceProperties(&properties, device), "hipGetDevicePropertiesR0600"))
    return false;
  facts.name = textOf(properties.name);
  facts.architecture = textOf(properties.gcnArchName);
  facts.architecture.resize(std::min(facts.architecture.find(':'), facts.architecture.size()));
  facts.memoryBytes = properties.totalGlobalMem;
  facts.units = properties.multiProcessorCount;
  facts.subgroup = properties.warpSize;
  facts.clockKilohertz = properties.clockRate;
  facts.sharedBytesPerBlock = int(properties.sharedMemPerBlock);
  facts.threadsPerBlock = properties.maxThreadsPerBlock;
  if (facts.architecture.compare(0, 3, "gfx") == 0)
    return true;
  recordError("the HIP driver does not say of which architecture " + describe({kind, device}) +
              " is (" + facts.name + ")");
  return false;
}

/// Memory and kernels of a HIP device are the process's, whoever uses it.
int HipDriver::presentDevice(const char *&why) const {
  const HipLibrary *hip = HipLibrary::open();
  int device = -1;
  if (!hip || hip->getDevice(&device) != 0)
    return why = "there is no HIP device", -1;
  if (device >= 0 && device < kMostDevices)
    return device;
  return why = "there are more devices than 64", -1;
}

void *HipDriver::context() const {
  const HipLibrary *hip = HipLibrary::open();
  int device = -1;
  if (hip && hip->getDevice(&device) != 0)
    device = -1;
  return reinterpret_cast<void *>(intptr_t(device));
}

void HipDriver::restore(void *context) const {
  const HipLibrary *hip = HipLibrary::open();
  int before = int(reinterpret_cast<intptr_t>(context)), present = -1;
  if (hip && before >= 0 && hip->getDevice(&present) == 0 && present != before)
    hip->setDevice(before);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether memory of this thread's device is allocated and freed in the order of a stream.
static bool hasPools(const HipLibrary &hip) {
  constexpr int kPoolsSupported = 88; // hipDeviceAttributeMemoryPoolsSupported
  enum : int8_t { Unknown, No, Yes };
  static std::atomic<int8_t> known[kMostDevices] = {};
  std::atomic<int8_t> &answer = known[hipDriver().device()];
  if (answer == Unknown) {
    int pools = 0;
    bool isTold = hip.deviceGetAttribute(&pools, kPoolsSupported, hipDriver().device()) == 0;
    answer = isTold && pools != 0 ? Yes : No;
  }
  return answer == Yes;
}

void *HipDriver::allocateInOrder(uint64_t bytes, void *stream) const {
  const HipLibrary *hip = bytes ? HipLibrary::current() : nullptr;
  if (!hip)
    return nullptr;
  return hasPools(*hip) ? made(&HipLibrary::mallocAsync, inBytes(bytes), size_t(bytes), stream)
                        : allocate(bytes);
}

/// Without pools the driver waits for all work on the device first. It frees all kinds of memory.
void HipDriver::freeInOrder(void *memory, void *stream) const {
  const HipLibrary *hip = memory ? HipLibrary::current() : nullptr;
  if (hip && hasPools(*hip))
    run(&HipLibrary::freeAsync, "", memory, stream);
  else if (hip)
    free(memory);
}

void *HipDriver::allocateShared(uint64_t bytes) const {
  constexpr unsigned kAttachGlobal = 1; // hipMemAttachGlobal
  return bytes ? made(&HipLibrary::mallocManaged, inBytes(bytes), size_t(bytes), kAttachGlobal)
               : nullptr;
}

void *HipDriver::allocatePinned(uint64_t bytes) const {
  return bytes ? made(&HipLibrary::hostMalloc, inBytes(bytes), size_t(bytes), 0u) : nullptr;
}

static constexpr int kByAddresses = 4; // hipMemcpyDefault

bool HipDriver::copy(void *to, const void *from, uint64_t bytes) const {
  return bytes ? run(&HipLibrary::memcpy, inBytes(bytes), to, from, size_t(bytes), kByAddresses)
               : HipLibrary::current() != nullptr;
}

bool HipDriver::copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const {
  return bytes ? run(&HipLibrary::memcpyAsync, inBytes(bytes), to, from, size_t(bytes),
                     kByAddresses, stream)
               : HipLibrary::current() != nullptr;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void *HipDriver::load(const void *image, size_t bytes) const {
  const HipLibrary *hip = HipLibrary::current();
  void *module = nullptr;
  bool isLoaded = hip && hip->check(hip->moduleLoadData(&module, image), "hipModuleLoadData",
                                    "a code object of " + inBytes(bytes));
  return isLoaded ? module : nullptr;
}

void HipDriver::unload(void *module) const {
  const HipLibrary *hip = module ? HipLibrary::current() : nullptr;
  if (hip)
    hip->moduleUnload(module); // at exit the driver may be gone already: not an error
}

void *HipDriver::find(void *module, const std::string &kernel) const {
  const HipLibrary *hip = HipLibrary::current();
  void *function = nullptr;
  bool isFound = hip && hip->check(hip->moduleGetFunction(&function, module, kernel.c_str()),
                                   "hipModuleGetFunction", kernel);
  return isFound ? function : nullptr;
}

/// The value out of range, or an empty string. The hardware counts the threads of a grid, in 32
/// bits a dimension (HSA platform system architecture, 1.2: grid_size of a dispatch packet), and
/// has 1024 threads a workgroup.
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

void HipDriver::put(void *function, const std::string &name, const KernelLaunch &launch,
                    void *stream) const {
  if (std::string why = whyRefused(launch); !why.empty())
    return recordError("kernel " + name + ": " + why);
  const HipLibrary *hip = HipLibrary::current();
  if (!hip)
    return;
  const int64_t *grid = launch.grid, *block = launch.block;
  if (int result =
          hip->moduleLaunchKernel(function, unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2]),
                                  unsigned(block[0]), unsigned(block[1]), unsigned(block[2]),
                                  unsigned(launch.sharedBytes), stream, launch.parameters, nullptr))
    hip->check(result, "hipModuleLaunchKernel",
               "kernel " + name + ", grid " + sizesText(grid) + ", block " + sizesText(block) +
                   ", " + std::to_string(launch.sharedBytes) + " bytes of shared memory");
}
