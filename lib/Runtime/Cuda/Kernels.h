//===- Kernels.h - What is known of loaded kernels --------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H
#define ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H

#include "rooftile/Runtime/Cuda/Driver.h"
#include <atomic>

namespace rooftile {

struct Kernel {
  std::string name = "an unnamed kernel";
  bool beginsEarly = false; ///< before the kernel in front of it has ended
  /// That a launch may ask for; this much needs no leave.
  std::atomic<int64_t> sharedBytes{48 * 1024};
};

/// What is known of a loaded kernel, until its module is unloaded.
Kernel &kernelOf(void *function);

/// Lets the kernel have `sharedBytes`; asked once, since the leave stays. False, with the error
/// recorded, where the driver refuses.
bool allowShared(const CudaDriver &cuda, void *function, Kernel &kernel, int64_t sharedBytes);

/// Makes the pool that memory comes from, where this thread's device has pools.
void prepareMemoryPool();

/// Unloads a module of `device`, which need not be the default device.
void unloadModule(void *module, int device);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H
