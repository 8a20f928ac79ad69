//===- Replays.h - Launches as graphs that are launched again ---*- C++ -*-===//
//
// The host needs some microseconds for a launch: a solve of many short kernels would wait for it.
// So the launches of a function are collected, and those of its second run on a stream become a
// graph, of which later runs change the parameters that are others, and launch it whole.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_EXECUTABLE_REPLAYS_H
#define ROOFTILE_LIB_RUNTIME_EXECUTABLE_REPLAYS_H

#include "Interpreter.h"
#include "rooftile/Runtime/Device/LaunchList.h"
#include "rooftile/Runtime/Executable/Executable.h"

#include <functional>
#include <memory>
#include <mutex>

namespace rooftile {

/// The graphs of an executable. Used by several threads at once.
class Replays {
public:
  explicit Replays(const Driver &driver) : driver(driver) {}

  /// Puts the launches of a run of `code` on the stream of this thread; what fails is recorded.
  void launch(const Code &code, const LaunchList &launches);
  /// One by one.
  void launchEach(const LaunchList &launches) const;
  void clear();

private:
  struct Replay;

  std::shared_ptr<Replay> find(const Code &code);

  const Driver &driver;
  std::mutex mutex;
  std::vector<std::shared_ptr<Replay>> all; ///< The last one was used last.
};

/// A run whose launches are collected. Memory that it frees serves its later allocations of the
/// same number of bytes, and goes back after the launches, or when there is much of it.
class Recorder : public DriverRunner {
public:
  using Find = std::function<void *(uint32_t kernel)>;

  /// `find` gives the handle of a kernel of `data`; null with a recorded error.
  Recorder(const ExecutableData &data, const Driver &driver, Replays &replays, Find find);
  ~Recorder() override;

  /// Launches what `code` did, unless something failed before.
  std::string run(const Code &code, const uint64_t *arguments, uint64_t *results) override;

  void launch(const KernelLaunch &launch) override;
  void *allocate(uint64_t bytes) override;
  void free(void *memory) override;
  void read(void *, const void *, uint64_t) override {
    recordError("a run whose launches are collected reads no memory");
  }
  const void *array(uint32_t) override { return nullptr; }

private:
  struct Memory {
    void *address;
    uint64_t bytes;
    bool isFree;
  };

  void giveBack();

  const ExecutableData &data;
  Replays &replays;
  Find find;
  LaunchList launches;
  std::vector<Memory> memory;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_EXECUTABLE_REPLAYS_H
