//===- FakeNvml.cpp - A libnvidia-ml without a GPU ------------------------===//
//
// The management library of the devices of FakeCuda.cpp, which it finds by their bus alone. Each
// has a clock of its own. ROOFTILE_FAKE_THROTTLE is the mask of reasons that lower it ("0x40");
// ROOFTILE_FAKE_FAILURE a function that fails.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

using namespace fakedriver;

extern "C" {
int nvmlInit_v2() { return result("nvmlInit_v2"); }
/// "00FA:10:00.0" is device 0, "00FA:11:00.0" device 1.
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **handle) {
  constexpr int kNotFound = 6;
  unsigned number = 0;
  if (std::sscanf(bus, "00FA:%x:00.0", &number) != 1)
    return kNotFound;
  return give(handle, pointer(number), "nvmlDeviceGetHandleByPciBusId_v2");
}
int nvmlDeviceGetClockInfo(void *handle, int type, unsigned *clock) {
  unsigned number = unsigned(reinterpret_cast<uint64_t>(handle)) - 0x10;
  return give(clock, type == 1 ? 1755 - 100 * number : 3201u, "nvmlDeviceGetClockInfo");
}
int nvmlDeviceGetPowerUsage(void *, unsigned *milliwatts) {
  return give(milliwatts, 612500u, "nvmlDeviceGetPowerUsage");
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *, unsigned long long *reasons) {
  return give(reasons, std::strtoull(stated("ROOFTILE_FAKE_THROTTLE", "0"), nullptr, 16),
              "nvmlDeviceGetCurrentClocksThrottleReasons");
}
}
