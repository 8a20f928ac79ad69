//===- FakeDriver.h - What drivers without a GPU share ----------*- C++ -*-===//
//
// The environment controls it: ROOFTILE_FAKE_LOG names a file that gets a line for each call
// with an effect on the device; ROOFTILE_FAKE_FAILURE an exported function, which then returns an
// error, on ROOFTILE_FAKE_FAILURE_DEVICE alone where that is set; ROOFTILE_FAKE_BLOCKED a function
// that loads a module, which on any device but the first then waits for unblock.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TEST_RUNTIME_FAKEDRIVER_H
#define ROOFTILE_TEST_RUNTIME_FAKEDRIVER_H

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace fakedriver {

/// Sees a launch: grid, block and bytes of shared memory, 7 values; the handle of the kernel; its
/// parameters.
using LaunchHook = void (*)(const unsigned *sizes, void *function, void **parameters);

/// The device that the calling thread has made current.
inline thread_local int presentDevice = 0;
inline int present() { return presentDevice; }

inline std::atomic<bool> isWaiting{false}, mayGoOn{false};
inline bool isBlocked() { return isWaiting; }
inline void unblock() { mayGoOn = true; }

/// Notes a call, and the stream it goes to.
inline void note(const char *function, const void *stream = nullptr) {
  const char *path = std::getenv("ROOFTILE_FAKE_LOG");
  FILE *log = path ? std::fopen(path, "a") : nullptr;
  if (!log)
    return;
  std::fprintf(log, "%s stream %zu\n", function, reinterpret_cast<size_t>(stream));
  std::fclose(log);
}

/// 719, a launch that failed, from the function that the environment names.
inline int result(const char *function) {
  const char *failing = std::getenv("ROOFTILE_FAKE_FAILURE");
  const char *device = std::getenv("ROOFTILE_FAKE_FAILURE_DEVICE");
  bool isHere = !device || std::atoi(device) == presentDevice;
  return failing && isHere && std::strcmp(failing, function) == 0 ? 719 : 0;
}

/// Waits where the environment demands it.
inline void waitWhereBlocked(const char *function) {
  const char *blocked = std::getenv("ROOFTILE_FAKE_BLOCKED");
  if (!blocked || std::strcmp(blocked, function) != 0 || presentDevice == 0)
    return;
  mayGoOn = false, isWaiting = true;
  while (!mayGoOn)
    std::this_thread::yield();
  isWaiting = false;
}

/// The value of a variable, or `otherwise`.
inline const char *stated(const char *variable, const char *otherwise) {
  const char *value = std::getenv(variable);
  return value ? value : otherwise;
}

inline void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

template <typename T> int give(T *to, T value, const char *function) {
  *to = value;
  return result(function);
}

/// No two are the same.
inline void *newHandle() {
  static std::atomic<uint64_t> last{0};
  return pointer((last += 16) + (uint64_t(1) << 40));
}

/// Zeros, so that what nobody has written is the same in every run.
inline void *allocate(size_t bytes) {
  size_t whole = (bytes + 4095) / 4096 * 4096;
  return std::memset(std::aligned_alloc(4096, whole), 0, whole);
}

} // namespace fakedriver

#endif // ROOFTILE_TEST_RUNTIME_FAKEDRIVER_H
