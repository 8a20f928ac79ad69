//===- Library.h - The functions of libamdhip64 that are used ----*- C++ -*-===//
//
// As of libcuda: opened at run time, so that nothing here needs ROCm to build, to link or to start.
// Source: HIP runtime API reference, 6.0. None of this has met an AMD GPU yet.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_HIP_LIBRARY_H
#define ROOFTILE_LIB_RUNTIME_HIP_LIBRARY_H

#include "../Device/LibraryFunction.h"

namespace rooftile {

/// X(member, exported name, parameter types)
#define ROOFTILE_HIP_FUNCTIONS(X)                                                                  \
  X(init, "hipInit", (unsigned))                                                                   \
  X(runtimeGetVersion, "hipRuntimeGetVersion", (int *))                                            \
  X(deviceGetCount, "hipGetDeviceCount", (int *))                                                  \
  X(getDevice, "hipGetDevice", (int *))                                                            \
  X(setDevice, "hipSetDevice", (int))                                                              \
  X(getDeviceProperties, "hipGetDevicePropertiesR0600", (void *, int))                             \
  X(deviceGetAttribute, "hipDeviceGetAttribute", (int *, int, int))                                \
  X(synchronize, "hipDeviceSynchronize", ())                                                       \
  X(moduleLoadData, "hipModuleLoadData", (void **, const void *))                                  \
  X(moduleUnload, "hipModuleUnload", (void *))                                                     \
  X(moduleGetFunction, "hipModuleGetFunction", (void **, void *, const char *))                    \
  X(moduleLaunchKernel, "hipModuleLaunchKernel",                                                   \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **))                                                                            \
  X(streamCreate, "hipStreamCreateWithFlags", (void **, unsigned))                                 \
  X(streamDestroy, "hipStreamDestroy", (void *))                                                   \
  X(streamSynchronize, "hipStreamSynchronize", (void *))                                           \
  X(streamWaitEvent, "hipStreamWaitEvent", (void *, void *, unsigned))                             \
  X(streamIsCapturing, "hipStreamIsCapturing", (void *, int *))                                    \
  X(eventCreate, "hipEventCreateWithFlags", (void **, unsigned))                                   \
  X(eventDestroy, "hipEventDestroy", (void *))                                                     \
  X(eventRecord, "hipEventRecord", (void *, void *))                                               \
  X(eventSynchronize, "hipEventSynchronize", (void *))                                             \
  X(eventElapsedTime, "hipEventElapsedTime", (float *, void *, void *))                            \
  X(memAlloc, "hipMalloc", (void **, size_t))                                                      \
  X(memFree, "hipFree", (void *))                                                                  \
  X(mallocAsync, "hipMallocAsync", (void **, size_t, void *))                                      \
  X(freeAsync, "hipFreeAsync", (void *, void *))                                                   \
  X(mallocManaged, "hipMallocManaged", (void **, size_t, unsigned))                                \
  X(hostMalloc, "hipHostMalloc", (void **, size_t, unsigned))                                      \
  X(memFreeHost, "hipHostFree", (void *))                                                          \
  X(memHostRegister, "hipHostRegister", (void *, size_t, unsigned))                                \
  X(memHostUnregister, "hipHostUnregister", (void *))                                              \
  X(memcpy, "hipMemcpy", (void *, const void *, size_t, int))                                      \
  X(memcpyAsync, "hipMemcpyAsync", (void *, const void *, size_t, int, void *))                    \
  X(memsetD16Async, "hipMemsetD16Async", (void *, unsigned short, size_t, void *))                 \
  X(memsetD32Async, "hipMemsetD32Async", (void *, int, size_t, void *))

/// The driver's functions, by the names of CudaLibrary where CudaStyleDriver calls them.
struct HipLibrary {
#define X(member, name, parameters) LibraryFunction<int parameters> member{name};
  ROOFTILE_HIP_FUNCTIONS(X)
#undef X
  const char *(*getErrorName)(int) = nullptr;

  /// As CudaLibrary::open. ROOFTILE_HIP names the library's file.
  static const HipLibrary *open(std::string *why = nullptr);
  /// As `open`, with this thread's device current. Null (and a recorded error) when that fails.
  static const HipLibrary *current();
  /// As CudaLibrary::check.
  bool check(int result, const char *call, const std::string &detail = "") const;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_HIP_LIBRARY_H
