//===- Detect.cpp - Which GPU this machine has ----------------------------===//
//
// Asks the CUDA driver, opened at run time: a machine without it simply has no
// chip. Nothing is initialized beyond the driver itself (no context is made).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Target/Chips.h"

#include <dlfcn.h>

using namespace rooftile;

/// Name of the first CUDA device; empty if there is no driver or no device.
static std::string cudaDeviceName() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver)
    return {};
  using Init = int (*)(unsigned flags);
  using DeviceGet = int (*)(int *device, int ordinal);
  using DeviceGetName = int (*)(char *name, int length, int device);
  auto init = reinterpret_cast<Init>(dlsym(driver, "cuInit"));
  auto deviceGet = reinterpret_cast<DeviceGet>(dlsym(driver, "cuDeviceGet"));
  auto deviceGetName = reinterpret_cast<DeviceGetName>(dlsym(driver, "cuDeviceGetName"));
  if (!init || !deviceGet || !deviceGetName)
    return {};
  int device = 0;
  char name[256] = {};
  if (init(0) != 0 || deviceGet(&device, 0) != 0 ||
      deviceGetName(name, sizeof(name) - 1, device) != 0)
    return {};
  return name;
}

std::string target::detectChip() { return chipOfDevice(cudaDeviceName()).str(); }
