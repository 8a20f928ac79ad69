//===- Kernels.h - What is known of loaded kernels --------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H
#define ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H

#include "rooftile/Runtime/Cuda/Driver.h"

namespace rooftile {

struct Kernel {
  std::string name = "an unnamed kernel";
  int64_t sharedBytes = 48 * 1024; ///< that a launch may ask for; this much needs no leave
  bool beginsEarly = false;        ///< before the kernel in front of it has ended
};

/// What is known of a loaded kernel.
Kernel kernelOf(void *function);

/// Lets the kernel have `sharedBytes`; asked once, since the leave stays. False, with the error
/// recorded, where the driver refuses.
bool allowShared(const CudaDriver &cuda, void *function, const Kernel &kernel, int64_t sharedBytes);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H
