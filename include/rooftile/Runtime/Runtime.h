//===- Runtime.h - What compiled programs and tools call --------*- C++ -*-===//
//
// A small library without LLVM or MLIR. Compiled host code calls functions that
// begin with `rooftile`, such as `rooftileLaunchKernel` (CUDA) and
// `rooftileCpuLaunch` (the same kernels on the CPU); a tool asks for errors and
// launch times here. No function throws or aborts: each
// thread keeps its first error until it clears it.
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
/// (a CUstream; null, the start, is CUDA's default stream) and return without waiting for them.
ROOFTILE_EXPORT void rooftileSetStream(void *stream);

/// The stream of this thread; compiled functions ask for it.
ROOFTILE_EXPORT void *rooftileGetStream();

/// The device's copy of a constant of the program, `sizeBytes` at `host`: made at the first call,
/// which waits for it. `copies` is the program's own memory for the address, zero at the start,
/// one entry for each of 64 devices.
ROOFTILE_EXPORT void *rooftileGlobal(void **copies, const void *host, int64_t sizeBytes);

/// Starts (or stops) timing every kernel launch; starting forgets earlier times.
ROOFTILE_EXPORT void rooftileProfile(bool enabled);

/// Launches timed so far. Callers bracket their work with two counts.
ROOFTILE_EXPORT size_t rooftileProfileCount();

/// Waits for the timed launches, writes up to `size` times in milliseconds, in order of launch,
/// to `milliseconds`, forgets them all and returns how many there were.
ROOFTILE_EXPORT size_t rooftileProfileTake(double *milliseconds, size_t size);

/// True if `address` is a multiple of `bytes`; else records an error that names the operand of a
/// kernel (`role`: 0 A, 1 B, 2 C, 6 + i the extra operand i of an epilogue, else W, a workspace).
/// Compiled host code calls it before a launch.
ROOFTILE_EXPORT bool rooftileIsAligned(int64_t address, int64_t bytes, int64_t role);

/// True if a workspace of `present` elements holds the `needed` ones; else records an error with
/// both numbers. Compiled host code calls it before partial sums are computed.
ROOFTILE_EXPORT bool rooftileHasRoom(int64_t present, int64_t needed);

/// Makes a descriptor of a matrix, 128 bytes, by which kernels have boxes of it copied: `lines`
/// lines of `length` numbers of `numberBytes` (2, 4 or 8), `lineBytes` apart; a box has `boxLines`
/// lines of `boxLength` numbers. False, with a recorded error, where the hardware does not take it:
/// the address and `lineBytes` are multiples of 16, sides of the matrix are shorter than 2^31,
/// those of the box up to 256. Compiled host code calls it before a launch.
ROOFTILE_EXPORT bool rooftileTensorMap(void *descriptor, int64_t address, int64_t numberBytes,
                                       int64_t length, int64_t lines, int64_t lineBytes,
                                       int64_t boxLength, int64_t boxLines);

} // extern "C"

namespace rooftile {

/// Keeps `message` for this thread unless an earlier error of it is still there.
void recordError(const std::string &message);

/// The recorded error of this thread, which is forgotten; an empty string when there is none.
std::string takeError();

/// One launch for the profile: a time in milliseconds, or two CUDA events whose distance it is.
struct LaunchTime {
  double milliseconds = 0;
  void *begin = nullptr;
  void *end = nullptr;
};

/// True between rooftileProfile(true) and rooftileProfile(false).
bool isProfiling();

/// Appends one launch to the profile.
void recordLaunch(LaunchTime time);

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_RUNTIME_H
