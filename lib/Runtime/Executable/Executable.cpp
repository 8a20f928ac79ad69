//===- Executable.cpp - Kernels, and what launches them -------------------===//

#include "rooftile/Runtime/Executable/Executable.h"
#include "Replays.h"

#include <algorithm>
#include <atomic>
#include <mutex>

using namespace rooftile;

static constexpr std::string_view kCpu = "cpu";
/// Launches in the code of a function that are collected.
static constexpr size_t kLeastRecordedSites = 3;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

/// Code of an executable on a device, loaded when it is first needed.
struct Loaded {
  explicit Loaded(const ExecutableData &data)
      : modules(data.images.size()), functions(data.kernels.size()), arrays(data.arrays.size()) {}

  std::mutex mutex; ///< Guards loading, which may be slow: devices do not wait for each other.
  std::vector<void *> modules;                ///< By image.
  std::vector<std::atomic<void *>> functions; ///< By kernel.
  std::vector<std::atomic<void *>> arrays;    ///< By number.
};

/// Kernels of images that a driver loads, or functions of this process.
class Kernels : public DriverRunner {
public:
  Kernels(const ExecutableData &data, const Driver &driver, HostKernels host = {})
      : DriverRunner(driver), data(data), host(std::move(host)), replays(driver) {}
  ~Kernels() override;

  void launch(const KernelLaunch &launch) override;
  std::string run(const Code &code, const uint64_t *arguments, uint64_t *results) override;
  void prepare() override;
  void *allocate(uint64_t bytes) override {
    return driver.allocateInOrder(bytes, rooftileGetStream());
  }
  void free(void *memory) override { driver.freeInOrder(memory, rooftileGetStream()); }
  void read(void *to, const void *from, uint64_t bytes) override { copy(to, from, bytes); }
  const void *array(uint32_t number) override;

private:
  Loaded &ofDevice();
  void *functionOf(uint32_t kernel);
  bool copy(void *to, const void *from, uint64_t bytes);

  const ExecutableData &data;
  const HostKernels host;
  std::atomic<Loaded *> loaded[kMostDevices] = {};
  Replays replays;
};

} // namespace

Kernels::~Kernels() {
  replays.clear();
  for (int device = 0; device < kMostDevices; ++device) {
    std::unique_ptr<Loaded> there(loaded[device]);
    if (!there)
      continue;
    DeviceScope scope(driver, device);
    for (void *module : there->modules)
      driver.unload(module);
    for (const std::atomic<void *> &array : there->arrays)
      free(array);
  }
}

Loaded &Kernels::ofDevice() {
  std::atomic<Loaded *> &slot = loaded[driver.device()];
  Loaded *known = slot.load(std::memory_order_acquire);
  if (known)
    return *known;
  auto made = std::make_unique<Loaded>(data);
  return slot.compare_exchange_strong(known, made.get()) ? *made.release() : *known;
}

/// Null, with a recorded error, where the driver refuses.
void *Kernels::functionOf(uint32_t kernel) {
  if (!host.kernels.empty())
    return const_cast<HostKernel *>(&host.kernels[kernel]);
  Loaded &there = ofDevice();
  std::atomic<void *> &function = there.functions[kernel];
  if (void *known = function.load(std::memory_order_acquire))
    return known;
  std::lock_guard<std::mutex> lock(there.mutex);
  if (function)
    return function;
  const KernelEntry &entry = data.kernels[kernel];
  const std::string &image = data.images[entry.image].bytes;
  void *&module = there.modules[entry.image];
  if (!module)
    module = driver.load(image.c_str(), image.size());
  if (module)
    function = driver.find(module, entry.name);
  return function;
}

void Kernels::launch(const KernelLaunch &launch) {
  if (void *function = functionOf(launch.kernel))
    driver.launch(function, data.kernels[launch.kernel].name, launch, rooftileGetStream());
}

void Kernels::prepare() {
  for (const std::function<void()> &group : host.groups)
    group();
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

/// Whether all that a run does on the device are launches, which may wait for its end.
static bool isOfLaunches(const Code &code) {
  auto reads = [](const Instruction &each) {
    return each.opcode == Opcode::Load || each.opcode == Opcode::Array;
  };
  return code.results.empty() &&
         std::none_of(code.instructions.begin(), code.instructions.end(), reads);
}

/// Few launches are put on the stream at once.
std::string Kernels::run(const Code &code, const uint64_t *arguments, uint64_t *results) {
  if (code.launches.size() < kLeastRecordedSites || !driver.takesGraphs(rooftileGetStream()) ||
      !isOfLaunches(code))
    return interpret(code, arguments, results, *this);
  auto find = [this](uint32_t kernel) { return functionOf(kernel); };
  return Recorder(data, driver, replays, find).run(code, arguments, results);
}

/// After the work on the stream; waits.
bool Kernels::copy(void *to, const void *from, uint64_t bytes) {
  void *stream = rooftileGetStream();
  return driver.copyInOrder(to, from, bytes, stream) && driver.waitForStream(stream);
}

/// Null, with a recorded error, where there is no memory for it.
const void *Kernels::array(uint32_t number) {
  Loaded &there = ofDevice();
  std::atomic<void *> &array = there.arrays[number];
  if (void *known = array.load(std::memory_order_acquire))
    return known;
  std::lock_guard<std::mutex> lock(there.mutex);
  const std::string &bytes = data.arrays[number];
  if (array || bytes.empty())
    return array;
  void *memory = allocate(bytes.size());
  if (memory && copy(memory, bytes.data(), bytes.size()))
    array = memory;
  return array;
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

struct Executable::State {
  ExecutableData data;
  size_t bytes = 0; ///< without the code of kernels of this process
  std::shared_ptr<const std::atomic<size_t>> bytesOfCode;
  std::unique_ptr<Runner> device; ///< refers to the data
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

/// The driver of the vendor that all images are for; null, and why, where there is none. Without
/// images nothing is launched, by either.
static const Driver *driverOf(const ExecutableData &data, std::string &why) {
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
  return isAmd ? &hipDriver() : &cudaDriver();
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
  const Driver *driver = driverOf(data, why);
  if (driver)
    why = whyInvalid(data);
  if (!driver || !why.empty())
    return nullptr;
  auto state = std::make_unique<State>();
  state->data = std::move(data);
  state->bytes = bytesOf(state->data);
  state->device = std::make_unique<Kernels>(state->data, *driver);
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
  state->bytes = bytesOf(state->data);
  state->bytesOfCode = host.bytes;
  state->device = std::make_unique<Kernels>(state->data, cpuDriver(), std::move(host));
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
    return "function '" + functions[function].name + "' has results: no caller gets them";
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

size_t Executable::bytes() const {
  return state->bytes + (state->bytesOfCode ? state->bytesOfCode->load() : 0);
}
