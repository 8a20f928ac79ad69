//===- Library.cpp - The functions of libamdhip64 that are used -----------===//

#include "Library.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>

using namespace rooftile;

static std::string errorName(const HipLibrary &hip, int result) {
  const char *name = hip.getErrorName ? hip.getErrorName(result) : nullptr;
  return name ? name : "HIP error " + std::to_string(result);
}

bool HipLibrary::check(int result, const char *call, const std::string &detail) const {
  if (result == 0)
    return true;
  recordFailure(hipDriver(), call, errorName(*this, result), detail);
  return false;
}

/// The file that ROOFTILE_HIP names, alone. Without it the library of ROCm 7 or 6 that the process
/// has, since two would not share streams and memory (PyTorch's has no number), else the newest.
static void *openLibrary(std::string &why) {
  if (const char *named = std::getenv("ROOFTILE_HIP"); named && *named) {
    void *library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    const char *said = library ? nullptr : dlerror();
    why = "no HIP driver: ROOFTILE_HIP: " + std::string(said ? said : named);
    return library;
  }
  why = "no HIP driver: neither libamdhip64.so.7 nor libamdhip64.so.6 can be opened";
  for (int mode : {RTLD_NOLOAD, 0})
    for (const char *name : {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"})
      if (mode != 0 || name[14] != '\0') // Only what the process has is without a number.
        if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | mode))
          return library;
  return nullptr;
}

/// Fills the table; returns what is missing, or an empty string.
static std::string load(HipLibrary &hip) {
  std::string why;
  void *library = openLibrary(why);
  if (!library)
    return why;
#define X(member, name, parameters)                                                                \
  hip.member.address = reinterpret_cast<int(*) parameters>(dlsym(library, name));                  \
  if (!hip.member)                                                                                 \
    return "the HIP driver has no function " name;
  ROOFTILE_HIP_FUNCTIONS(X)
#undef X
  hip.getErrorName =
      reinterpret_cast<decltype(hip.getErrorName)>(dlsym(library, "hipGetErrorName"));
  if (int result = hip.init(0))
    return "hipInit failed: " + errorName(hip, result);
  int count = 0;
  if (int result = hip.deviceGetCount(&count))
    return "hipGetDeviceCount failed: " + errorName(hip, result);
  return count > 0 ? "" : "the HIP driver finds no device";
}

const HipLibrary *HipLibrary::open(std::string *why) {
  static HipLibrary *hip = new HipLibrary;
  static std::string *missing = new std::string(load(*hip));
  if (why)
    *why = *missing;
  return missing->empty() ? hip : nullptr;
}

const HipLibrary *HipLibrary::current() {
  static std::atomic<bool> isThere[kMostDevices] = {};
  std::string why;
  const HipLibrary *hip = open(&why);
  int device = hipDriver().device(), present = -1;
  if (hip && !isThere[device]) {
    why = hipDriver().whyMissing(device);
    isThere[device] = why.empty();
  }
  if (!why.empty()) {
    recordError(why);
    return nullptr;
  }
  if (!hip->check(hip->getDevice(&present), "hipGetDevice"))
    return nullptr;
  if (present != device && !hip->check(hip->setDevice(device), "hipSetDevice"))
    return nullptr;
  return hip;
}
