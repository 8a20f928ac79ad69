//===- Status.cpp - Recorded errors and launch times ----------------------===//

#include "rooftile/Runtime/Cuda/Driver.h"
#include "rooftile/Runtime/OfThread.h"

#include <atomic>
#include <mutex>
#include <vector>

using namespace rooftile;

namespace {
struct Status {
  std::mutex mutex;
  std::atomic<bool> profiling{false};
  std::vector<LaunchTime> launches;
};
} // namespace

static Status &status() {
  static Status *instance = new Status; // never destroyed: kernels unload after main
  return *instance;
}

/// The error of this thread.
static std::string &error() { return ofThread<std::string, struct RecordedError>(); }

void rooftile::recordError(const std::string &message) {
  if (error().empty())
    error() = message;
}

std::string rooftile::takeError() {
  std::string taken;
  taken.swap(error());
  return taken;
}

bool rooftile::isProfiling() { return status().profiling; }

void rooftile::recordLaunch(LaunchTime time) {
  std::lock_guard<std::mutex> lock(status().mutex);
  status().launches.push_back(time);
}

static std::vector<LaunchTime> takeLaunches() {
  std::lock_guard<std::mutex> lock(status().mutex);
  return std::move(status().launches);
}

/// Time between the two events of a launch, which are destroyed.
static double finish(LaunchTime time) {
  if (!time.begin)
    return time.milliseconds;
  const CudaDriver *cuda = CudaDriver::current();
  if (!cuda)
    return 0;
  float milliseconds = 0;
  if (cuda->check(cuda->eventSynchronize(time.end), "cuEventSynchronize"))
    cuda->check(cuda->eventElapsedTime(&milliseconds, time.begin, time.end), "cuEventElapsedTime");
  cuda->eventDestroy(time.begin);
  cuda->eventDestroy(time.end);
  return milliseconds;
}

const char *rooftileLastError() { return error().c_str(); }

void rooftileClearError() { error().clear(); }

void rooftileProfile(bool enabled) {
  for (LaunchTime time : takeLaunches())
    finish(time);
  std::lock_guard<std::mutex> lock(status().mutex);
  status().launches.clear();
  status().profiling = enabled;
}

size_t rooftileProfileCount() {
  std::lock_guard<std::mutex> lock(status().mutex);
  return status().launches.size();
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
