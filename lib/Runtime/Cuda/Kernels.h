//===- Kernels.h - Modules and kernels on CUDA ------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H
#define ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H

#include "Library.h"
#include <atomic>
#include <mutex>

namespace rooftile {

/// Result of Driver::find, which lives until its module is unloaded: a launch asks the driver
/// for nothing but the launch.
struct Kernel {
  void *function = nullptr;
  bool beginsEarly = false; ///< Before the kernel ahead of it has ended.

  /// Lets the kernel have `bytes` of shared memory; asked once, since the leave stays. False, with
  /// the error recorded, where the driver refuses; `name` is for messages.
  bool allowShared(const CudaLibrary &cuda, int64_t bytes, const std::string &name);

private:
  std::mutex mutex; ///< A smaller value would revoke that.
  /// That a launch may ask for; this much needs no leave.
  std::atomic<int64_t> sharedBytes{48 * 1024};
};

/// As the functions of Driver.
void *loadModule(const void *image);
void unloadModule(void *module);
void *findKernel(void *module, const std::string &name);
void launchKernel(Kernel &kernel, const std::string &name, const KernelLaunch &launch,
                  void *stream);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_KERNELS_H
