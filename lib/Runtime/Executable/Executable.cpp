//===- Executable.cpp - Kernels, and what launches them -------------------===//

#include "rooftile/Runtime/Executable/Executable.h"
#include "../Cuda/Kernels.h"
#include "Interpreter.h"
#include "rooftile/Runtime/Cpu/Cpu.h"

#include <cstdlib>
#include <mutex>

using namespace rooftile;

extern "C" {
void *mgpuModuleLoad(void *image, size_t sizeBytes);
void *mgpuModuleGetFunction(void *module, const char *name);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                             intptr_t clusterZ, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t sharedBytes,
                             void *stream, void **params, void **extra, size_t paramsCount);
void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, bool isHostShared);
void mgpuMemFree(void *pointer, void *stream);
}

static constexpr std::string_view kCpu = "cpu";

namespace {

/// Kernels of images that the driver loads, for each device when it first needs them.
class CudaKernels : public Device {
public:
  explicit CudaKernels(const ExecutableData &data)
      : data(data), modules(data.images.size() * kCudaDevices),
        functions(data.kernels.size() * kCudaDevices) {}
  ~CudaKernels() override {
    for (size_t i = 0; i < modules.size(); ++i)
      if (modules[i])
        unloadModule(modules[i], i % kCudaDevices);
  }

  void launch(const KernelLaunch &launch) override;
  void prepare() override {
    for (uint32_t kernel = 0; kernel < data.kernels.size(); ++kernel)
      functionOf(kernel);
  }
  void *allocate(uint64_t bytes) override {
    return mgpuMemAlloc(bytes, rooftileGetStream(), /*isHostShared=*/false);
  }
  void free(void *memory) override { mgpuMemFree(memory, rooftileGetStream()); }
  void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                      int64_t lines, int64_t lineBytes, int64_t boxLength,
                      int64_t boxLines) override {
    rooftileTensorMap(descriptor, address, numberBytes, length, lines, lineBytes, boxLength,
                      boxLines);
  }

private:
  void *functionOf(uint32_t kernel);
  void *load(uint32_t kernel, int device);

  const ExecutableData &data;
  std::mutex mutex;
  std::vector<void *> modules;                ///< by image and device
  std::vector<std::atomic<void *>> functions; ///< by kernel and device
};

/// Functions of this process.
class HostKernels : public Device {
public:
  HostKernels(const ExecutableData &data, std::vector<HostKernel> kernels,
              std::shared_ptr<void> keep)
      : data(data), keep(std::move(keep)), kernels(std::move(kernels)) {}

  void launch(const KernelLaunch &launch) override;
  void *allocate(uint64_t bytes) override;
  void free(void *memory) override { std::free(memory); }
  void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                      int64_t lines, int64_t lineBytes, int64_t boxLength,
                      int64_t boxLines) override {
    rooftileCpuTensorMap(descriptor, address, numberBytes, length, lines, lineBytes, boxLength,
                         boxLines);
  }

private:
  const ExecutableData &data;
  std::shared_ptr<void> keep;
  std::vector<HostKernel> kernels;
};

} // namespace

//===----------------------------------------------------------------------===//
// CUDA
//===----------------------------------------------------------------------===//

/// Null, with a recorded error, where the driver refuses.
void *CudaKernels::load(uint32_t kernel, int device) {
  std::lock_guard<std::mutex> lock(mutex);
  std::atomic<void *> &function = functions[size_t(kernel) * kCudaDevices + device];
  if (function)
    return function;
  const KernelEntry &entry = data.kernels[kernel];
  const std::string &image = data.images[entry.image].bytes;
  void *&module = modules[size_t(entry.image) * kCudaDevices + device];
  if (!module)
    module = mgpuModuleLoad(const_cast<char *>(image.c_str()), image.size());
  if (module)
    function = mgpuModuleGetFunction(module, entry.name.c_str());
  return function;
}

void *CudaKernels::functionOf(uint32_t kernel) {
  int device = defaultCudaDevice();
  void *known = functions[size_t(kernel) * kCudaDevices + device].load(std::memory_order_acquire);
  return known ? known : load(kernel, device);
}

/// Sizes that the driver takes in 32 bits; grid and block are checked by the launch.
static bool areInRange(const std::string &name, const KernelLaunch &launch) {
  constexpr int64_t kMostClusterBlocks = 1024;
  bool fit = launch.sharedBytes >= 0 && launch.sharedBytes <= INT32_MAX;
  for (int64_t size : launch.cluster)
    fit &= size >= 1 && size <= kMostClusterBlocks;
  if (!fit)
    recordError("kernel " + name + ": a cluster of " + std::to_string(launch.cluster[0]) + " x " +
                std::to_string(launch.cluster[1]) + " x " + std::to_string(launch.cluster[2]) +
                " blocks or shared memory of " + std::to_string(launch.sharedBytes) +
                " bytes is out of range");
  return fit;
}

void CudaKernels::launch(const KernelLaunch &launch) {
  if (!areInRange(data.kernels[launch.kernel].name, launch))
    return;
  void *function = functionOf(launch.kernel);
  if (!function)
    return;
  const int64_t *grid = launch.grid, *block = launch.block, *cluster = launch.cluster;
  mgpuLaunchClusterKernel(function, cluster[0], cluster[1], cluster[2], grid[0], grid[1], grid[2],
                          block[0], block[1], block[2], launch.sharedBytes, rooftileGetStream(),
                          launch.parameters, nullptr, launch.parameterCount);
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

void HostKernels::launch(const KernelLaunch &launch) {
  for (const int64_t *sizes : {launch.grid, launch.block, launch.cluster})
    if (sizes[1] != 1 || sizes[2] != 1)
      return recordError("kernel " + data.kernels[launch.kernel].name +
                         ": a launch on the host has one dimension, not " +
                         std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " +
                         std::to_string(sizes[2]));
  kernels[launch.kernel](launch.grid[0], launch.block[0], launch.cluster[0], launch.sharedBytes,
                         launch.parameters);
}

/// Aligned as CUDA's memory is.
void *HostKernels::allocate(uint64_t bytes) {
  constexpr uint64_t kAlignment = 256, kMostBytes = uint64_t(1) << 40;
  if (bytes == 0)
    return nullptr;
  uint64_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void *memory = bytes > kMostBytes ? nullptr : std::aligned_alloc(kAlignment, whole);
  if (!memory)
    recordError("out of memory: " + std::to_string(bytes) + " bytes");
  return memory;
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

struct Executable::State {
  ExecutableData data;
  std::unique_ptr<Device> device; ///< refers to the data
};

Executable::Executable(std::unique_ptr<State> state) : state(std::move(state)) {}
Executable::~Executable() = default;

std::string rooftile::whyInvalid(const ExecutableData &data) {
  for (const KernelEntry &kernel : data.kernels)
    if (data.chip != kCpu && kernel.image >= data.images.size())
      return "kernel " + kernel.name + ": image " + std::to_string(kernel.image) +
             " is not one of " + std::to_string(data.images.size());
  for (const Code &function : data.functions)
    if (std::string why = whyInvalid(function, data.kernels.size()); !why.empty())
      return why;
  return "";
}

/// What tells PTX, a cubin and others apart is in the first bytes of an image.
static std::string whyNotForCuda(const ExecutableData &data) {
  constexpr size_t kLeastBytes = 20;
  if (data.chip == kCpu)
    return "the executable is for the CPU: its kernels are functions of a process";
  for (size_t i = 0; i < data.images.size(); ++i)
    if (data.images[i].bytes.size() < kLeastBytes)
      return "image " + std::to_string(i) + " has " + std::to_string(data.images[i].bytes.size()) +
             " bytes and can be no kernel";
  return whyInvalid(data);
}

std::unique_ptr<Executable> Executable::load(ExecutableData data, std::string &why) {
  why = whyNotForCuda(data);
  if (!why.empty())
    return nullptr;
  auto state = std::make_unique<State>();
  state->data = std::move(data);
  state->device = std::make_unique<CudaKernels>(state->data);
  return std::unique_ptr<Executable>(new Executable(std::move(state)));
}

std::unique_ptr<Executable> Executable::onHost(ExecutableData data, std::vector<HostKernel> kernels,
                                               std::shared_ptr<void> keep, std::string &why) {
  why = whyInvalid(data);
  if (why.empty() && kernels.size() != data.kernels.size())
    why = std::to_string(kernels.size()) + " functions for " + std::to_string(data.kernels.size()) +
          " kernels";
  for (size_t i = 0; why.empty() && i < kernels.size(); ++i)
    if (!kernels[i])
      why = "kernel " + data.kernels[i].name + " has no function";
  if (!why.empty())
    return nullptr;
  auto state = std::make_unique<State>();
  state->data = std::move(data);
  state->device = std::make_unique<HostKernels>(state->data, std::move(kernels), std::move(keep));
  return std::unique_ptr<Executable>(new Executable(std::move(state)));
}

int Executable::find(std::string_view function) const {
  for (size_t i = 0; i < state->data.functions.size(); ++i)
    if (state->data.functions[i].name == function)
      return int(i);
  return -1;
}

std::string Executable::run(int function, const uint64_t *arguments) const {
  const std::vector<Code> &functions = state->data.functions;
  if (function < 0 || size_t(function) >= functions.size())
    return "the executable has no function " + std::to_string(function);
  return interpret(functions[function], arguments, *state->device);
}

std::string Executable::prepare() const {
  rooftileClearError();
  state->device->prepare();
  return takeError();
}

const ExecutableData &Executable::data() const { return state->data; }
