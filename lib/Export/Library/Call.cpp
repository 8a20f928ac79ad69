//===- Call.cpp - Calls of an exported library ----------------------------===//
//
// Part of each exported library, with the runtime. No LLVM here.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Export/Exported.h"
#include "rooftile/Runtime/Device/Driver.h"
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

/// The fault of a memref, by the sizes that its type states.
static std::string whyBadMemref(const Argument &argument, int64_t value) {
  if (value == 0)
    return "is a null pointer";
  struct Descriptor {
    const void *allocated, *aligned;
    int64_t numbers[]; // offset, sizes, strides
  };
  auto *memref = reinterpret_cast<const Descriptor *>(value);
  bool empty = false;
  for (int64_t i = 0; i < 1 + 2 * argument.rank; ++i) {
    int64_t given = memref->numbers[i], known = argument.numbers[i];
    bool isSize = i >= 1 && i <= argument.rank;
    std::string what = i == 0   ? "offset"
                       : isSize ? "size " + std::to_string(i - 1)
                                : "stride " + std::to_string(i - 1 - argument.rank);
    // Where there is one line, or none, nothing is a stride away.
    bool counts = i <= argument.rank || memref->numbers[i - argument.rank] > 1;
    if (known != kDynamic && counts && given != known)
      return "has " + what + " of " + std::to_string(given) + ", not " + std::to_string(known);
    if (isSize && given < 0)
      return "has " + what + " of " + std::to_string(given) + ": sizes are 0 or more";
    empty |= isSize && given == 0;
  }
  return memref->aligned || empty ? "" : "has a null pointer";
}

/// The fault of an argument, or an empty string.
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
  case ArgumentKind::Memref:
    return whyBadMemref(argument, value);
  case ArgumentKind::Address:
    if (!value)
      return empty ? "" : "is a null pointer";
    return value % argument.line.known == 0
               ? ""
               : "is " + std::to_string(uint64_t(value)) + ", no multiple of " +
                     std::to_string(argument.line.known) + " bytes";
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
/// The loaded kernels of an operation. Never destroyed: kernels may run after main.
struct Loaded {
  std::mutex mutex;
  std::vector<std::unique_ptr<Executable>> executables; ///< by image
  std::atomic<const Driver *> driver = nullptr;
  std::atomic<const Executable *> ofDevice[kMostDevices] = {};
};
} // namespace

static bool runsOn(const Image &image, const DeviceFacts &device) {
  switch (image.fit) {
  case Fit::Exact:
    return device.major == image.major && device.minor == image.minor;
  case Fit::SameMajor:
    return device.major == image.major && device.minor >= image.minor;
  case Fit::Later:
    return device.major > image.major ||
           (device.major == image.major && device.minor >= image.minor);
  case Fit::SameArchitecture:
    return device.architecture == image.architecture;
  }
  return false;
}

/// Whether the device is the chip: "h200" is in "NVIDIA H200", "mi300x" in "AMD Instinct MI300X".
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
  return std::string(operation.name) + ": no code for " +
         (device.name.empty() ? "a GPU" : device.name) + " (" + device.architecture +
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

/// The driver of the first vendor, NVIDIA before AMD, that the operation has code for and that has
/// a GPU here; else null, with what each of them lacks. What has no code is not opened.
static const Driver *findDriver(const Operation &operation, std::string &why) {
  for (bool isAmd : {false, true}) {
    bool hasCode = false;
    for (int64_t i = 0; i < operation.imageCount; ++i)
      hasCode |= (operation.images[i].fit == Fit::SameArchitecture) == isAmd;
    const Driver &driver = isAmd ? hipDriver() : cudaDriver();
    std::string missing;
    if (hasCode && driver.open(missing))
      return &driver;
    if (hasCode)
      why += (why.empty() ? "" : "; ") + missing;
  }
  return nullptr;
}

/// Loads the executable for the GPU of `driver`; else null, with `result` and the message of it.
static const Executable *load(const Operation &operation, const Driver &driver, Loaded &loaded,
                              int &result) {
  std::string why, prefix = std::string(operation.name) + ": ";
  DeviceFacts device;
  if (!driver.ask(driver.device(), device))
    return result = fail(Result::NoDevice, prefix + takeError()), nullptr;
  int64_t image = choose(operation, device);
  if (image < 0)
    return result = fail(Result::NoChip, whyNoChip(operation, device)), nullptr;
  const Executable *executable = load(operation.images[image], loaded.executables[image], why);
  if (!executable)
    result = fail(Result::Failed, prefix + why);
  return executable;
}

/// The executable for the present GPU; else null, with `result` and the message of it.
static const Executable *find(Operation &operation, int &result) {
  Loaded &loaded = loadedOf(operation);
  const Driver *driver = loaded.driver.load(std::memory_order_acquire);
  if (driver)
    if (const Executable *known = loaded.ofDevice[driver->device()].load(std::memory_order_acquire))
      return known;
  std::lock_guard<std::mutex> lock(loaded.mutex);
  std::string why;
  if (!driver)
    driver = findDriver(operation, why);
  if (!driver)
    return result = fail(Result::NoDevice, std::string(operation.name) + ": " + why), nullptr;
  const Executable *executable = load(operation, *driver, loaded, result);
  loaded.ofDevice[driver->device()].store(executable, std::memory_order_release);
  loaded.driver.store(driver, std::memory_order_release);
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
