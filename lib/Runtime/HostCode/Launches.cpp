//===- Launches.cpp - Modules and launches of compiled host code ----------===//

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/HostCode.h"

#include <map>
#include <mutex>

using namespace rooftile;

namespace {
struct Function {
  void *handle = nullptr;
  std::string name;
};

/// Result of rooftileModuleLoad. Host code asks for a function before every launch: the driver
/// is asked once.
struct Module {
  const Driver &driver;
  void *handle;
  std::mutex mutex; ///< Guards `functions`.
  /// By the address of their name.
  std::map<const char *, Function> functions;
};
} // namespace

static void *loadModule(const void *image, size_t bytes) {
  const Driver &driver = Driver::ofThread();
  void *handle = driver.load(image, bytes);
  return handle ? new Module{driver, handle, {}, {}} : nullptr;
}

void *rooftileModuleLoad(void *image, size_t sizeBytes) { return loadModule(image, sizeBytes); }

void *rooftileModuleLoadJIT(void *image, int32_t) { return loadModule(image, 0); }

void rooftileModuleUnload(void *loaded) {
  auto *module = static_cast<Module *>(loaded);
  if (module)
    module->driver.unload(module->handle);
  delete module;
}

void *rooftileModuleGetFunction(void *loaded, const char *name) {
  auto *module = static_cast<Module *>(loaded);
  if (!module) {
    recordError(std::string("kernel ") + name + ": its module was not loaded");
    return nullptr;
  }
  std::lock_guard<std::mutex> lock(module->mutex);
  Function &function = module->functions[name];
  if (!function.handle) {
    function.handle = module->driver.find(module->handle, name);
    function.name = name;
  }
  return function.handle ? &function : nullptr;
}

void rooftileLaunchClusterKernel(void *found, intptr_t clusterX, intptr_t clusterY,
                                 intptr_t clusterZ, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                 intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                 int32_t sharedBytes, void *stream, void **params, void **,
                                 size_t paramsCount) {
  auto *function = static_cast<const Function *>(found);
  if (!function)
    return recordError("launch of a kernel that was not loaded");
  KernelLaunch launch = {/*kernel=*/0,
                         {gridX, gridY, gridZ},
                         {blockX, blockY, blockZ},
                         {clusterX, clusterY, clusterZ},
                         sharedBytes,
                         params,
                         /*parameterBytes=*/nullptr,
                         paramsCount};
  Driver::ofThread().launch(function->handle, function->name, launch, stream);
}

void rooftileLaunchKernel(void *function, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                          intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t sharedBytes,
                          void *stream, void **params, void **extra, size_t paramsCount) {
  rooftileLaunchClusterKernel(function, 1, 1, 1, gridX, gridY, gridZ, blockX, blockY, blockZ,
                              sharedBytes, stream, params, extra, paramsCount);
}
