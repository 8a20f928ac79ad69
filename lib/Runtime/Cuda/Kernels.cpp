//===- Kernels.cpp - Modules and kernels on CUDA --------------------------===//

#include "Kernels.h"
#include <map>

using namespace rooftile;

/// dependent-launch puts an array of this name into modules whose kernels wait for the one before.
static constexpr char kDependentName[] = "rooftile_dependent";

namespace {
/// Result of Driver::load.
struct Module {
  void *handle = nullptr;
  bool beginsEarly = false; ///< Its kernels do.
  std::mutex mutex;         ///< Guards `kernels`.
  std::map<std::string, Kernel> kernels;
};
} // namespace

bool Kernel::allowShared(const CudaLibrary &cuda, int64_t bytes, const std::string &name) {
  constexpr int kMaxDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  if (bytes <= sharedBytes)
    return true;
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes <= sharedBytes)
    return true;
  if (!cuda.check(cuda.funcSetAttribute(function, kMaxDynamicShared, bytes), "cuFuncSetAttribute",
                  "kernel " + name + ", " + std::to_string(bytes) + " bytes of shared memory"))
    return false;
  sharedBytes = bytes;
  return true;
}

/// PTX (compiled by the driver) or a cubin; errors carry the driver's log.
void *rooftile::loadModule(const void *image) {
  if (isAmdImage(image)) {
    recordError("the kernels are a code object for an AMD GPU, and this thread's device is " +
                describe({DeviceKind::Cuda, cudaDriver().device()}));
    return nullptr;
  }
  // CUjit_option: CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6.
  int options[] = {5, 6};
  char log[4096] = {};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  const CudaLibrary *cuda = CudaLibrary::current();
  void *handle = nullptr;
  if (!cuda || !cuda->check(cuda->moduleLoadDataEx(&handle, image, 2, options, values),
                            "cuModuleLoadDataEx", log))
    return nullptr;
  auto *module = new Module;
  uint64_t address;
  size_t bytes;
  module->handle = handle;
  module->beginsEarly = cuda->moduleGetGlobal(&address, &bytes, handle, kDependentName) == 0;
  return module;
}

void rooftile::unloadModule(void *loaded) {
  auto *module = static_cast<Module *>(loaded);
  const CudaLibrary *cuda = module ? CudaLibrary::current() : nullptr;
  if (cuda)
    cuda->moduleUnload(module->handle); // at exit the driver may be gone already: not an error
  delete module;
}

void *rooftile::findKernel(void *loaded, const std::string &name) {
  auto *module = static_cast<Module *>(loaded);
  const CudaLibrary *cuda = CudaLibrary::current();
  void *function = nullptr;
  if (!cuda || !cuda->check(cuda->moduleGetFunction(&function, module->handle, name.c_str()),
                            "cuModuleGetFunction", name))
    return nullptr;
  std::lock_guard<std::mutex> lock(module->mutex);
  Kernel &kernel = module->kernels[name];
  kernel.function = function;
  kernel.beginsEarly = module->beginsEarly;
  return &kernel;
}
