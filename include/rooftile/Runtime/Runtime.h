//===- Runtime.h - Errors, streams and times of launches --------*- C++ -*-===//
//
// A small library without LLVM or MLIR: errors, the stream of a thread and launch times here,
// devices in Device/Driver.h, what compiled host code calls in HostCode.h, kernels on the CPU in
// Cpu/Cpu.h, executables in Executable/Executable.h. No function throws or aborts: each thread
// keeps its first error until it clears it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_RUNTIME_H
#define ROOFTILE_RUNTIME_RUNTIME_H

#include <cstddef>
#include <cstdint>
#include <string>

#define ROOFTILE_EXPORT __attribute__((visibility("default")))

extern "C" {

/// The first error of this thread since its last clear, as one line of text; an empty string when
/// there is none. The text stays valid until the thread's next error or clear.
ROOFTILE_EXPORT const char *rooftileLastError();

/// Forgets the recorded error of this thread.
ROOFTILE_EXPORT void rooftileClearError();

/// Compiled functions called by this thread put their kernels, copies and allocations on `stream`
/// (of this thread's device; null, the start, is the default stream) and return without waiting for
/// them.
ROOFTILE_EXPORT void rooftileSetStream(void *stream);

/// The stream of this thread; compiled functions ask for it.
ROOFTILE_EXPORT void *rooftileGetStream();

/// Starts (or stops) timing every kernel launch; starting forgets earlier times.
ROOFTILE_EXPORT void rooftileProfile(bool enabled);

/// Launches timed so far. Callers bracket their work with two counts.
ROOFTILE_EXPORT size_t rooftileProfileCount();

/// Waits for the timed launches, writes up to `size` times in milliseconds, in order of launch,
/// to `milliseconds`, forgets them all and returns how many there were.
ROOFTILE_EXPORT size_t rooftileProfileTake(double *milliseconds, size_t size);

} // extern "C"

namespace rooftile {

/// Keeps `message` for this thread unless an earlier error of it is still there.
void recordError(const std::string &message);

/// The recorded error of this thread, which is forgotten; an empty string when there is none.
std::string takeError();

class Driver;

/// One launch for the profile: a time in milliseconds, or two events of a device whose distance it
/// is.
struct LaunchTime {
  double milliseconds = 0;
  const Driver *driver = nullptr;
  int device = 0;
  void *begin = nullptr;
  void *end = nullptr;
};

/// True between rooftileProfile(true) and rooftileProfile(false).
bool isProfiling();

/// Appends one launch to the profile.
void recordLaunch(LaunchTime time);

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_RUNTIME_H
