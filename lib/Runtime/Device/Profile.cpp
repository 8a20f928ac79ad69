//===- Profile.cpp - Times of launches ------------------------------------===//

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"

#include <atomic>
#include <mutex>
#include <vector>

using namespace rooftile;

namespace {
struct Profile {
  std::mutex mutex;
  std::atomic<bool> isOn{false};
  std::vector<LaunchTime> launches;
};
} // namespace

static Profile &profile() {
  static Profile *instance = new Profile; // never destroyed: kernels unload after main
  return *instance;
}

bool rooftile::isProfiling() { return profile().isOn; }

void rooftile::recordLaunch(LaunchTime time) {
  std::lock_guard<std::mutex> lock(profile().mutex);
  profile().launches.push_back(time);
}

static std::vector<LaunchTime> takeLaunches() {
  std::lock_guard<std::mutex> lock(profile().mutex);
  return std::move(profile().launches);
}

/// Time between the two events of a launch, which are destroyed.
static double finish(const LaunchTime &time) {
  if (!time.driver)
    return time.milliseconds;
  DeviceScope scope(*time.driver, time.device);
  float milliseconds = 0;
  if (time.end && time.driver->waitForEvent(time.end))
    time.driver->elapsed(time.begin, time.end, milliseconds);
  for (void *event : {time.begin, time.end})
    time.driver->destroyEvent(event);
  return milliseconds;
}

void rooftileProfile(bool enabled) {
  for (const LaunchTime &time : takeLaunches())
    finish(time);
  std::lock_guard<std::mutex> lock(profile().mutex);
  profile().launches.clear();
  profile().isOn = enabled;
}

size_t rooftileProfileCount() {
  std::lock_guard<std::mutex> lock(profile().mutex);
  return profile().launches.size();
}

size_t rooftileProfileTake(double *milliseconds, size_t size) {
  std::vector<LaunchTime> launches = takeLaunches();
  for (size_t i = 0; i < launches.size(); ++i) {
    double time = finish(launches[i]);
    if (i < size)
      milliseconds[i] = time;
  }
  return launches.size();
}
