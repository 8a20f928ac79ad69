//===- Driver.cpp - The functions of libamdhip64 that are used ------------===//

#include "rooftile/Runtime/Hip/Driver.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

using namespace rooftile;

static std::string errorName(const HipDriver &hip, int result) {
  const char *name = hip.getErrorName ? hip.getErrorName(result) : nullptr;
  return name ? name : "HIP error " + std::to_string(result);
}

bool HipDriver::check(int result, const char *call, const std::string &detail) const {
  if (result == 0)
    return true;
  recordError(std::string(call) + " failed: " + errorName(*this, result) +
              (detail.empty() ? "" : " (" + detail + ")"));
  return false;
}

/// The library of ROCm 7 or 6: the one that the process has, since two would not share streams and
/// memory, else the newest.
static void *openLibrary() {
  for (int mode : {RTLD_NOLOAD, 0})
    for (const char *name : {"libamdhip64.so.7", "libamdhip64.so.6"})
      if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | mode))
        return library;
  return nullptr;
}

/// Fills the table; returns what is missing, or an empty string.
static std::string load(HipDriver &hip) {
  constexpr int kPoolsSupported = 88; // hipDeviceAttributeMemoryPoolsSupported
  void *library = openLibrary();
  if (!library)
    return "no HIP driver: neither libamdhip64.so.7 nor libamdhip64.so.6 can be opened";
#define X(member, name, parameters)                                                                \
  hip.member = reinterpret_cast<int(*) parameters>(dlsym(library, name));                          \
  if (!hip.member)                                                                                 \
    return "the HIP driver has no function " name;
  ROOFTILE_HIP_FUNCTIONS(X)
#undef X
  hip.getErrorName =
      reinterpret_cast<decltype(hip.getErrorName)>(dlsym(library, "hipGetErrorName"));
  if (int result = hip.init(0))
    return "hipInit failed: " + errorName(hip, result);
  int count = 0, pools = 0;
  if (int result = hip.getDeviceCount(&count))
    return "hipGetDeviceCount failed: " + errorName(hip, result);
  if (count < 1)
    return "the HIP driver finds no device";
  hip.hasPools = hip.deviceGetAttribute(&pools, kPoolsSupported, kHipDevice) == 0 && pools != 0;
  return "";
}

const HipDriver *HipDriver::open(std::string *why) {
  static HipDriver *hip = new HipDriver;
  static std::string *missing = new std::string(load(*hip));
  if (why)
    *why = *missing;
  return missing->empty() ? hip : nullptr;
}

const HipDriver *HipDriver::current() {
  std::string why;
  const HipDriver *hip = open(&why);
  if (!hip) {
    recordError(why);
    return nullptr;
  }
  int present = -1;
  if (!hip->check(hip->getDevice(&present), "hipGetDevice"))
    return nullptr;
  if (present != kHipDevice && !hip->check(hip->setDevice(kHipDevice), "hipSetDevice"))
    return nullptr;
  return hip;
}

/// hipDeviceProp_tR0600, whose layout the name of the function promises, has the name of the device
/// at its beginning and gcnArchName, of as many bytes, behind 1160; it has 1472 in all.
bool rooftile::askHipDevice(HipDeviceFacts &facts) {
  constexpr size_t kArchitecture = 1160, kTextBytes = 256, kRoom = 4096;
  const HipDriver *hip = HipDriver::current();
  alignas(8) char properties[kRoom] = {};
  if (!hip ||
      !hip->check(hip->getDeviceProperties(properties, kHipDevice), "hipGetDevicePropertiesR0600"))
    return false;
  auto textAt = [&](size_t place) {
    return std::string(properties + place, strnlen(properties + place, kTextBytes));
  };
  facts.name = textAt(0);
  facts.architecture = textAt(kArchitecture);
  facts.architecture.resize(std::min(facts.architecture.find(':'), facts.architecture.size()));
  if (facts.architecture.compare(0, 3, "gfx") == 0)
    return true;
  recordError("the HIP driver does not say of which architecture " + facts.name + " is");
  return false;
}
