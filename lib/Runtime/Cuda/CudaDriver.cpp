//===- CudaDriver.cpp - Devices of NVIDIA's driver ------------------------===//

#include "../Device/CudaStyleDriver.h"
#include "CallGraph.h"
#include "Kernels.h"
#include "LaunchGraph.h"
#include "Management.h"
#include "Memory.h"

#include <atomic>

using namespace rooftile;

namespace {
class CudaDriver : public CudaStyleDriver<CudaLibrary> {
public:
  CudaDriver() : CudaStyleDriver(DeviceKind::Cuda) {}

  std::string version() const override;
  bool ask(int device, DeviceFacts &facts) const override;
  DeviceState state(int device) const override { return stateOfCudaDevice(device); }
  int presentDevice(const char *&why) const override;

  void *allocateInOrder(uint64_t bytes, void *stream) const override {
    return allocateFromPool(bytes, stream);
  }
  void freeInOrder(void *memory, void *stream) const override { freeToPool(memory, stream); }
  void prepareMemory() const override { preparePool(); }
  void *allocateShared(uint64_t bytes) const override { return allocateManaged(bytes); }
  void *allocatePinned(uint64_t bytes) const override;
  bool copy(void *to, const void *from, uint64_t bytes) const override;
  bool copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const override;

  void *load(const void *image, size_t) const override { return loadModule(image); }
  void unload(void *module) const override { unloadModule(module); }
  void *find(void *module, const std::string &kernel) const override {
    return findKernel(module, kernel);
  }
  bool makeDescriptor(void *descriptor, const TensorMap &matrix) const override;
  bool takesGraphs(void *stream) const override { return takesCudaGraphs(stream); }
  std::unique_ptr<LaunchGraph> prepare(const LaunchList &launches) const override {
    return prepareCudaGraph(launches);
  }
  std::unique_ptr<CallGraph> makeCallGraph() const override { return makeCudaCallGraph(); }

protected:
  void put(void *kernel, const std::string &name, const KernelLaunch &launch,
           void *stream) const override {
    launchKernel(*static_cast<Kernel *>(kernel), name, launch, stream);
  }
  void *context() const override;
  void restore(void *context) const override;
};
} // namespace

const Driver &rooftile::cudaDriver() {
  static const Driver *instance = new CudaDriver; // never destroyed: programs call after main
  return *instance;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

std::string CudaDriver::version() const {
  const CudaLibrary *cuda = CudaLibrary::open();
  int version = 0;
  if (!cuda || cuda->driverGetVersion(&version) != 0)
    return "";
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Values of CUdevice_attribute. Source: CUDA Driver API reference, 13.0.
static constexpr std::pair<int DeviceFacts::*, int> kAttributes[] = {
    {&DeviceFacts::major, 75},
    {&DeviceFacts::minor, 76},
    {&DeviceFacts::units, 16},
    {&DeviceFacts::subgroup, 10},
    {&DeviceFacts::clockKilohertz, 13},
    {&DeviceFacts::l2Bytes, 38},
    {&DeviceFacts::registersPerUnit, 82},
    {&DeviceFacts::sharedBytesPerUnit, 81},
    {&DeviceFacts::sharedBytesPerBlock, 97},
    {&DeviceFacts::sharedBytesReserved, 111},
    {&DeviceFacts::threadsPerUnit, 39},
    {&DeviceFacts::threadsPerBlock, 1},
    {&DeviceFacts::blocksPerUnit, 106},
    {&DeviceFacts::singlesPerDouble, 87}};

bool CudaDriver::ask(int device, DeviceFacts &facts) const {
  if (std::string why = whyMissing(device); !why.empty())
    return recordError(why), false;
  const CudaLibrary &cuda = *CudaLibrary::open();
  int index = 0;
  char name[256] = {};
  size_t bytes = 0;
  if (!cuda.check(cuda.deviceGet(&index, device), "cuDeviceGet") ||
      !cuda.check(cuda.deviceGetName(name, sizeof name - 1, index), "cuDeviceGetName") ||
      !cuda.check(cuda.deviceTotalMem(&bytes, index), "cuDeviceTotalMem"))
    return false;
  for (auto [fact, attribute] : kAttributes)
    if (!cuda.check(cuda.deviceGetAttribute(&(facts.*fact), attribute, index),
                    "cuDeviceGetAttribute"))
      return false;
  facts.name = name;
  facts.memoryBytes = bytes;
  facts.architecture =
      "compute capability " + std::to_string(facts.major) + "." + std::to_string(facts.minor);
  return true;
}

/// The primary context of a GPU, where it is in use; null where not.
static void *primaryContext(const CudaLibrary &cuda, int device) {
  unsigned flags;
  int isActive = 0;
  void *context = nullptr;
  if (cuda.primaryCtxGetState(device, &flags, &isActive) || !isActive)
    return nullptr;
  if (cuda.primaryCtxRetain(&context, device))
    return nullptr;
  cuda.primaryCtxRelease(device); // The program's own use keeps it.
  return context;
}

/// Kernels are loaded into primary contexts.
int CudaDriver::presentDevice(const char *&why) const {
  static std::atomic<void *> known[kMostDevices];
  const CudaLibrary *cuda = CudaLibrary::open();
  if (!cuda)
    return why = "there is no CUDA driver", -1;
  void *current = nullptr;
  int device = 0;
  if (cuda->ctxGetCurrent(&current) || !current || cuda->ctxGetDevice(&device))
    return why = "no CUDA context is current", -1;
  if (device < 0 || device >= kMostDevices)
    return why = "there are more devices than 64", -1;
  if (current == known[device].load(std::memory_order_relaxed))
    return device;
  if (current != primaryContext(*cuda, device))
    return why = "the current CUDA context is not the primary one", -1;
  known[device].store(current, std::memory_order_relaxed);
  return device;
}

void *CudaDriver::context() const {
  const CudaLibrary *cuda = CudaLibrary::open();
  void *present = nullptr;
  if (cuda)
    cuda->ctxGetCurrent(&present);
  return present;
}

void CudaDriver::restore(void *context) const {
  const CudaLibrary *cuda = CudaLibrary::open();
  void *present = nullptr;
  if (cuda && cuda->ctxGetCurrent(&present) == 0 && present != context)
    cuda->ctxSetCurrent(context);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *CudaDriver::allocatePinned(uint64_t bytes) const {
  return bytes ? made(&CudaLibrary::memAllocHost, inBytes(bytes), size_t(bytes)) : nullptr;
}

bool CudaDriver::copy(void *to, const void *from, uint64_t bytes) const {
  return bytes ? run(&CudaLibrary::memcpy, inBytes(bytes), to, from, size_t(bytes))
               : CudaLibrary::current() != nullptr;
}

bool CudaDriver::copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const {
  return bytes ? run(&CudaLibrary::memcpyAsync, inBytes(bytes), to, from, size_t(bytes), stream)
               : CudaLibrary::current() != nullptr;
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// CUtensorMapDataType: of elements that are moved as they are, or -1; of those that are rounded.
static int dataType(const TensorMap &matrix) {
  constexpr int kUint16 = 1, kUint32 = 2, kUint64 = 4, kTFloat32 = 11;
  if (matrix.isToTf32())
    return kTFloat32;
  int64_t bytes = matrix.bytes();
  return bytes == 2 ? kUint16 : bytes == 4 ? kUint32 : bytes == 8 ? kUint64 : -1;
}

bool CudaDriver::makeDescriptor(void *descriptor, const TensorMap &matrix) const {
  if (!checkTensorMap(matrix))
    return false;
  __builtin_memset(descriptor, 0, kDescriptorBytes);
  if (matrix.isEmpty())
    return true;
  const CudaLibrary *cuda = CudaLibrary::current();
  if (!cuda)
    return false;
  if (!cuda->tensorMapEncodeTiled) {
    recordError(
        "tensor copies: the CUDA driver has no function cuTensorMapEncodeTiled (CUDA 12.0)");
    return false;
  }
  // No interleave, swizzle or fill; the 128-byte swizzle; 128-byte L2 sectors.
  constexpr int kPlain = 0, kSwizzle128 = 3, kPromote128 = 2;
  int swizzle = matrix.swizzleBytes == 0 ? kPlain : kSwizzle128;
  uint64_t sizes[] = {uint64_t(matrix.length), uint64_t(matrix.vectors)},
           strides[] = {uint64_t(matrix.vectorBytes)};
  unsigned box[] = {unsigned(matrix.boxLength), unsigned(matrix.boxVectors)}, steps[] = {1, 1};
  alignas(64) char map[kDescriptorBytes];
  int result =
      cuda->tensorMapEncodeTiled(map, dataType(matrix), 2, reinterpret_cast<void *>(matrix.address),
                                 sizes, strides, box, steps, kPlain, swizzle, kPromote128, kPlain);
  if (!cuda->check(result, "cuTensorMapEncodeTiled",
                   std::to_string(matrix.vectors) + " vectors of " + std::to_string(matrix.length) +
                       " numbers"))
    return false;
  __builtin_memcpy(descriptor, map, sizeof(map));
  return true;
}
