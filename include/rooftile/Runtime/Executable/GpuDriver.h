//===- GpuDriver.h - What executables ask of a vendor's driver --*- C++ -*-===//
//
// Kernels are images that a driver loads. An image says by its first bytes whose it is.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_EXECUTABLE_GPUDRIVER_H
#define ROOFTILE_RUNTIME_EXECUTABLE_GPUDRIVER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace rooftile {

/// A launch with its numbers.
struct KernelLaunch {
  uint32_t kernel;
  int64_t grid[3], block[3], cluster[3];
  int64_t sharedBytes;
  void **parameters;
  const uint32_t *parameterBytes; ///< Of each.
  size_t parameterCount;
};

class LaunchGraph;
class LaunchList;

/// "(3, 1, 1)".
std::string sizesText(const int64_t *sizes);

/// The GPU that this thread's calls go to.
struct GpuFacts {
  std::string name;         ///< As the driver gives it: "NVIDIA H200".
  std::string architecture; ///< "compute capability 9.0", "gfx942"
  int major = 0, minor = 0; ///< Compute capability; 0 of AMD's.
};

/// Devices that are told apart.
constexpr int kGpuDevices = 64;

/// The driver of a vendor, opened when something is first asked of it. What fails is recorded
/// (recordError), but for open.
class GpuDriver {
public:
  static const GpuDriver &cuda();
  static const GpuDriver &hip();
  virtual ~GpuDriver() = default;

  /// False, with the reason in `why`, where there is no driver or no GPU.
  virtual bool open(std::string &why) const = 0;
  virtual bool ask(GpuFacts &facts) const = 0;
  /// The number of this thread's device, less than kGpuDevices.
  virtual int device() const = 0;

  /// The module of an image on this thread's device; null where the driver refuses.
  virtual void *load(const std::string &image) const = 0;
  virtual void unload(void *module, int device) const = 0;
  /// A kernel of a module; null where there is none.
  virtual void *find(void *module, const std::string &kernel) const = 0;
  /// Puts a launch on the stream of this thread; `name` is for messages.
  virtual void launch(void *function, const std::string &name,
                      const KernelLaunch &launch) const = 0;
  /// Whether launches on the stream of this thread may be put there as one: nobody captures it, or
  /// times each launch.
  virtual bool takesGraphs() const { return false; }
  /// Prepares launches as one; null where the driver cannot, and nothing is recorded.
  virtual std::unique_ptr<LaunchGraph> prepare(const LaunchList &launches) const;
  /// Does what the first allocation would, which a stream that is captured does not allow.
  virtual void prepareMemory() const {}
  /// Memory in the order of the stream; null for 0 bytes.
  virtual void *allocate(uint64_t bytes) const = 0;
  virtual void free(void *memory) const = 0;
  /// Copies between memory of the host and of the device, after the work on the stream, and waits
  /// for it. False where the driver refuses.
  virtual bool copy(void *to, const void *from, uint64_t bytes) const = 0;
  /// As rooftileTensorMap.
  virtual void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes,
                              int64_t length, int64_t lines, int64_t lineBytes, int64_t boxLength,
                              int64_t boxLines) const = 0;
};

/// Bytes of an image that isAmdImage reads.
constexpr size_t kImageHeadBytes = 20;

/// True for a code object of AMD's: an ELF file for EM_AMDGPU.
bool isAmdImage(const void *image);

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_EXECUTABLE_GPUDRIVER_H
