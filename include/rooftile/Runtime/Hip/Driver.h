//===- Driver.h - The functions of libamdhip64 that are used ----*- C++ -*-===//
//
// As of libcuda: opened at run time, so that nothing here needs ROCm to build, to link or to start.
// Source: HIP runtime API reference, 6.0. None of this has met an AMD GPU yet.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_HIP_DRIVER_H
#define ROOFTILE_RUNTIME_HIP_DRIVER_H

#include "rooftile/Runtime/Runtime.h"

namespace rooftile {

/// X(member, exported name, parameter types)
#define ROOFTILE_HIP_FUNCTIONS(X)                                                                  \
  X(init, "hipInit", (unsigned))                                                                   \
  X(getDeviceCount, "hipGetDeviceCount", (int *))                                                  \
  X(getDevice, "hipGetDevice", (int *))                                                            \
  X(setDevice, "hipSetDevice", (int))                                                              \
  X(getDeviceProperties, "hipGetDevicePropertiesR0600", (void *, int))                             \
  X(deviceGetAttribute, "hipDeviceGetAttribute", (int *, int, int))                                \
  X(moduleLoadData, "hipModuleLoadData", (void **, const void *))                                  \
  X(moduleUnload, "hipModuleUnload", (void *))                                                     \
  X(moduleGetFunction, "hipModuleGetFunction", (void **, void *, const char *))                    \
  X(moduleLaunchKernel, "hipModuleLaunchKernel",                                                   \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **))                                                                            \
  X(malloc, "hipMalloc", (void **, size_t))                                                        \
  X(free, "hipFree", (void *))                                                                     \
  X(mallocAsync, "hipMallocAsync", (void **, size_t, void *))                                      \
  X(freeAsync, "hipFreeAsync", (void *, void *))                                                   \
  X(memcpyAsync, "hipMemcpyAsync", (void *, const void *, size_t, int, void *))                    \
  X(streamSynchronize, "hipStreamSynchronize", (void *))

/// The driver's functions; all return 0 or an error number.
struct HipDriver {
#define X(member, name, parameters) int(*member) parameters = nullptr;
  ROOFTILE_HIP_FUNCTIONS(X)
#undef X
  const char *(*getErrorName)(int) = nullptr;
  bool hasPools = false; ///< Memory is allocated and freed in the order of a stream.

  /// As CudaDriver::open.
  static const HipDriver *open(std::string *why = nullptr);
  /// As `open`, with kHipDevice current on this thread. Null (and a recorded error) when that
  /// fails.
  static const HipDriver *current();
  /// As CudaDriver::check.
  bool check(int result, const char *call, const std::string &detail = "") const;
};

/// The device of all calls: HIP_VISIBLE_DEVICES chooses another one.
constexpr int kHipDevice = 0;

/// What the driver says of a device.
struct HipDeviceFacts {
  std::string name;         ///< "AMD Instinct MI300X"; empty where the system has no names.
  std::string architecture; ///< "gfx942", without what is on or off ("gfx942:sramecc+:xnack-").
};

/// False, with a recorded error, where the driver does not say.
bool askHipDevice(HipDeviceFacts &facts);

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_HIP_DRIVER_H
