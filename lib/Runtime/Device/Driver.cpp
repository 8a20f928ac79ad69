//===- Driver.cpp - Devices, whoever made them ----------------------------===//

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Device/LaunchList.h"
#include "rooftile/Runtime/Runtime.h"

#include <cstring>
#include <utility>

using namespace rooftile;

namespace {
/// Devices of this thread's calls: one of each kind, and the kind of the innermost scope.
struct Thread {
  const Driver *driver = nullptr;
  int devices[3] = {};
};
} // namespace

static thread_local Thread thread;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

const char *rooftile::nameOf(DeviceKind kind) {
  constexpr const char *kNames[] = {"cuda", "hip", "cpu"};
  return kNames[size_t(kind)];
}

std::string rooftile::describe(Device device) {
  if (device.kind == DeviceKind::Cpu)
    return "the CPU";
  return (device.kind == DeviceKind::Cuda ? "CUDA device " : "HIP device ") +
         std::to_string(device.ordinal);
}

std::string rooftile::sizesText(const int64_t *sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ", " +
         std::to_string(sizes[2]) + ")";
}

bool rooftile::isAmdImage(const void *image) {
  constexpr size_t kMachine = 18; // e_machine, little endian
  auto bytes = static_cast<const unsigned char *>(image);
  return std::memcmp(bytes, "\177ELF", 4) == 0 && bytes[kMachine] == 224 &&
         bytes[kMachine + 1] == 0;
}

//===----------------------------------------------------------------------===//
// The device of a thread
//===----------------------------------------------------------------------===//

const Driver &Driver::of(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::Cuda:
    return cudaDriver();
  case DeviceKind::Hip:
    return hipDriver();
  case DeviceKind::Cpu:
    break;
  }
  return cpuDriver();
}

const Driver &Driver::ofThread() { return thread.driver ? *thread.driver : cudaDriver(); }

int Driver::device() const { return thread.devices[size_t(kind)]; }

void Driver::setDevice(int device) const {
  if (device < 0 || device >= kMostDevices)
    recordError(describe({kind, device}) + " is out of range: 0 to " +
                std::to_string(kMostDevices - 1));
  else
    thread.devices[size_t(kind)] = device;
}

std::string Driver::whyMissing(int device) const {
  std::string why;
  if (!open(why))
    return why;
  int present = count();
  if (device >= 0 && device < present)
    return "";
  return "there is no " + describe({kind, device}) + ": the driver shows " +
         std::to_string(present);
}

DeviceScope::DeviceScope(const Driver &driver, int device)
    : driver(driver), driverBefore(Driver::ofThread()),
      deviceBefore(std::exchange(thread.devices[size_t(driver.kind)], device)),
      contextBefore(driver.context()) {
  thread.driver = &driver;
}

DeviceScope::~DeviceScope() {
  thread.devices[size_t(driver.kind)] = deviceBefore;
  thread.driver = &driverBefore;
  driver.restore(contextBefore);
}

//===----------------------------------------------------------------------===//
// Optional abilities of a driver
//===----------------------------------------------------------------------===//

DeviceState Driver::state(int) const { return {}; }

bool Driver::takesGraphs(void *) const { return false; }

std::unique_ptr<LaunchGraph> Driver::prepare(const LaunchList &) const { return nullptr; }

std::unique_ptr<CallGraph> Driver::makeCallGraph() const {
  recordError(describe({kind, device()}) + ": calls cannot be captured into a graph");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A timed event recorded in `stream`, or null.
static void *mark(const Driver &driver, void *stream) {
  void *event = driver.createEvent(/*isTimed=*/true);
  if (event)
    driver.recordEvent(event, stream);
  return event;
}

void Driver::launch(void *function, const std::string &name, const KernelLaunch &launch,
                    void *stream) const {
  if (recordsLaunches() || !isProfiling())
    return put(function, name, launch, stream);
  LaunchTime time;
  time.driver = this;
  time.device = device();
  time.begin = mark(*this, stream);
  put(function, name, launch, stream);
  time.end = time.begin ? mark(*this, stream) : nullptr;
  recordLaunch(time);
}
