//===- State.cpp - What a call finds on the device ------------------------===//

#include "State.h"
#include "Next.h"

#include <atomic>
#include <dlfcn.h>
#include <type_traits>

using namespace rooftile::cublas;

//===----------------------------------------------------------------------===//
// The handle
//===----------------------------------------------------------------------===//

namespace {
/// What cuBLAS says of a handle. Found once cuBLAS is there.
struct Getters {
  Status (*pointerMode)(Handle, PointerMode *) = nullptr;
  Status (*mathMode)(Handle, MathMode *) = nullptr;
  Status (*stream)(Handle, void **) = nullptr;

  bool areThere() const { return pointerMode && mathMode && stream; }
};
} // namespace

template <typename Getter> static void find(Getter &getter, const char *name) {
  getter = reinterpret_cast<Getter>(findInNext(name));
}

static Getters findGetters() {
  Getters getters;
  find(getters.pointerMode, "cublasGetPointerMode_v2");
  find(getters.mathMode, "cublasGetMathMode");
  find(getters.stream, "cublasGetStream_v2");
  return getters;
}

/// Null where cuBLAS is not there, or lacks one.
static const Getters *gettersOf() {
  static const Getters getters = findGetters();
  return getters.areThere() ? &getters : nullptr;
}

bool rooftile::cublas::getPointerMode(Handle handle, PointerMode &mode) {
  const Getters *getters = gettersOf();
  return getters && getters->pointerMode(handle, &mode) == kSuccess;
}

/// TF32 and the like have fewer bits than our products of f32; they are what the program asked for.
static const char *whyNotInMathMode(MathMode mode, rooftile_type type) {
  bool isDouble = type == ROOFTILE_F64 || type == ROOFTILE_C128;
  switch (mode & kMathModeMask) {
  case kDefaultMath:
  case kPedanticMath:
    return nullptr;
  case kTensorOpMath:
  case kTf32Math: // Of f32 alone.
    return isDouble ? nullptr : "the math mode asks for TF32";
  default:
    return "the math mode asks for emulation";
  }
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {
struct Driver {
  int (*ctxGetCurrent)(void **) = nullptr;
  int (*ctxGetDevice)(int *) = nullptr;
  int (*primaryCtxGetState)(int, unsigned *, int *) = nullptr;
  int (*primaryCtxRetain)(void **, int) = nullptr;
  int (*primaryCtxRelease)(int) = nullptr;
  int (*streamIsCapturing)(void *, int *) = nullptr;
  int (*deviceGetName)(char *, int, int) = nullptr;
  bool isThere = false;
};
} // namespace

static Driver findDriver() {
  Driver driver;
  void *opened = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!opened)
    return driver;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(realDlsym()(opened, name));
    return function != nullptr;
  };
  driver.isThere = find(driver.ctxGetCurrent, "cuCtxGetCurrent") &&
                   find(driver.ctxGetDevice, "cuCtxGetDevice") &&
                   find(driver.primaryCtxGetState, "cuDevicePrimaryCtxGetState") &&
                   find(driver.primaryCtxRetain, "cuDevicePrimaryCtxRetain") &&
                   find(driver.primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2") &&
                   find(driver.streamIsCapturing, "cuStreamIsCapturing") &&
                   find(driver.deviceGetName, "cuDeviceGetName");
  return driver;
}

static const Driver &driver() {
  static const Driver found = findDriver();
  return found;
}

/// The primary context of a GPU, where it is in use; null where not.
static void *primaryContext(int device) {
  unsigned flags;
  int isActive = 0;
  void *context = nullptr;
  if (driver().primaryCtxGetState(device, &flags, &isActive) || !isActive)
    return nullptr;
  if (driver().primaryCtxRetain(&context, device))
    return nullptr;
  driver().primaryCtxRelease(device); // The program's own use keeps it.
  return context;
}

/// Our kernels are loaded into primary contexts.
const char *rooftile::cublas::whyNoDevice(int &device) {
  static std::atomic<void *> known[kDevices];
  if (!driver().isThere)
    return "there is no CUDA driver";
  void *current = nullptr;
  if (driver().ctxGetCurrent(&current) || !current || driver().ctxGetDevice(&device))
    return "no CUDA context is current";
  if (device < 0 || device >= kDevices)
    return "there are more devices than 64";
  if (current == known[device].load(std::memory_order_relaxed))
    return nullptr;
  if (current != primaryContext(device))
    return "the current CUDA context is not the primary one";
  known[device].store(current, std::memory_order_relaxed);
  return nullptr;
}

const char *rooftile::cublas::whyNotNow(Handle handle, rooftile_type type, State &state) {
  MathMode mode = kDefaultMath;
  const Getters *getters = gettersOf();
  if (!getters || getters->mathMode(handle, &mode) || getters->stream(handle, &state.stream))
    return "cuBLAS does not know the handle";
  if (const char *why = whyNotInMathMode(mode, type))
    return why;
  // The driver refuses to say so of the default stream while another one is captured.
  int capture = 0;
  state.isCaptured = driver().streamIsCapturing(state.stream, &capture) || capture != 0;
  return nullptr;
}

std::string rooftile::cublas::nameOfChip(int device) {
  char name[256] = {};
  if (!driver().isThere || driver().deviceGetName(name, int(sizeof name - 1), device))
    return "";
  return name;
}
