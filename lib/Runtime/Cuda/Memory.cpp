//===- Memory.cpp - Device memory in the order of a stream ----------------===//
//
// Intermediates come from a pool of their own that keeps what it has got: after
// the first call an allocation is a step in the stream, without the operating
// system and without waiting, and a graph can hold it. Devices without pools use
// plain allocations.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include <mutex>
#include <set>

using namespace rooftile;

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

/// The pool of a device, once it was asked for; null where the device has none.
struct Pool {
  std::mutex mutex;
  bool isAsked = false;
  void *pool = nullptr;
};

/// Memory from elsewhere, which is freed the plain way.
struct Plain {
  std::mutex mutex;
  std::set<void *> addresses;
};
} // namespace

// Never destroyed: programs free memory after main.
static Pool &poolOf(int device) {
  static Pool *pools = new Pool[kMostDevices];
  return pools[device];
}

static Plain &plain() {
  static Plain *instance = new Plain;
  return *instance;
}

/// A pool that gives nothing back to the operating system, or null where there are none.
static void *createPool(const CudaLibrary &cuda, int index) {
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

static void *currentPool(const CudaLibrary &cuda) {
  int index = cudaDriver().device();
  Pool &pool = poolOf(index);
  std::lock_guard<std::mutex> lock(pool.mutex);
  if (!pool.isAsked)
    pool.pool = createPool(cuda, index);
  pool.isAsked = true;
  return pool.pool;
}

/// True (once) for a pointer that did not come from a pool.
static bool takePlain(void *pointer) {
  std::lock_guard<std::mutex> lock(plain().mutex);
  return plain().addresses.erase(pointer) != 0;
}

static void *keepPlain(void *pointer) {
  std::lock_guard<std::mutex> lock(plain().mutex);
  if (pointer)
    plain().addresses.insert(pointer);
  return pointer;
}

void rooftile::preparePool() {
  if (const CudaLibrary *cuda = CudaLibrary::current())
    currentPool(*cuda);
}

void *rooftile::allocateManaged(uint64_t bytes) {
  constexpr unsigned kAttachGlobal = 1;
  const CudaLibrary *cuda = bytes ? CudaLibrary::current() : nullptr;
  uint64_t address = 0;
  if (cuda)
    cuda->check(cuda->memAllocManaged(&address, bytes, kAttachGlobal), "cuMemAllocManaged",
                std::to_string(bytes) + " bytes");
  return keepPlain(reinterpret_cast<void *>(address));
}

void *rooftile::allocateFromPool(uint64_t bytes, void *stream) {
  const CudaLibrary *cuda = bytes ? CudaLibrary::current() : nullptr;
  void *pool = cuda ? currentPool(*cuda) : nullptr;
  if (!cuda)
    return nullptr;
  if (!pool)
    return keepPlain(cudaDriver().allocate(bytes));
  uint64_t address = 0;
  cuda->check(cuda->memAllocFromPoolAsync(&address, bytes, pool, stream), "cuMemAllocFromPoolAsync",
              std::to_string(bytes) + " bytes");
  return reinterpret_cast<void *>(address);
}

void rooftile::freeToPool(void *memory, void *stream) {
  const CudaLibrary *cuda = memory ? CudaLibrary::current() : nullptr;
  if (!cuda)
    return;
  if (takePlain(memory))
    cudaDriver().free(memory);
  else
    cuda->check(cuda->memFreeAsync(reinterpret_cast<uint64_t>(memory), stream), "cuMemFreeAsync");
}
