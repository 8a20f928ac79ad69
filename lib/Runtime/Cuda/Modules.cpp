//===- Modules.cpp - Modules and kernels on CUDA --------------------------===//

#include "Kernels.h"
#include "rooftile/Runtime/Executable/GpuDriver.h"
#include <map>
#include <mutex>

using namespace rooftile;

/// dependent-launch puts an array of this name into modules whose kernels wait for the one before.
static constexpr char kDependentName[] = "rooftile_dependent";

namespace {
/// Kernels found so far, so that a launch asks the driver for nothing but the launch.
struct Kernels {
  std::mutex mutex;
  std::map<void *, Kernel> kernels;
  std::map<std::pair<void *, const char *>, void *> functions; ///< by module and name
};
} // namespace

static Kernels &kernels() {
  static Kernels *instance = new Kernels;
  return *instance;
}

Kernel &rooftile::kernelOf(void *function) {
  static Kernel *unnamed = new Kernel;
  std::lock_guard<std::mutex> lock(kernels().mutex);
  auto found = kernels().kernels.find(function);
  return found == kernels().kernels.end() ? *unnamed : found->second;
}

/// Kernels of a module that goes: their addresses may come again.
static void forget(void *module) {
  std::lock_guard<std::mutex> lock(kernels().mutex);
  auto &functions = kernels().functions;
  for (auto entry = functions.begin(); entry != functions.end();) {
    bool ofModule = entry->first.first == module;
    if (ofModule)
      kernels().kernels.erase(entry->second);
    entry = ofModule ? functions.erase(entry) : std::next(entry);
  }
}

bool rooftile::allowShared(const CudaDriver &cuda, void *function, Kernel &kernel,
                           int64_t sharedBytes) {
  constexpr int kMaxDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  if (sharedBytes <= kernel.sharedBytes)
    return true;
  std::lock_guard<std::mutex> lock(kernels().mutex); // a smaller number would take the leave back
  if (sharedBytes <= kernel.sharedBytes)
    return true;
  if (!cuda.check(cuda.funcSetAttribute(function, kMaxDynamicShared, sharedBytes),
                  "cuFuncSetAttribute",
                  kernel.name + ", " + std::to_string(sharedBytes) + " bytes of shared memory"))
    return false;
  kernel.sharedBytes = sharedBytes;
  return true;
}

/// Loads PTX (compiled by the driver) or a cubin; errors carry the driver's log.
static void *loadModule(const void *image) {
  if (isAmdImage(image)) {
    recordError(
        "the kernels are a code object for an AMD GPU, and functions of this name are those "
        "for CUDA: link libmlir_rocm_runtime of MLIR, whose functions have the same names");
    return nullptr;
  }
  // CUjit_option: CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6.
  int options[] = {5, 6};
  char log[4096] = {};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  const CudaDriver *cuda = CudaDriver::current();
  void *module = nullptr;
  bool isLoaded = cuda && cuda->check(cuda->moduleLoadDataEx(&module, image, 2, options, values),
                                      "cuModuleLoadDataEx", log);
  return isLoaded ? module : nullptr;
}

void rooftile::unloadModule(void *module, int device) {
  const CudaDriver *cuda = CudaDriver::on(device);
  forget(module);
  if (cuda)
    cuda->moduleUnload(module); // at exit the driver may be gone already: not an error
  if (device != defaultCudaDevice())
    CudaDriver::current();
}

extern "C" {

ROOFTILE_EXPORT void *rooftileModuleLoad(void *image, size_t sizeBytes) {
  return loadModule(image);
}

ROOFTILE_EXPORT void *rooftileModuleLoadJIT(void *image, int32_t optLevel) {
  return loadModule(image);
}

ROOFTILE_EXPORT void rooftileModuleUnload(void *module) {
  const CudaDriver *cuda = module ? CudaDriver::current() : nullptr;
  forget(module);
  if (cuda)
    cuda->moduleUnload(module); // at exit the driver may be gone already: not an error
}

ROOFTILE_EXPORT void *rooftileModuleGetFunction(void *module, const char *name) {
  if (!module) {
    recordError(std::string("kernel ") + name + ": its module was not loaded");
    return nullptr;
  }
  {
    std::lock_guard<std::mutex> lock(kernels().mutex);
    auto found = kernels().functions.find({module, name});
    if (found != kernels().functions.end())
      return found->second;
  }
  const CudaDriver *cuda = CudaDriver::current();
  void *function = nullptr;
  if (!cuda ||
      !cuda->check(cuda->moduleGetFunction(&function, module, name), "cuModuleGetFunction", name))
    return nullptr;
  uint64_t address;
  size_t bytes;
  bool early = cuda->moduleGetGlobal(&address, &bytes, module, kDependentName) == 0;
  std::lock_guard<std::mutex> lock(kernels().mutex);
  kernels().functions[{module, name}] = function;
  auto [kernel, isNew] = kernels().kernels.try_emplace(function);
  if (isNew) { // else another thread may launch it
    kernel->second.name = std::string("kernel ") + name;
    kernel->second.beginsEarly = early;
  }
  return function;
}

} // extern "C"
