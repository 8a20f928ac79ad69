//===- Executable.cpp - Kernels, and what launches them -------------------===//

#include "rooftile/Runtime/Executable/Executable.h"
#include "Replays.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Executable/GpuDriver.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace rooftile;

static constexpr std::string_view kCpu = "cpu";
/// Launches in the code of a function that are collected.
static constexpr size_t kLeastRecordedSites = 3;

namespace {

/// Kernels of images that a driver loads, for each device when it first needs them.
class GpuKernels : public DriverDevice {
public:
  GpuKernels(const ExecutableData &data, const GpuDriver &driver)
      : DriverDevice(driver), data(data), modules(data.images.size() * kGpuDevices),
        functions(data.kernels.size() * kGpuDevices), arrays(data.arrays.size() * kGpuDevices),
        replays(driver) {}
  ~GpuKernels() override {
    replays.clear();
    for (size_t i = 0; i < modules.size(); ++i)
      if (modules[i])
        driver.unload(modules[i], int(i % kGpuDevices));
    for (const std::atomic<void *> &array : arrays)
      if (array)
        driver.free(array);
  }

  void launch(const KernelLaunch &launch) override;
  std::string run(const Code &code, const uint64_t *arguments, uint64_t *results) override;
  void prepare() override {
    for (uint32_t kernel = 0; kernel < data.kernels.size(); ++kernel)
      functionOf(kernel);
    for (uint32_t number = 0; number < data.arrays.size(); ++number)
      array(number);
    auto allocates = [](const Code &code) {
      return std::any_of(code.instructions.begin(), code.instructions.end(),
                         [](const Instruction &each) { return each.opcode == Opcode::Allocate; });
    };
    if (std::any_of(data.functions.begin(), data.functions.end(), allocates))
      driver.prepareMemory();
  }
  void *allocate(uint64_t bytes) override { return driver.allocate(bytes); }
  void free(void *memory) override { driver.free(memory); }
  void read(void *to, const void *from, uint64_t bytes) override { driver.copy(to, from, bytes); }
  const void *array(uint32_t number) override;

private:
  void *functionOf(uint32_t kernel);
  void *load(uint32_t kernel, int device);

  const ExecutableData &data;
  std::mutex mutex;
  std::vector<void *> modules;                ///< by image and device
  std::vector<std::atomic<void *>> functions; ///< by kernel and device
  std::vector<std::atomic<void *>> arrays;    ///< by number and device
  Replays replays;
};

/// Functions of this process.
class Host : public Device {
public:
  Host(const ExecutableData &data, HostKernels kernels);

  void launch(const KernelLaunch &launch) override;
  void *allocate(uint64_t bytes) override;
  void free(void *memory) override { std::free(memory); }
  void read(void *to, const void *from, uint64_t bytes) override { std::memcpy(to, from, bytes); }
  const void *array(uint32_t number) override { return arrays[number].get(); }
  void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                      int64_t lines, int64_t lineBytes, int64_t boxLength,
                      int64_t boxLines) override {
    rooftileCpuTensorMap(descriptor, address, numberBytes, length, lines, lineBytes, boxLength,
                         boxLines);
  }

private:
  const ExecutableData &data;
  HostKernels kernels;
  std::vector<std::unique_ptr<void, decltype(&std::free)>> arrays;
};

} // namespace

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

/// Null, with a recorded error, where the driver refuses.
void *GpuKernels::load(uint32_t kernel, int device) {
  std::lock_guard<std::mutex> lock(mutex);
  std::atomic<void *> &function = functions[size_t(kernel) * kGpuDevices + device];
  if (function)
    return function;
  const KernelEntry &entry = data.kernels[kernel];
  const std::string &image = data.images[entry.image].bytes;
  void *&module = modules[size_t(entry.image) * kGpuDevices + device];
  if (!module)
    module = driver.load(image);
  if (module)
    function = driver.find(module, entry.name);
  return function;
}

void *GpuKernels::functionOf(uint32_t kernel) {
  int device = driver.device();
  void *known = functions[size_t(kernel) * kGpuDevices + device].load(std::memory_order_acquire);
  return known ? known : load(kernel, device);
}

void GpuKernels::launch(const KernelLaunch &launch) {
  if (void *function = functionOf(launch.kernel))
    driver.launch(function, data.kernels[launch.kernel].name, launch);
}

/// Whether all that a run does on the device are launches, which may wait for its end.
static bool isOfLaunches(const Code &code) {
  auto reads = [](const Instruction &each) {
    return each.opcode == Opcode::Load || each.opcode == Opcode::Array;
  };
  return code.results.empty() &&
         std::none_of(code.instructions.begin(), code.instructions.end(), reads);
}

/// Few launches are put on the stream at once.
std::string GpuKernels::run(const Code &code, const uint64_t *arguments, uint64_t *results) {
  if (code.launches.size() < kLeastRecordedSites || !driver.takesGraphs() || !isOfLaunches(code))
    return interpret(code, arguments, results, *this);
  auto find = [this](uint32_t kernel) { return functionOf(kernel); };
  return Recorder(data, driver, replays, find).run(code, arguments, results);
}

/// Null, with a recorded error, where there is no memory for it.
const void *GpuKernels::array(uint32_t number) {
  std::atomic<void *> &copy = arrays[size_t(number) * kGpuDevices + driver.device()];
  if (void *known = copy.load(std::memory_order_acquire))
    return known;
  std::lock_guard<std::mutex> lock(mutex);
  const std::string &bytes = data.arrays[number];
  if (copy || bytes.empty())
    return copy;
  void *memory = driver.allocate(bytes.size());
  if (memory && driver.copy(memory, bytes.data(), bytes.size()))
    copy = memory;
  return copy;
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

/// Aligned as CUDA's memory is.
static void *allocateOnHost(uint64_t bytes) {
  constexpr uint64_t kAlignment = 256, kMostBytes = uint64_t(1) << 40;
  if (bytes == 0 || bytes > kMostBytes)
    return nullptr;
  return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

Host::Host(const ExecutableData &data, HostKernels kernels)
    : data(data), kernels(std::move(kernels)) {
  for (const std::string &bytes : data.arrays) {
    arrays.emplace_back(allocateOnHost(bytes.size()), &std::free);
    if (void *copy = arrays.back().get())
      std::memcpy(copy, bytes.data(), bytes.size());
  }
}

void Host::launch(const KernelLaunch &launch) {
  for (const int64_t *sizes : {launch.grid, launch.block, launch.cluster})
    if (sizes[1] != 1 || sizes[2] != 1)
      return recordError("kernel " + data.kernels[launch.kernel].name +
                         ": a launch on the host has one dimension, not " +
                         std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " +
                         std::to_string(sizes[2]));
  kernels.kernels[launch.kernel](launch.grid[0], launch.block[0], launch.cluster[0],
                                 launch.sharedBytes, launch.parameters);
}

void *Host::allocate(uint64_t bytes) {
  void *memory = allocateOnHost(bytes);
  if (bytes && !memory)
    recordError("out of memory: " + std::to_string(bytes) + " bytes");
  return memory;
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

struct Executable::State {
  ExecutableData data;
  size_t bytes = 0;
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
    if (std::string why = whyInvalid(function, data.kernels.size(), data.arrays.size());
        !why.empty())
      return why;
  return "";
}

std::string rooftile::sizesText(const int64_t *sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ", " +
         std::to_string(sizes[2]) + ")";
}

bool rooftile::isAmdImage(const void *image) {
  constexpr size_t kMachine = 18; // e_machine, little endian
  auto bytes = static_cast<const unsigned char *>(image);
  return std::memcmp(bytes, "\177ELF", 4) == 0 && bytes[kMachine] == 224 &&
         bytes[kMachine + 1] == 0;
}

/// The driver of the vendor that all images are for; null, and why, where there is none. Without
/// images nothing is launched, by either.
static const GpuDriver *driverOf(const ExecutableData &data, std::string &why) {
  if (data.chip == kCpu)
    return why = "the executable is for the CPU: its kernels are functions of a process", nullptr;
  bool isAmd = false;
  for (size_t i = 0; i < data.images.size(); ++i) {
    const std::string &image = data.images[i].bytes;
    std::string number = "image " + std::to_string(i);
    if (image.size() < kImageHeadBytes)
      return why = number + " has " + std::to_string(image.size()) + " bytes and can be no kernel",
             nullptr;
    bool isOfAmd = isAmdImage(image.data());
    if (i > 0 && isOfAmd != isAmd)
      return why = number + " is for " + (isOfAmd ? "AMD" : "NVIDIA") +
                   " GPUs, those before it for " + (isAmd ? "AMD" : "NVIDIA"),
             nullptr;
    isAmd = isOfAmd;
  }
  return isAmd ? &GpuDriver::hip() : &GpuDriver::cuda();
}

static size_t bytesOf(const ExecutableData &data) {
  size_t bytes = data.description.size();
  for (const KernelImage &image : data.images)
    bytes += image.bytes.size();
  for (const std::string &array : data.arrays)
    bytes += array.size();
  for (const Code &code : data.functions) {
    bytes += code.instructions.size() * sizeof(Instruction) + code.constants.size() * 8;
    for (const LaunchSite &launch : code.launches)
      bytes += sizeof launch + launch.parameters.size() * sizeof(Parameter);
  }
  return bytes;
}

std::unique_ptr<Executable> Executable::load(ExecutableData data, std::string &why) {
  const GpuDriver *driver = driverOf(data, why);
  if (driver)
    why = whyInvalid(data);
  if (!driver || !why.empty())
    return nullptr;
  auto state = std::make_unique<State>();
  state->data = std::move(data);
  state->bytes = bytesOf(state->data);
  state->device = std::make_unique<GpuKernels>(state->data, *driver);
  return std::unique_ptr<Executable>(new Executable(std::move(state)));
}

std::unique_ptr<Executable> Executable::onHost(ExecutableData data, HostKernels host,
                                               std::string &why) {
  const std::vector<HostKernel> &kernels = host.kernels;
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
  state->bytes = bytesOf(state->data) + host.bytes;
  state->device = std::make_unique<Host>(state->data, std::move(host));
  return std::unique_ptr<Executable>(new Executable(std::move(state)));
}

int Executable::find(std::string_view function) const {
  for (size_t i = 0; i < state->data.functions.size(); ++i)
    if (state->data.functions[i].name == function)
      return int(i);
  return -1;
}

std::string Executable::run(int function, const uint64_t *arguments, uint64_t *results) const {
  const std::vector<Code> &functions = state->data.functions;
  if (function < 0 || size_t(function) >= functions.size())
    return "the executable has no function " + std::to_string(function);
  if (!results && !functions[function].results.empty())
    return "function '" + functions[function].name + "' has results: nobody takes them";
  return state->device->run(functions[function], arguments, results);
}

void Executable::release(void *memory) const {
  for (uint32_t number = 0; number < state->data.arrays.size(); ++number)
    if (memory == state->device->array(number))
      return;
  state->device->free(memory);
}

std::string Executable::prepare() const {
  rooftileClearError();
  state->device->prepare();
  return takeError();
}

const ExecutableData &Executable::data() const { return state->data; }

size_t Executable::bytes() const { return state->bytes; }
