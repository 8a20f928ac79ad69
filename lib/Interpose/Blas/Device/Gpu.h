//===- Gpu.h - GPUs, and what a call holds of one ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_GPU_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_GPU_H

#include "Kernels.h"
#include "Staging.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace rooftile::interpose {

/// Memory, streams and events of one call at a time.
class Session {
public:
  explicit Session(const Driver &driver) : driver(driver), up(driver), down(driver) {}
  ~Session();

  bool create();
  /// Makes `memory` hold `bytes`; keeps it where it does.
  bool reserve(int64_t bytes);
  void freeMemory();
  /// Work that is given to `second` later waits for all that has been given to `first`.
  bool order(void *first, void *second);
  /// Waits for all copies, before what they read is used again.
  void abandon();

  const Driver &driver;
  Staging up, down;
  uint64_t memory = 0;

private:
  int64_t memoryBytes = 0;
  void *event = nullptr;
};

/// Rates of this machine, as measured when the GPU is started (docs/Blas.md).
struct DeviceRates {
  double copyBytes = 0;   ///< A second, through pinned memory, there or back.
  double roundTrip = 0;   ///< Seconds of copies of nothing there and back.
  double singleFlops = 0; ///< A second, f32, by multiply-adds of all lanes.
  double doubleFlops = 0;
};

class Gpu {
public:
  /// Starts those that the settings list, at the first call. Those that can be used; why others
  /// cannot is reported once, and where none can, in `why`.
  static std::vector<Gpu *> start(std::string &why);
  /// Whether start was called; it will answer at once.
  static bool isStarted();

  /// A session with `bytes` of memory; null, with a recorded error, where there is none. Sessions
  /// that nobody uses give theirs back first.
  std::unique_ptr<Session> take(int64_t bytes);
  void giveBack(std::unique_ptr<Session> session);

  /// After an error that stays: start does not have this one from now on.
  static void retire(Gpu *gpu, const std::string &why);
  /// Seconds of a call that `gpus` such as this one share.
  double seconds(const Call &call, size_t gpus) const;

  const Device device;
  const Driver &driver;
  const Kernels &kernels;
  void *stream; ///< Stream of all kernels.
  DeviceRates rates;

private:
  Gpu(Device device, const Kernels &kernels, void *stream)
      : device(device), driver(Driver::of(device.kind)), kernels(kernels), stream(stream) {}
  static Gpu *make(Device device, std::string &why);
  bool measure();
  void freeIdle();

  std::mutex mutex; ///< Guards `idle`.
  std::vector<std::unique_ptr<Session>> idle;
};

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_GPU_H
