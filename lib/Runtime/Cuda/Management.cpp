//===- Management.cpp - Clocks and power of NVIDIA's GPUs -----------------===//
//
// NVML counts all GPUs of a machine, CUDA those that the process may use, in an order of its own: a
// device is found by its address on the PCI bus.
// Source: NVML API reference, 12.8.
//
//===----------------------------------------------------------------------===//

#include "Management.h"
#include "Library.h"

#include <dlfcn.h>
#include <mutex>

using namespace rooftile;

/// X(member, exported name, parameter types)
#define ROOFTILE_NVML_FUNCTIONS(X)                                                                 \
  X(init, "nvmlInit_v2", ())                                                                       \
  X(handleByBus, "nvmlDeviceGetHandleByPciBusId_v2", (const char *, void **))                      \
  X(clockInfo, "nvmlDeviceGetClockInfo", (void *, int, unsigned *))                                \
  X(powerUsage, "nvmlDeviceGetPowerUsage", (void *, unsigned *))                                   \
  X(throttleReasons, "nvmlDeviceGetCurrentClocksThrottleReasons", (void *, unsigned long long *))

namespace {
struct Nvml {
#define X(member, name, parameters) LibraryFunction<int parameters> member{name};
  ROOFTILE_NVML_FUNCTIONS(X)
#undef X

  /// Null where it is missing, or does not start.
  static const Nvml *open();
};
} // namespace

/// Fills the table; false where there is no library.
static bool load(Nvml &nvml) {
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
#define X(member, name, parameters)                                                                \
  nvml.member.address = reinterpret_cast<int(*) parameters>(dlsym(library, name));                 \
  if (!nvml.member)                                                                                \
    return false;
  ROOFTILE_NVML_FUNCTIONS(X)
#undef X
  return nvml.init() == 0;
}

const Nvml *Nvml::open() {
  static Nvml *nvml = new Nvml; // never closed: programs call after main
  static bool isLoaded = load(*nvml);
  return isLoaded ? nvml : nullptr;
}

/// The handle of a CUDA device; null where there is none.
static void *handleOf(const Nvml &nvml, int device) {
  static std::mutex mutex;
  static void *handles[kMostDevices] = {};
  const CudaLibrary *cuda = CudaLibrary::open();
  if (!cuda || !cuda->deviceGetPciBusId || device < 0 || device >= kMostDevices)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  int index = 0;
  char bus[32] = {};
  if (!handles[device] && cuda->deviceGet(&index, device) == 0 &&
      cuda->deviceGetPciBusId(bus, sizeof bus, index) == 0 &&
      nvml.handleByBus(bus, &handles[device]) != 0)
    handles[device] = nullptr;
  return handles[device];
}

/// Reasons of lower clocks that are neither idleness nor a setting of the user's.
enum Throttle : unsigned long long {
  SoftwarePowerCap = 0x4,
  HardwareSlowdown = 0x8,
  SoftwareThermal = 0x20,
  HardwareThermal = 0x40,
  PowerBrake = 0x80
};
static constexpr unsigned long long kThrottles =
    SoftwarePowerCap | HardwareSlowdown | SoftwareThermal | HardwareThermal | PowerBrake;

DeviceState rooftile::stateOfCudaDevice(int device) {
  constexpr int kMultiprocessors = 1, kMemory = 2;
  DeviceState state;
  const Nvml *nvml = Nvml::open();
  void *handle = nvml ? handleOf(*nvml, device) : nullptr;
  if (!handle)
    return state;
  unsigned value = 0;
  unsigned long long reasons = 0;
  if (nvml->clockInfo(handle, kMultiprocessors, &value) == 0)
    state.clockMHz = value;
  if (nvml->clockInfo(handle, kMemory, &value) == 0)
    state.memoryMHz = value;
  if (nvml->powerUsage(handle, &value) == 0)
    state.watts = value * 1e-3;
  if (nvml->throttleReasons(handle, &reasons) == 0)
    state.throttled = (reasons & kThrottles) != 0;
  return state;
}
