//===- Driver.h - Devices, whoever made them --------------------*- C++ -*-===//
//
// Everything that this project asks of a GPU, one implementation for each vendor's driver, and one
// for the host in place of a GPU. Nobody else names a driver.
//
// A driver is opened at run time, when something is first asked of it: nothing needs CUDA or ROCm
// to build, to link or to start. Functions act on this thread's device, which a DeviceScope chooses
// (device 0 without one); nothing of that is shared by threads. What fails is recorded
// (recordError) with the number of the device, but for open.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_DEVICE_DRIVER_H
#define ROOFTILE_RUNTIME_DEVICE_DRIVER_H

#include "rooftile/Runtime/Device/DeviceFacts.h"
#include "rooftile/Runtime/Device/DeviceState.h"
#include "rooftile/Runtime/Device/TensorMap.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace rooftile {

/// A launch: grid, workgroup, shared memory.
struct KernelLaunch {
  uint32_t kernel;
  int64_t grid[3], block[3], cluster[3];
  int64_t sharedBytes;
  void **parameters;
  const uint32_t *parameterBytes; ///< Bytes of each parameter.
  size_t parameterCount;
};

class LaunchGraph;
class LaunchList;
class CallGraph;

/// "(3, 1, 1)".
std::string sizesText(const int64_t *sizes);

class Driver {
public:
  /// The driver of a kind of device, which is not opened yet.
  static const Driver &of(DeviceKind kind);
  /// That of this thread's innermost scope; without one, CUDA.
  static const Driver &ofThread();
  virtual ~Driver() = default;

  const DeviceKind kind;

  //===--- Devices ---------------------------------------------------------===//

  /// False, with the reason in `why`, where there is no driver or no device.
  virtual bool open(std::string &why) const = 0;
  /// "CUDA 13.0"; empty without a driver.
  virtual std::string version() const = 0;
  virtual int count() const = 0;
  /// Why there is no device of that number; empty where there is one.
  std::string whyMissing(int device) const;
  /// Facts that the driver states of a device, which need not be in use.
  virtual bool ask(int device, DeviceFacts &facts) const = 0;
  /// Clocks and power of a device now; unknown where the driver does not report them.
  virtual DeviceState state(int device) const;
  /// The number of this thread's device, less than kMostDevices.
  int device() const;
  /// Chooses it for calls of this thread outside of scopes.
  void setDevice(int device) const;
  /// The device that the program itself has made current on this thread, in the way that kernels of
  /// this project use it; -1, and why, where there is none. The text is static.
  virtual int presentDevice(const char *&why) const = 0;

  //===--- Streams and events ----------------------------------------------===//

  /// A stream that does not wait for the default one (null); null where the driver refuses.
  virtual void *createStream() const = 0;
  virtual void destroyStream(void *stream) const = 0;
  virtual bool waitForStream(void *stream) const = 0;
  /// Waits for all work of the device.
  virtual bool waitForDevice() const = 0;
  /// Whether work of the stream goes to a graph, or the driver does not report it.
  virtual bool isCaptured(void *stream) const = 0;
  virtual void *createEvent(bool isTimed) const = 0;
  virtual void destroyEvent(void *event) const = 0;
  virtual bool recordEvent(void *event, void *stream) const = 0;
  virtual bool waitForEvent(void *event) const = 0;
  /// Work that is put on the stream later waits for the event as it is now.
  virtual bool streamWaitsFor(void *stream, void *event) const = 0;
  /// Milliseconds between two timed events, once they have happened.
  virtual bool elapsed(void *begin, void *end, float &milliseconds) const = 0;

  //===--- Memory ----------------------------------------------------------===//

  /// Memory of the device; null for 0 bytes, and where there is too little.
  virtual void *allocate(uint64_t bytes) const = 0;
  virtual void free(void *memory) const = 0;
  /// allocate() in the order of a stream.
  virtual void *allocateInOrder(uint64_t bytes, void *stream) const = 0;
  virtual void freeInOrder(void *memory, void *stream) const = 0;
  /// Does what the first allocation in order would, which a stream that is captured does not allow.
  virtual void prepareMemory() const {}
  /// Memory of host and device, freed by freeInOrder.
  virtual void *allocateShared(uint64_t bytes) const = 0;
  /// Memory of the host that asynchronous copies need.
  virtual void *allocatePinned(uint64_t bytes) const = 0;
  virtual void freePinned(void *memory) const = 0;
  virtual void pin(void *memory, uint64_t bytes) const = 0;
  virtual void unpin(void *memory) const = 0;
  /// Copies between any two of host and device memory. The default stream's work comes first; from
  /// pageable memory, the call may return while the copy is under way.
  virtual bool copy(void *to, const void *from, uint64_t bytes) const = 0;
  virtual bool copyInOrder(void *to, const void *from, uint64_t bytes, void *stream) const = 0;
  /// Stores a value of 2 or 4 bytes `count` times.
  virtual bool fill(void *to, uint32_t value, int valueBytes, size_t count, void *stream) const = 0;

  //===--- Kernels ---------------------------------------------------------===//

  /// The module of an image on this thread's device; null where the driver refuses.
  virtual void *load(const void *image, size_t bytes) const = 0;
  virtual void unload(void *module) const = 0;
  /// A kernel of a module; null where there is none.
  virtual void *find(void *module, const std::string &kernel) const = 0;
  /// Puts a launch on a stream, and times it where launches are (rooftileProfile); `name` is for
  /// messages.
  void launch(void *function, const std::string &name, const KernelLaunch &launch,
              void *stream) const;
  /// Makes a descriptor of a matrix, kDescriptorBytes, which hardware supports (checkTensorMap).
  virtual bool makeDescriptor(void *descriptor, const TensorMap &matrix) const = 0;

  //===--- Graphs ----------------------------------------------------------===//

  /// Whether launches may be put on the stream as one: nobody captures it, or times each launch.
  virtual bool takesGraphs(void *stream) const;
  /// Prepares launches as one; null where the driver cannot, and nothing is recorded.
  virtual std::unique_ptr<LaunchGraph> prepare(const LaunchList &launches) const;
  /// For calls that are to be captured; null, with a recorded error, where the driver has none.
  virtual std::unique_ptr<CallGraph> makeCallGraph() const;

protected:
  explicit Driver(DeviceKind kind) : kind(kind) {}

  /// Whether `put` records the times of launches.
  virtual bool recordsLaunches() const { return false; }
  virtual void put(void *function, const std::string &name, const KernelLaunch &launch,
                   void *stream) const = 0;

private:
  friend class DeviceScope;
  /// Context of the vendor's calls of this thread, whoever chose it, and restoring it.
  virtual void *context() const = 0;
  virtual void restore(void *context) const = 0;
};

/// For its life, `device` of a driver is this thread's; then what was current before is again, also
/// for the vendor's own calls.
class DeviceScope {
public:
  /// `device`: 0 to kMostDevices - 1.
  DeviceScope(const Driver &driver, int device);
  explicit DeviceScope(Device device) : DeviceScope(Driver::of(device.kind), device.ordinal) {}
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  const Driver &driver, &driverBefore;
  int deviceBefore;
  void *contextBefore;
};

/// A stream, and the graph of what was captured on it.
class CallGraph {
public:
  virtual ~CallGraph() = default;
  /// Captures what `call` starts on the stream, which is this thread's meanwhile. What waits or
  /// allocates is refused.
  virtual bool capture(const std::function<void()> &call) = 0;
  /// Starts the graph, once captured.
  virtual bool launch() = 0;
  virtual bool wait() = 0;
  virtual void *stream() const = 0;
};

/// The implementations.
const Driver &cudaDriver();
const Driver &hipDriver();
const Driver &cpuDriver();

/// Bytes of an image that isAmdImage reads.
constexpr size_t kImageHeadBytes = 20;

/// True for a code object of AMD's: an ELF file for EM_AMDGPU.
bool isAmdImage(const void *image);

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_DEVICE_DRIVER_H
