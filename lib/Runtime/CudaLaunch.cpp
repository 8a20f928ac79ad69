//===- CudaLaunch.cpp - Modules, kernels and launches on CUDA -------------===//

#include "rooftile/Runtime/CudaDriver.h"

#include <cstring>
#include <map>
#include <mutex>

using namespace rooftile;

namespace {
/// What is known of a loaded kernel.
struct Kernel {
  std::string name;
  int64_t sharedBytes = 48 * 1024; ///< that a launch may ask for; this much needs no leave
};

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

static std::string nameOf(void *function) {
  std::lock_guard<std::mutex> lock(kernels().mutex);
  auto found = kernels().kernels.find(function);
  return found == kernels().kernels.end() ? "an unnamed kernel" : "kernel " + found->second.name;
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

/// Lets the kernel have `sharedBytes`; asked once, since the leave stays.
static bool allowShared(const CudaDriver &cuda, void *function, int64_t sharedBytes) {
  constexpr int kMaxDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  std::string name;
  {
    std::lock_guard<std::mutex> lock(kernels().mutex);
    Kernel &kernel = kernels().kernels[function];
    if (sharedBytes <= kernel.sharedBytes)
      return true;
    name = kernel.name;
  }
  if (!cuda.check(
          cuda.funcSetAttribute(function, kMaxDynamicShared, sharedBytes), "cuFuncSetAttribute",
          "kernel " + name + ", " + std::to_string(sharedBytes) + " bytes of shared memory"))
    return false;
  std::lock_guard<std::mutex> lock(kernels().mutex);
  kernels().kernels[function].sharedBytes = sharedBytes;
  return true;
}

/// True for an AMD code object: an ELF file for EM_AMDGPU.
static bool isAmdObject(const void *image) {
  constexpr size_t kMachine = 18; // e_machine, little endian
  auto bytes = static_cast<const unsigned char *>(image);
  return std::memcmp(bytes, "\177ELF", 4) == 0 && bytes[kMachine] == 224 &&
         bytes[kMachine + 1] == 0;
}

/// Loads PTX (compiled by the driver) or a cubin; errors carry the driver's log.
static void *loadModule(const void *image) {
  if (isAmdObject(image)) {
    recordError("the kernels are a code object for an AMD GPU, and this runtime has no HIP driver: "
                "link libmlir_rocm_runtime of MLIR, whose functions have the same names");
    return nullptr;
  }
  // CUjit_option: CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6.
  int options[] = {5, 6};
  char log[4096] = {};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  const CudaDriver *cuda = CudaDriver::current();
  void *module = nullptr;
  if (cuda)
    cuda->check(cuda->moduleLoadDataEx(&module, image, 2, options, values), "cuModuleLoadDataEx",
                log);
  return module;
}

/// "(3, 1, 1)"
static std::string triple(const int64_t *sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ", " +
         std::to_string(sizes[2]) + ")";
}

/// Grid and block within what every CUDA device takes (CUDA programming guide, table of technical
/// specifications): grid 2^31 - 1, 65535, 65535; 1024 threads a block.
static bool checkSizes(void *function, const int64_t *grid, const int64_t *block) {
  bool gridFits = grid[0] <= INT32_MAX && grid[1] <= 65535 && grid[2] <= 65535;
  for (int dim = 0; dim < 3; ++dim)
    gridFits &= grid[dim] >= 0;
  if (!gridFits)
    recordError(nameOf(function) + ": grid " + triple(grid) +
                " exceeds (2147483647, 65535, 65535)");
  bool blockFits = block[0] > 0 && block[1] > 0 && block[2] > 0 && block[0] <= 1024 &&
                   block[1] <= 1024 && block[2] <= 64 && block[0] * block[1] * block[2] <= 1024;
  if (!blockFits)
    recordError(nameOf(function) + ": block " + triple(block) + " is not within 1 .. 1024 threads");
  return gridFits && blockFits;
}

/// A timing event recorded in `stream`, or null.
static void *mark(const CudaDriver &cuda, void *stream) {
  void *event = nullptr;
  if (cuda.check(cuda.eventCreate(&event, 0), "cuEventCreate"))
    cuda.check(cuda.eventRecord(event, stream), "cuEventRecord");
  return event;
}

namespace {
/// A launch as the driver takes it.
struct Launch {
  void *function;
  int64_t grid[3], block[3], cluster[3];
  int32_t sharedBytes;
  void *stream, **params, **extra;

  std::string describe() const {
    return nameOf(function) + ", grid " + triple(grid) + ", block " + triple(block) + ", " +
           std::to_string(sharedBytes) + " bytes of shared memory";
  }
};
} // namespace

/// In clusters: CUlaunchConfig with one CUlaunchAttribute, as laid out in the driver API.
static int launchClusters(const CudaDriver &cuda, const Launch &launch) {
  constexpr int kClusterDimension = 4; // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
  struct {
    int id, pad;
    unsigned value[16];
  } attribute = {kClusterDimension, 0, {}};
  struct {
    unsigned grid[3], block[3], sharedBytes;
    void *stream, *attributes;
    unsigned count;
  } config = {{}, {}, unsigned(launch.sharedBytes), launch.stream, &attribute, 1};
  for (int dim = 0; dim < 3; ++dim) {
    config.grid[dim] = launch.grid[dim];
    config.block[dim] = launch.block[dim];
    attribute.value[dim] = launch.cluster[dim];
  }
  return cuda.launchKernelEx(&config, launch.function, launch.params, launch.extra);
}

static int launchAlone(const CudaDriver &cuda, const Launch &l) {
  return cuda.launchKernel(l.function, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],
                           l.block[2], l.sharedBytes, l.stream, l.params, l.extra);
}

static void launch(const Launch &launch) {
  const CudaDriver *cuda = launch.function ? CudaDriver::current() : nullptr;
  if (!cuda)
    return recordError("launch of a kernel that was not loaded");
  if (!checkSizes(launch.function, launch.grid, launch.block) ||
      !allowShared(*cuda, launch.function, launch.sharedBytes))
    return;
  bool empty = launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0;
  bool alone = launch.cluster[0] * launch.cluster[1] * launch.cluster[2] == 1;
  LaunchTime time;
  bool timed = isProfiling();
  if (timed && !empty)
    time.begin = mark(*cuda, launch.stream);
  int result = empty ? 0 : alone ? launchAlone(*cuda, launch) : launchClusters(*cuda, launch);
  if (result)
    cuda->check(result, alone ? "cuLaunchKernel" : "cuLaunchKernelEx",
                launch.describe() + (alone ? "" : ", cluster " + triple(launch.cluster)));
  if (time.begin)
    time.end = mark(*cuda, launch.stream);
  if (timed)
    recordLaunch(time);
}

extern "C" {

ROOFTILE_EXPORT void *mgpuModuleLoad(void *image, size_t sizeBytes) { return loadModule(image); }

ROOFTILE_EXPORT void *mgpuModuleLoadJIT(void *image, int32_t optLevel) { return loadModule(image); }

ROOFTILE_EXPORT void mgpuModuleUnload(void *module) {
  const CudaDriver *cuda = module ? CudaDriver::current() : nullptr;
  forget(module);
  if (cuda)
    cuda->moduleUnload(module); // at exit the driver may be gone already: not an error
}

ROOFTILE_EXPORT void *mgpuModuleGetFunction(void *module, const char *name) {
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
  std::lock_guard<std::mutex> lock(kernels().mutex);
  kernels().functions[{module, name}] = function;
  kernels().kernels[function].name = name;
  return function;
}

ROOFTILE_EXPORT void mgpuLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                                             intptr_t clusterZ, intptr_t gridX, intptr_t gridY,
                                             intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                                             intptr_t blockZ, int32_t sharedBytes, void *stream,
                                             void **params, void **extra, size_t paramsCount) {
  launch({function,
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          {clusterX, clusterY, clusterZ},
          sharedBytes,
          stream,
          params,
          extra});
}

ROOFTILE_EXPORT void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                                      void **params, void **extra, size_t paramsCount) {
  mgpuLaunchClusterKernel(function, 1, 1, 1, gridX, gridY, gridZ, blockX, blockY, blockZ,
                          sharedBytes, stream, params, extra, paramsCount);
}

} // extern "C"
