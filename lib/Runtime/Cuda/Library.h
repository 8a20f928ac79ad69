//===- Library.h - The functions of libcuda that are used -------*- C++ -*-===//
//
// libcuda is opened at run time, so that nothing here needs CUDA to build, to
// link or to start. Types are those of the driver's stable C ABI.
// Source: CUDA Driver API reference, 13.0.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_LIBRARY_H
#define ROOFTILE_LIB_RUNTIME_CUDA_LIBRARY_H

#include "../Device/LibraryFunction.h"

namespace rooftile {

/// X(member, exported name, parameter types)
#define ROOFTILE_CUDA_FUNCTIONS(X)                                                                 \
  X(init, "cuInit", (unsigned))                                                                    \
  X(driverGetVersion, "cuDriverGetVersion", (int *))                                               \
  X(getErrorName, "cuGetErrorName", (int, const char **))                                          \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                                                   \
  X(deviceGet, "cuDeviceGet", (int *, int))                                                        \
  X(deviceGetName, "cuDeviceGetName", (char *, int, int))                                          \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int))                                 \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, int))                                        \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **, int))                                  \
  X(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int))                                      \
  X(primaryCtxGetState, "cuDevicePrimaryCtxGetState", (int, unsigned *, int *))                    \
  X(ctxGetDevice, "cuCtxGetDevice", (int *))                                                       \
  X(ctxSetCurrent, "cuCtxSetCurrent", (void *))                                                    \
  X(ctxGetCurrent, "cuCtxGetCurrent", (void **))                                                   \
  X(synchronize, "cuCtxSynchronize", ())                                                           \
  X(moduleLoadDataEx, "cuModuleLoadDataEx", (void **, const void *, unsigned, int *, void **))     \
  X(moduleUnload, "cuModuleUnload", (void *))                                                      \
  X(moduleGetFunction, "cuModuleGetFunction", (void **, void *, const char *))                     \
  X(moduleGetGlobal, "cuModuleGetGlobal_v2", (uint64_t *, size_t *, void *, const char *))         \
  X(funcSetAttribute, "cuFuncSetAttribute", (void *, int, int))                                    \
  X(launchKernel, "cuLaunchKernel",                                                                \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **))                                                                            \
  X(launchKernelEx, "cuLaunchKernelEx", (const void *, void *, void **, void **))                  \
  X(streamCreate, "cuStreamCreate", (void **, unsigned))                                           \
  X(streamDestroy, "cuStreamDestroy_v2", (void *))                                                 \
  X(streamSynchronize, "cuStreamSynchronize", (void *))                                            \
  X(streamWaitEvent, "cuStreamWaitEvent", (void *, void *, unsigned))                              \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", (void *, int))                                  \
  X(streamEndCapture, "cuStreamEndCapture", (void *, void **))                                     \
  X(graphInstantiate, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long))        \
  X(graphLaunch, "cuGraphLaunch", (void *, void *))                                                \
  X(graphExecDestroy, "cuGraphExecDestroy", (void *))                                              \
  X(graphDestroy, "cuGraphDestroy", (void *))                                                      \
  X(eventCreate, "cuEventCreate", (void **, unsigned))                                             \
  X(eventDestroy, "cuEventDestroy_v2", (void *))                                                   \
  X(eventSynchronize, "cuEventSynchronize", (void *))                                              \
  X(eventRecord, "cuEventRecord", (void *, void *))                                                \
  X(eventElapsedTime, "cuEventElapsedTime", (float *, void *, void *))                             \
  X(memAlloc, "cuMemAlloc_v2", (void **, size_t))                                                  \
  X(memAllocManaged, "cuMemAllocManaged", (uint64_t *, size_t, unsigned))                          \
  X(memFree, "cuMemFree_v2", (void *))                                                             \
  X(memPoolCreate, "cuMemPoolCreate", (void **, const void *))                                     \
  X(memPoolSetAttribute, "cuMemPoolSetAttribute", (void *, int, void *))                           \
  X(memAllocFromPoolAsync, "cuMemAllocFromPoolAsync", (uint64_t *, size_t, void *, void *))        \
  X(memFreeAsync, "cuMemFreeAsync", (uint64_t, void *))                                            \
  X(memcpy, "cuMemcpy", (void *, const void *, size_t))                                            \
  X(memcpyAsync, "cuMemcpyAsync", (void *, const void *, size_t, void *))                          \
  X(memsetD16Async, "cuMemsetD16Async", (void *, unsigned short, size_t, void *))                  \
  X(memsetD32Async, "cuMemsetD32Async", (void *, unsigned, size_t, void *))                        \
  X(memAllocHost, "cuMemAllocHost_v2", (void **, size_t))                                          \
  X(memFreeHost, "cuMemFreeHost", (void *))                                                        \
  X(memHostRegister, "cuMemHostRegister_v2", (void *, size_t, unsigned))                           \
  X(memHostUnregister, "cuMemHostUnregister", (void *))

/// Functions that a driver may lack, most of them new, in the same form.
#define ROOFTILE_CUDA_NEWER_FUNCTIONS(X)                                                           \
  X(deviceGetPciBusId, "cuDeviceGetPCIBusId", (char *, int, int))                                  \
  X(tensorMapEncodeTiled, "cuTensorMapEncodeTiled",                                                \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *, const unsigned *,          \
     const unsigned *, int, int, int, int))                                                        \
  X(streamIsCapturing, "cuStreamIsCapturing", (void *, int *))                                     \
  X(threadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *))                 \
  X(graphCreate, "cuGraphCreate", (void **, unsigned))                                             \
  X(graphAddKernelNode, "cuGraphAddKernelNode_v2",                                                 \
    (void **, void *, void *const *, size_t, const void *))                                        \
  X(graphKernelNodeSetAttribute, "cuGraphKernelNodeSetAttribute", (void *, int, const void *))     \
  X(graphAddDependencies, "cuGraphAddDependencies_v2",                                             \
    (void *, void *const *, void *const *, const void *, size_t))                                  \
  X(graphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams_v2",                             \
    (void *, void *, const void *))

/// The driver's functions. Addresses of its memory (CUdeviceptr) are pointers here.
struct CudaLibrary {
#define X(member, name, parameters) LibraryFunction<int parameters> member{name};
  ROOFTILE_CUDA_FUNCTIONS(X)
  // Null in older drivers: those before 12.0 encode no tensor maps, and those before 12.3 have no
  // kinds of dependencies in graphs.
  ROOFTILE_CUDA_NEWER_FUNCTIONS(X)
#undef X

  /// The opened and initialised driver, or null when there is none or no device. `why`, when given,
  /// receives the reason; nothing is recorded.
  static const CudaLibrary *open(std::string *why = nullptr);

  /// As `open`, with the context of this thread's device current. Null (and a recorded error) when
  /// that fails.
  static const CudaLibrary *current();

  /// Records "`call` failed on CUDA device 1: CUDA_ERROR_..." (followed by `detail`) unless
  /// `result` is 0. True when it is 0.
  bool check(int result, const char *call, const std::string &detail = "") const;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_LIBRARY_H
