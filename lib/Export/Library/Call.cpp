//===- Call.cpp - Calls of an exported library ----------------------------===//
//
// Part of each exported library, with the runtime. No LLVM here.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Export/Exported.h"
#include "rooftile/Runtime/Cuda/Driver.h"
#include "rooftile/Runtime/Executable/Executable.h"

#include <atomic>
#include <cctype>
#include <cstring>
#include <mutex>

using namespace rooftile;
using namespace rooftile::exported;

/// Plain memory: threads that end, and code that is unloaded, leave nothing to do.
static constexpr size_t kMessageBytes = 1024;
static thread_local char message[kMessageBytes];

static int fail(Result result, const std::string &why) {
  size_t size = std::min(why.size(), kMessageBytes - 1);
  std::memcpy(message, why.data(), size);
  message[size] = '\0';
  return int(result);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static int64_t valueOf(const Number &number, const uint64_t *arguments) {
  return number.argument < 0 ? number.known : int64_t(arguments[number.argument]);
}

/// Whether a size of the call is 0, so that nothing is read.
static bool isEmpty(const Operation &operation, const uint64_t *arguments) {
  for (int64_t i = 0; i < operation.argumentCount; ++i)
    if (operation.arguments[i].kind == ArgumentKind::Size && arguments[i] == 0)
      return true;
  return false;
}

/// What is wrong with an argument, or an empty string.
static std::string whyBad(const Argument &argument, int64_t value, const uint64_t *arguments,
                          bool empty) {
  switch (argument.kind) {
  case ArgumentKind::Size:
    return value >= 0 ? "" : "is " + std::to_string(value) + ": sizes are 0 or more";
  case ArgumentKind::Leading: {
    int64_t line = std::max<int64_t>(1, valueOf(argument.line, arguments));
    return value >= line ? ""
                         : "is " + std::to_string(value) + ", less than a line of " +
                               std::to_string(line) + " elements";
  }
  case ArgumentKind::Stride:
    return value >= 0 ? "" : "is " + std::to_string(value) + ": strides are 0 or more";
  case ArgumentKind::Scalar:
    return value ? "" : "is a null pointer";
  case ArgumentKind::Address:
    return value || empty ? "" : "is a null pointer";
  }
  return "";
}

static std::string whyBad(const Operation &operation, const uint64_t *arguments) {
  bool empty = isEmpty(operation, arguments);
  for (int64_t i = 0; i < operation.argumentCount; ++i) {
    const Argument &argument = operation.arguments[i];
    if (std::string why = whyBad(argument, int64_t(arguments[i]), arguments, empty); !why.empty())
      return std::string(operation.name) + ": argument " + argument.name + " " + why;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

namespace {
struct DeviceFacts {
  std::string name;
  int major = 0, minor = 0;
};

/// What is loaded of an operation. Never destroyed: kernels may run after main.
struct Loaded {
  std::mutex mutex;
  std::vector<std::unique_ptr<Executable>> executables; ///< by image
  std::atomic<const Executable *> ofDevice[kCudaDevices] = {};
};
} // namespace

static bool askDevice(const CudaDriver &cuda, int index, DeviceFacts &facts) {
  constexpr int kMajor = 75, kMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
  int device = 0;
  char name[256] = {};
  bool isKnown =
      cuda.check(cuda.deviceGet(&device, index), "cuDeviceGet") &&
      cuda.check(cuda.deviceGetName(name, sizeof name - 1, device), "cuDeviceGetName") &&
      cuda.check(cuda.deviceGetAttribute(&facts.major, kMajor, device), "cuDeviceGetAttribute") &&
      cuda.check(cuda.deviceGetAttribute(&facts.minor, kMinor, device), "cuDeviceGetAttribute");
  facts.name = name;
  return isKnown;
}

static bool runsOn(const Image &image, const DeviceFacts &device) {
  switch (image.fit) {
  case Fit::Exact:
    return device.major == image.major && device.minor == image.minor;
  case Fit::SameMajor:
    return device.major == image.major && device.minor >= image.minor;
  case Fit::Later:
    return device.major > image.major ||
           (device.major == image.major && device.minor >= image.minor);
  }
  return false;
}

/// Whether the device is the chip: "h200" is in "NVIDIA H200".
static bool isNamed(const Image &image, const DeviceFacts &device) {
  std::string name = device.name;
  for (char &letter : name)
    letter = char(std::tolower(static_cast<unsigned char>(letter)));
  return name.find(image.chip) != std::string::npos;
}

/// The number of the image for a device, or -1: the first of its name that runs on it, else the
/// first that runs on it.
static int64_t choose(const Operation &operation, const DeviceFacts &device) {
  for (bool byName : {true, false})
    for (int64_t i = 0; i < operation.imageCount; ++i)
      if (runsOn(operation.images[i], device) && (!byName || isNamed(operation.images[i], device)))
        return i;
  return -1;
}

static std::string whyNoChip(const Operation &operation, const DeviceFacts &device) {
  std::string chips;
  for (int64_t i = 0; i < operation.imageCount; ++i)
    chips += std::string(i ? ", " : "") + operation.images[i].chip;
  return std::string(operation.name) + ": no code for " + device.name + " (compute capability " +
         std::to_string(device.major) + "." + std::to_string(device.minor) +
         "); this library is for " + chips;
}

/// The executable of an image, once.
static const Executable *load(const Image &image, std::unique_ptr<Executable> &executable,
                              std::string &why) {
  if (executable)
    return executable.get();
  auto data = readExecutable({image.bytes, size_t(image.size)}, why);
  if (data)
    executable = Executable::load(std::move(*data), why);
  return executable.get();
}

/// All that is loaded of an operation.
static Loaded &loadedOf(Operation &operation) {
  auto *place = reinterpret_cast<std::atomic<Loaded *> *>(&operation.loaded);
  static_assert(sizeof(*place) == sizeof(operation.loaded), "an atomic pointer is a pointer");
  if (Loaded *known = place->load(std::memory_order_acquire))
    return *known;
  auto *made = new Loaded;
  made->executables.resize(size_t(operation.imageCount));
  Loaded *other = nullptr;
  if (place->compare_exchange_strong(other, made, std::memory_order_acq_rel))
    return *made;
  delete made;
  return *other;
}

/// The executable for the present device; else null, with `result` and the message of it.
static const Executable *find(Operation &operation, int &result) {
  Loaded &loaded = loadedOf(operation);
  int index = defaultCudaDevice();
  std::atomic<const Executable *> &place = loaded.ofDevice[index];
  if (const Executable *known = place.load(std::memory_order_acquire))
    return known;
  std::lock_guard<std::mutex> lock(loaded.mutex);
  std::string why, prefix = std::string(operation.name) + ": ";
  const CudaDriver *cuda = CudaDriver::open(&why);
  DeviceFacts device;
  if (!cuda || !askDevice(*cuda, index, device)) {
    result = fail(Result::NoDevice, prefix + (cuda ? takeError() : why));
    return nullptr;
  }
  int64_t image = choose(operation, device);
  if (image < 0) {
    result = fail(Result::NoChip, whyNoChip(operation, device));
    return nullptr;
  }
  const Executable *executable = load(operation.images[image], loaded.executables[image], why);
  if (!executable)
    result = fail(Result::Failed, prefix + why);
  place.store(executable, std::memory_order_release);
  return executable;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

int rooftileCallExported(Operation *operation, const uint64_t *arguments, void *stream) {
  message[0] = '\0';
  if (std::string why = whyBad(*operation, arguments); !why.empty())
    return fail(Result::BadArgument, why);
  rooftileClearError();
  int result = 0;
  const Executable *executable = find(*operation, result);
  if (!executable)
    return result;
  uint64_t registers[kMostArgumentRegisters];
  for (int64_t i = 0; i < operation->registerCount; ++i)
    registers[i] = valueOf(operation->registers[i], arguments);
  void *before = rooftileGetStream();
  rooftileSetStream(stream);
  std::string why = executable->run(0, registers);
  rooftileSetStream(before);
  return why.empty() ? 0 : fail(Result::Failed, std::string(operation->name) + ": " + why);
}

const char *rooftileExportedMessage() { return message; }
