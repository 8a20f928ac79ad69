//===- Library.cpp - The functions of libcuda that are used ---------------===//

#include "Library.h"

#include <atomic>
#include <dlfcn.h>
#include <mutex>

using namespace rooftile;

static std::string errorName(const CudaLibrary &cuda, int result) {
  const char *name = nullptr;
  if (cuda.getErrorName && cuda.getErrorName(result, &name) == 0 && name)
    return name;
  return "CUDA error " + std::to_string(result);
}

bool CudaLibrary::check(int result, const char *call, const std::string &detail) const {
  if (result == 0)
    return true;
  recordFailure(cudaDriver(), call, errorName(*this, result), detail);
  return false;
}

/// Fills the table; returns what is missing, or an empty string.
static std::string load(CudaLibrary &cuda) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "no CUDA driver: libcuda.so.1 cannot be opened";
#define X(member, name, parameters)                                                                \
  cuda.member.address = reinterpret_cast<int(*) parameters>(dlsym(library, name));                 \
  if (!cuda.member)                                                                                \
    return "the CUDA driver has no function " name;
  ROOFTILE_CUDA_FUNCTIONS(X)
#undef X
#define X(member, name, parameters)                                                                \
  cuda.member.address = reinterpret_cast<int(*) parameters>(dlsym(library, name));
  ROOFTILE_CUDA_NEWER_FUNCTIONS(X)
#undef X
  if (int result = cuda.init(0))
    return "cuInit failed: " + errorName(cuda, result);
  int count = 0;
  if (int result = cuda.deviceGetCount(&count))
    return "cuDeviceGetCount failed: " + errorName(cuda, result);
  return count > 0 ? "" : "the CUDA driver finds no device";
}

const CudaLibrary *CudaLibrary::open(std::string *why) {
  static CudaLibrary *cuda = new CudaLibrary;
  static std::string *missing = new std::string(load(*cuda));
  if (why)
    *why = *missing;
  return missing->empty() ? cuda : nullptr;
}

/// The primary context of a device, or null with a recorded error. It is made when it is first
/// used, which is slow: one device does not wait for another.
static void *contextOf(const CudaLibrary &cuda, int index) {
  static std::mutex mutexes[kMostDevices];
  static std::atomic<void *> contexts[kMostDevices] = {};
  if (void *known = contexts[index])
    return known;
  std::lock_guard<std::mutex> lock(mutexes[index]);
  if (void *known = contexts[index])
    return known;
  if (std::string why = cudaDriver().whyMissing(index); !why.empty())
    return recordError(why), nullptr;
  int device = 0;
  void *context = nullptr;
  if (cuda.check(cuda.deviceGet(&device, index), "cuDeviceGet") &&
      cuda.check(cuda.primaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain"))
    contexts[index] = context;
  return contexts[index];
}

const CudaLibrary *CudaLibrary::current() {
  std::string why;
  const CudaLibrary *cuda = open(&why);
  if (!cuda) {
    recordError(why);
    return nullptr;
  }
  void *context = contextOf(*cuda, cudaDriver().device()), *present = nullptr;
  if (!context || !cuda->check(cuda->ctxGetCurrent(&present), "cuCtxGetCurrent"))
    return nullptr;
  if (present != context && !cuda->check(cuda->ctxSetCurrent(context), "cuCtxSetCurrent"))
    return nullptr;
  return cuda;
}
