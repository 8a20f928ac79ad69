//===- CpuDriver.cpp - The host in place of a GPU -------------------------===//
//
// All work is done when a call returns: there is one stream, and events are times. Kernels are
// functions of this process, which nobody loads.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Cpu/HostKernel.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Threads.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace rooftile;

namespace {
using Clock = std::chrono::steady_clock;

class CpuDriver : public Driver {
public:
  CpuDriver() : Driver(DeviceKind::Cpu) {}

  bool open(std::string &why) const override { return why.clear(), true; }
  std::string version() const override { return ""; }
  int count() const override { return 1; }
  bool ask(int, DeviceFacts &facts) const override {
    facts.name = facts.architecture = nameOf(kind);
    facts.units = int(hostThreads());
    return true;
  }
  int presentDevice(const char *&) const override { return 0; }

  void *createStream() const override { return const_cast<CpuDriver *>(this); }
  void destroyStream(void *) const override {}
  bool waitForStream(void *) const override { return true; }
  bool waitForDevice() const override { return true; }
  bool isCaptured(void *) const override { return false; }
  void *createEvent(bool) const override { return new Clock::time_point; }
  void destroyEvent(void *event) const override { delete static_cast<Clock::time_point *>(event); }
  bool recordEvent(void *event, void *) const override {
    return *static_cast<Clock::time_point *>(event) = Clock::now(), true;
  }
  bool waitForEvent(void *) const override { return true; }
  bool streamWaitsFor(void *, void *) const override { return true; }
  bool elapsed(void *begin, void *end, float &milliseconds) const override {
    std::chrono::duration<float, std::milli> time =
        *static_cast<Clock::time_point *>(end) - *static_cast<Clock::time_point *>(begin);
    return milliseconds = time.count(), true;
  }

  void *allocate(uint64_t bytes) const override;
  void free(void *memory) const override { std::free(memory); }
  void *allocateInOrder(uint64_t bytes, void *) const override { return allocate(bytes); }
  void freeInOrder(void *memory, void *) const override { std::free(memory); }
  void *allocateShared(uint64_t bytes) const override { return allocate(bytes); }
  void *allocatePinned(uint64_t bytes) const override { return allocate(bytes); }
  void freePinned(void *memory) const override { std::free(memory); }
  void pin(void *, uint64_t) const override {}
  void unpin(void *) const override {}
  bool copy(void *to, const void *from, uint64_t bytes) const override {
    if (bytes)
      std::memcpy(to, from, bytes);
    return true;
  }
  bool copyInOrder(void *to, const void *from, uint64_t bytes, void *) const override {
    return copy(to, from, bytes);
  }
  bool fill(void *to, uint32_t value, int valueBytes, size_t count, void *) const override;

  void *load(const void *, size_t) const override {
    recordError("kernels of the CPU are functions of a process: there is nothing to load");
    return nullptr;
  }
  void unload(void *) const override {}
  void *find(void *, const std::string &) const override { return nullptr; }
  bool makeDescriptor(void *descriptor, const TensorMap &m) const override {
    return rooftileCpuTensorMap(descriptor, m.address, m.realBytes, m.length, m.vectors,
                                m.vectorBytes, m.boxLength, m.boxVectors, m.swizzleBytes);
  }

protected:
  bool recordsLaunches() const override { return true; } // rooftileCpuLaunch does
  void put(void *function, const std::string &name, const KernelLaunch &launch,
           void *stream) const override;
  void *context() const override { return nullptr; }
  void restore(void *) const override {}
};
} // namespace

const Driver &rooftile::cpuDriver() {
  static const Driver *instance = new CpuDriver; // never destroyed: programs call after main
  return *instance;
}

/// Aligned as CUDA's memory is.
void *CpuDriver::allocate(uint64_t bytes) const {
  constexpr uint64_t kAlignment = 256, kMostBytes = uint64_t(1) << 40;
  if (bytes == 0)
    return nullptr;
  void *memory =
      bytes > kMostBytes
          ? nullptr
          : std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (!memory)
    recordError("out of memory: " + std::to_string(bytes) + " bytes");
  return memory;
}

bool CpuDriver::fill(void *to, uint32_t value, int valueBytes, size_t count, void *) const {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char *>(to) + i * valueBytes, &value,
                size_t(valueBytes)); // its low half
  return true;
}

void CpuDriver::put(void *function, const std::string &name, const KernelLaunch &launch,
                    void *) const {
  for (const int64_t *sizes : {launch.grid, launch.block, launch.cluster})
    if (sizes[1] != 1 || sizes[2] != 1)
      return recordError("kernel " + name + ": a launch on the host has one dimension, not " +
                         std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " +
                         std::to_string(sizes[2]));
  (*static_cast<const HostKernel *>(function))(launch.grid[0], launch.block[0], launch.cluster[0],
                                               launch.sharedBytes, launch.parameters);
}
