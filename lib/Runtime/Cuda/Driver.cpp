//===- Driver.cpp - The functions of libcuda that are used ----------------===//

#include "rooftile/Runtime/Cuda/Driver.h"
#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <utility>

using namespace rooftile;

static std::atomic<int> defaultDevice{0};
/// -1: the default one.
static thread_local int deviceOfThread = -1;

void rooftile::setDefaultCudaDevice(int index) {
  if (index < 0 || index >= kCudaDevices)
    recordError("CUDA device " + std::to_string(index) + " is out of range");
  else
    defaultDevice = index;
}

int rooftile::defaultCudaDevice() {
  return deviceOfThread < 0 ? defaultDevice.load() : deviceOfThread;
}

static std::string errorName(const CudaDriver &cuda, int result) {
  const char *name = nullptr;
  if (cuda.getErrorName && cuda.getErrorName(result, &name) == 0 && name)
    return name;
  return "CUDA error " + std::to_string(result);
}

bool CudaDriver::check(int result, const char *call, const std::string &detail) const {
  if (result == 0)
    return true;
  recordError(std::string(call) + " failed: " + errorName(*this, result) +
              (detail.empty() ? "" : " (" + detail + ")"));
  return false;
}

/// Fills the table; returns what is missing, or an empty string.
static std::string load(CudaDriver &cuda) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "no CUDA driver: libcuda.so.1 cannot be opened";
#define X(member, name, parameters)                                                                \
  cuda.member = reinterpret_cast<int(*) parameters>(dlsym(library, name));                         \
  if (!cuda.member)                                                                                \
    return "the CUDA driver has no function " name;
  ROOFTILE_CUDA_FUNCTIONS(X)
#undef X
#define X(member, name, parameters)                                                                \
  cuda.member = reinterpret_cast<int(*) parameters>(dlsym(library, name));
  ROOFTILE_CUDA_NEWER_FUNCTIONS(X)
#undef X
  if (int result = cuda.init(0))
    return "cuInit failed: " + errorName(cuda, result);
  int count = 0;
  if (int result = cuda.deviceGetCount(&count))
    return "cuDeviceGetCount failed: " + errorName(cuda, result);
  return count > 0 ? "" : "the CUDA driver finds no device";
}

const CudaDriver *CudaDriver::open(std::string *why) {
  static CudaDriver *cuda = new CudaDriver;
  static std::string *missing = new std::string(load(*cuda));
  if (why)
    *why = *missing;
  return missing->empty() ? cuda : nullptr;
}

/// The primary context of `device`, or null with a recorded error.
static void *contextOf(const CudaDriver &cuda, int index) {
  static std::mutex mutex;
  static std::atomic<void *> contexts[kCudaDevices] = {};
  if (void *known = contexts[index])
    return known;
  std::lock_guard<std::mutex> lock(mutex);
  int device = 0;
  void *context = contexts[index];
  if (!context && cuda.check(cuda.deviceGet(&device, index), "cuDeviceGet") &&
      cuda.check(cuda.primaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain"))
    contexts[index] = context;
  return contexts[index];
}

const CudaDriver *CudaDriver::current() { return on(defaultCudaDevice()); }

const CudaDriver *CudaDriver::on(int device) {
  std::string why;
  const CudaDriver *cuda = open(&why);
  if (!cuda) {
    recordError(why);
    return nullptr;
  }
  void *context = contextOf(*cuda, device), *present = nullptr;
  if (!context || !cuda->check(cuda->ctxGetCurrent(&present), "cuCtxGetCurrent"))
    return nullptr;
  if (present != context && !cuda->check(cuda->ctxSetCurrent(context), "cuCtxSetCurrent"))
    return nullptr;
  return cuda;
}

CudaDeviceScope::CudaDeviceScope(int index) : deviceBefore(std::exchange(deviceOfThread, index)) {
  if (const CudaDriver *cuda = CudaDriver::open())
    cuda->ctxGetCurrent(&contextBefore);
}

CudaDeviceScope::~CudaDeviceScope() {
  deviceOfThread = deviceBefore;
  void *present = nullptr;
  const CudaDriver *cuda = CudaDriver::open();
  if (cuda && cuda->ctxGetCurrent(&present) == 0 && present != contextBefore)
    cuda->ctxSetCurrent(contextBefore);
}

std::string rooftile::cudaDeviceName() {
  const CudaDriver *cuda = CudaDriver::open();
  int device = 0;
  char name[256] = {};
  if (!cuda || cuda->deviceGet(&device, defaultCudaDevice()) != 0 ||
      cuda->deviceGetName(name, sizeof(name) - 1, device) != 0)
    return "";
  return name;
}
