//===- HipDriver.cpp - Devices of AMD's driver ----------------------------===//
//
// Kernel parameters are passed one by one, as to CUDA: the driver takes their sizes and places from
// the metadata of the code object. Shared memory (LDS) up to what a compute unit has needs no
// leave.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace rooftile;

namespace {
class HipDriver : public Driver {
public:
  HipDriver() : Driver(DeviceKind::Hip) {}

  bool open(std::string &why) const override { return HipLibrary::open(&why) != nullptr; }
  std::string version() const override;
  int count() const override;
  bool ask(int device, DeviceFacts &facts) const override;
  int presentDevice(const char *&why) const override;

  void *createStream() const override;
  void destroyStream(void *stream) const override;
  bool waitForStream(void *stream) const override;
  bool waitForDevice() const override;
  bool isCaptured(void *stream) const override;
  void *createEvent(bool isTimed) const override;
  void destroyEvent(void *event) const override;
  bool recordEvent(void *event, void *stream) const override;
  bool waitForEvent(void *event) const override;
  bool streamWaitsFor(void *stream, void *event) const override;
  bool elapsed(void *begin, void *end, float &milliseconds) const override;

  void *allocate(uint64_t bytes) const override;
  void free(void *memory) const override;
  void *allocateInOrder(uint64_t bytes, void *stream) const override;
  void freeInOrder(void *memory, void *stream) const override;
  void *allocateShared(uint64_t bytes) const override;
  void *allocatePinned(uint64_t bytes) const override;
  void freePinned(void *memory) const override;
  void pin(void *memory, uint64_t bytes) const override;
  void unpin(void *memory) const override;
  bool copy(void *to, const void *from, uint64_t bytes) const override;
  bool copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const override;
  bool fill(void *to, uint32_t value, int valueBytes, size_t count, void *stream) const override;

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

int HipDriver::count() const {
  const HipLibrary *hip = HipLibrary::open();
  int count = 0;
  return hip && hip->getDeviceCount(&count) == 0 ? count : 0;
}

namespace {
/// Part of hipDeviceProp_tR0600, whose layout the name of the function promises; it has 1472 bytes.
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
// Streams and events
//===----------------------------------------------------------------------===//

void *HipDriver::createStream() const {
  constexpr unsigned kNonBlocking = 1; // hipStreamNonBlocking
  const HipLibrary *hip = HipLibrary::current();
  void *stream = nullptr;
  if (hip)
    hip->check(hip->streamCreate(&stream, kNonBlocking), "hipStreamCreateWithFlags");
  return stream;
}

void HipDriver::destroyStream(void *stream) const {
  const HipLibrary *hip = stream ? HipLibrary::current() : nullptr;
  if (hip)
    hip->check(hip->streamDestroy(stream), "hipStreamDestroy");
}

bool HipDriver::waitForStream(void *stream) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && hip->check(hip->streamSynchronize(stream), "hipStreamSynchronize",
                           "a kernel or a copy in the stream failed");
}

bool HipDriver::waitForDevice() const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && hip->check(hip->deviceSynchronize(), "hipDeviceSynchronize", "a kernel failed");
}

bool HipDriver::isCaptured(void *stream) const {
  const HipLibrary *hip = HipLibrary::open();
  int status = 0;
  return !hip || hip->streamIsCapturing(stream, &status) != 0 || status != 0;
}

void *HipDriver::createEvent(bool isTimed) const {
  constexpr unsigned kDisableTiming = 2; // hipEventDisableTiming
  const HipLibrary *hip = HipLibrary::current();
  void *event = nullptr;
  if (hip)
    hip->check(hip->eventCreate(&event, isTimed ? 0 : kDisableTiming), "hipEventCreateWithFlags");
  return event;
}

void HipDriver::destroyEvent(void *event) const {
  const HipLibrary *hip = event ? HipLibrary::current() : nullptr;
  if (hip)
    hip->check(hip->eventDestroy(event), "hipEventDestroy");
}

bool HipDriver::recordEvent(void *event, void *stream) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && hip->check(hip->eventRecord(event, stream), "hipEventRecord");
}

bool HipDriver::waitForEvent(void *event) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && hip->check(hip->eventSynchronize(event), "hipEventSynchronize");
}

bool HipDriver::streamWaitsFor(void *stream, void *event) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && hip->check(hip->streamWaitEvent(stream, event, 0), "hipStreamWaitEvent");
}

bool HipDriver::elapsed(void *begin, void *end, float &milliseconds) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && hip->check(hip->eventElapsedTime(&milliseconds, begin, end), "hipEventElapsedTime");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static std::string inBytes(uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

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

void *HipDriver::allocate(uint64_t bytes) const {
  const HipLibrary *hip = bytes ? HipLibrary::current() : nullptr;
  void *memory = nullptr;
  bool isDone = hip && hip->check(hip->malloc(&memory, bytes), "hipMalloc", inBytes(bytes));
  return isDone ? memory : nullptr;
}

void HipDriver::free(void *memory) const {
  const HipLibrary *hip = memory ? HipLibrary::current() : nullptr;
  if (hip)
    hip->check(hip->free(memory), "hipFree");
}

void *HipDriver::allocateInOrder(uint64_t bytes, void *stream) const {
  const HipLibrary *hip = bytes ? HipLibrary::current() : nullptr;
  void *memory = nullptr;
  if (!hip)
    return nullptr;
  if (!hasPools(*hip))
    return allocate(bytes);
  bool isDone =
      hip->check(hip->mallocAsync(&memory, bytes, stream), "hipMallocAsync", inBytes(bytes));
  return isDone ? memory : nullptr;
}

/// Without pools the driver waits for all work on the device first. It frees all kinds of memory.
void HipDriver::freeInOrder(void *memory, void *stream) const {
  const HipLibrary *hip = memory ? HipLibrary::current() : nullptr;
  if (hip && hasPools(*hip))
    hip->check(hip->freeAsync(memory, stream), "hipFreeAsync");
  else if (hip)
    hip->check(hip->free(memory), "hipFree");
}

void *HipDriver::allocateShared(uint64_t bytes) const {
  constexpr unsigned kAttachGlobal = 1; // hipMemAttachGlobal
  const HipLibrary *hip = bytes ? HipLibrary::current() : nullptr;
  void *memory = nullptr;
  if (hip)
    hip->check(hip->mallocManaged(&memory, bytes, kAttachGlobal), "hipMallocManaged",
               inBytes(bytes));
  return memory;
}

void *HipDriver::allocatePinned(uint64_t bytes) const {
  const HipLibrary *hip = bytes ? HipLibrary::current() : nullptr;
  void *memory = nullptr;
  if (hip)
    hip->check(hip->hostMalloc(&memory, bytes, 0), "hipHostMalloc", inBytes(bytes));
  return memory;
}

void HipDriver::freePinned(void *memory) const {
  const HipLibrary *hip = memory ? HipLibrary::current() : nullptr;
  if (hip)
    hip->check(hip->hostFree(memory), "hipHostFree");
}

void HipDriver::pin(void *memory, uint64_t bytes) const {
  const HipLibrary *hip = bytes ? HipLibrary::current() : nullptr;
  if (hip)
    hip->check(hip->hostRegister(memory, bytes, 0), "hipHostRegister", inBytes(bytes));
}

void HipDriver::unpin(void *memory) const {
  if (const HipLibrary *hip = HipLibrary::current())
    hip->check(hip->hostUnregister(memory), "hipHostUnregister");
}

static constexpr int kByAddresses = 4; // hipMemcpyDefault

bool HipDriver::copy(void *to, const void *from, uint64_t bytes) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && (bytes == 0 || hip->check(hip->memcpy(to, from, bytes, kByAddresses), "hipMemcpy",
                                          inBytes(bytes)));
}

bool HipDriver::copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const {
  const HipLibrary *hip = HipLibrary::current();
  return hip && (bytes == 0 || hip->check(hip->memcpyAsync(to, from, bytes, kByAddresses, stream),
                                          "hipMemcpyAsync", inBytes(bytes)));
}

bool HipDriver::fill(void *to, uint32_t value, int valueBytes, size_t count, void *stream) const {
  const HipLibrary *hip = HipLibrary::current();
  if (!hip || count == 0)
    return hip;
  if (valueBytes == 2)
    return hip->check(hip->memsetD16Async(to, uint16_t(value), count, stream), "hipMemsetD16Async");
  return hip->check(hip->memsetD32Async(to, int(value), count, stream), "hipMemsetD32Async");
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
/// bits
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
