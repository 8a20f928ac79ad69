//===- Memory.cpp - Device memory in the order of a stream ----------------===//
//
// Intermediates come from a pool of their own that keeps what it has got: after
// the first call an allocation is a step in the stream, without the operating
// system and without waiting, and a graph can hold it. Devices without pools use
// plain allocations. Constants of a program are copied once.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <mutex>
#include <set>

using namespace rooftile;

static uint64_t address(void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

namespace {
/// CUmemPoolProps. Source: CUDA Driver API reference, 13.0, CUmemPoolProps_v1.
struct PoolProperties {
  int allocationType = 1; // CU_MEM_ALLOCATION_TYPE_PINNED
  int handleTypes = 0;    // CU_MEM_HANDLE_TYPE_NONE
  int locationType = 1;   // CU_MEM_LOCATION_TYPE_DEVICE
  int device = 0;
  void *security = nullptr;
  size_t maxBytes = 0; // no limit
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};

struct Pools {
  std::mutex mutex;
  bool asked[kCudaDevices] = {};
  void *pools[kCudaDevices] = {};
  std::set<void *> plain; ///< what came from elsewhere, and is freed the plain way
};
} // namespace

static Pools &pools() {
  static Pools *instance = new Pools; // never destroyed: programs free memory after main
  return *instance;
}

/// A pool that gives nothing back to the operating system, or null where there are none.
static void *createPool(const CudaDriver &cuda, int index) {
  constexpr int kPoolsSupported = 115, kReleaseThreshold = 4;
  PoolProperties properties;
  int supported = 0;
  void *pool = nullptr;
  uint64_t keepAll = UINT64_MAX;
  if (cuda.deviceGet(&properties.device, index) != 0 ||
      cuda.deviceGetAttribute(&supported, kPoolsSupported, properties.device) != 0 || !supported)
    return nullptr;
  if (!cuda.check(cuda.memPoolCreate(&pool, &properties), "cuMemPoolCreate"))
    return nullptr;
  cuda.check(cuda.memPoolSetAttribute(pool, kReleaseThreshold, &keepAll), "cuMemPoolSetAttribute");
  return pool;
}

static void *currentPool(const CudaDriver &cuda) {
  int index = defaultCudaDevice();
  std::lock_guard<std::mutex> lock(pools().mutex);
  if (!pools().asked[index])
    pools().pools[index] = createPool(cuda, index);
  pools().asked[index] = true;
  return pools().pools[index];
}

/// True (once) for a pointer that did not come from a pool.
static bool takePlain(void *pointer) {
  std::lock_guard<std::mutex> lock(pools().mutex);
  return pools().plain.erase(pointer) != 0;
}

static void *allocatePlain(const CudaDriver &cuda, uint64_t sizeBytes, bool isHostShared) {
  constexpr unsigned kAttachGlobal = 1;
  uint64_t pointer = 0;
  std::string detail = std::to_string(sizeBytes) + " bytes";
  if (isHostShared)
    cuda.check(cuda.memAllocManaged(&pointer, sizeBytes, kAttachGlobal), "cuMemAllocManaged",
               detail);
  else
    cuda.check(cuda.memAlloc(&pointer, sizeBytes), "cuMemAlloc", detail);
  std::lock_guard<std::mutex> lock(pools().mutex);
  if (pointer)
    pools().plain.insert(reinterpret_cast<void *>(pointer));
  return reinterpret_cast<void *>(pointer);
}

void rooftile::prepareMemoryPool() {
  if (const CudaDriver *cuda = CudaDriver::current())
    currentPool(*cuda);
}

extern "C" {

ROOFTILE_EXPORT void *rooftileMemAlloc(uint64_t sizeBytes, void *stream, bool isHostShared) {
  const CudaDriver *cuda = sizeBytes ? CudaDriver::current() : nullptr;
  void *pool = cuda && !isHostShared ? currentPool(*cuda) : nullptr;
  if (!pool)
    return cuda ? allocatePlain(*cuda, sizeBytes, isHostShared) : nullptr;
  uint64_t pointer = 0;
  cuda->check(cuda->memAllocFromPoolAsync(&pointer, sizeBytes, pool, stream),
              "cuMemAllocFromPoolAsync", std::to_string(sizeBytes) + " bytes");
  return reinterpret_cast<void *>(pointer);
}

ROOFTILE_EXPORT void rooftileMemFree(void *pointer, void *stream) {
  const CudaDriver *cuda = pointer ? CudaDriver::current() : nullptr;
  if (!cuda)
    return;
  if (takePlain(pointer))
    cuda->check(cuda->memFree(address(pointer)), "cuMemFree");
  else
    cuda->check(cuda->memFreeAsync(address(pointer), stream), "cuMemFreeAsync");
}

void *rooftileGlobal(void **copies, const void *host, int64_t sizeBytes) {
  static std::mutex *mutex = new std::mutex;
  const CudaDriver *cuda = CudaDriver::current();
  std::lock_guard<std::mutex> lock(*mutex);
  void *&copy = copies[defaultCudaDevice()];
  uint64_t pointer = 0;
  if (copy || !cuda || sizeBytes <= 0 ||
      !cuda->check(cuda->memAlloc(&pointer, sizeBytes), "cuMemAlloc",
                   std::to_string(sizeBytes) + " bytes of a constant"))
    return copy;
  if (cuda->check(cuda->memcpy(pointer, reinterpret_cast<uint64_t>(host), sizeBytes), "cuMemcpy",
                  "a constant"))
    copy = reinterpret_cast<void *>(pointer);
  return copy;
}

} // extern "C"
