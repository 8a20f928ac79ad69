//===- Memory.h - Memory that is watched ------------------------*- C++ -*-===//
//
// Memory that shows who touches what is not his: buffers between guard zones, host memory that
// ends at a fence, and the heap of compiled host code.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERANDS_MEMORY_H
#define ROOFTILE_VERIFY_OPERANDS_MEMORY_H

#include "rooftile/Runtime/Device/DeviceFacts.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rooftile::verify {

/// Copies between any two of host and device memory, synchronously.
void copyBytes(DeviceKind device, void *to, const void *from, int64_t bytes);

/// Bytes that a program on the host can still use, as Linux estimates it; a great many where it
/// does not specify.
int64_t availableBytes();

/// Waits for all launches.
void synchronize(DeviceKind device);

/// Memory on a device with a guard zone on both sides. Everything, guards included, starts as the
/// byte 0xFF: every float in it is a NaN. After memory of the host is a fence in place
/// of the second zone; such a payload begins at a multiple of 16 bytes, one of a GPU at one of 256.
class Buffer {
public:
  static constexpr int64_t kGuardBytes = 4096;
  /// Whether the host's memory has a fence right after it. Defects that are put into kernels write
  /// there, and are to be found otherwise.
  inline static bool isFenced = true;

  /// Null (with a recorded runtime error) when the device has not that much memory.
  static std::unique_ptr<Buffer> create(DeviceKind device, int64_t bytes);
  ~Buffer();
  Buffer(const Buffer &) = delete;

  char *payload() const { return base + kGuardBytes; }
  int64_t payloadBytes() const { return bytes; }
  char *begin() const { return base; }
  int64_t totalBytes() const { return kGuardBytes + bytes + after; }
  bool contains(const char *pointer) const {
    return pointer == payload() || (pointer >= base && pointer < base + totalBytes());
  }

  /// "12 bytes before" or "0 bytes after": where a guard zone was written; empty when untouched.
  std::string brokenGuard() const;

private:
  Buffer(DeviceKind device, char *base, int64_t bytes, int64_t after)
      : device(device), base(base), bytes(bytes), after(after) {}
  DeviceKind device;
  char *base;
  int64_t bytes, after; // after: bytes of the guard zone after the end
};

/// The host's copy of a range of memory.
struct Mirror {
  char *origin = nullptr;
  int64_t bytes = 0;
  std::unique_ptr<char[]> data;

  void read(DeviceKind device, char *from, int64_t size);
  void write(DeviceKind device) const { copyBytes(device, origin, data.get(), bytes); }
  /// Where the byte at `address` of the origin is in the copy.
  char *at(const char *address) const { return data.get() + (address - origin); }
};

/// `bytes` bytes, a multiple of 16, of which the last one is the last of a page: pages after it can
/// be neither read nor written. Who touches them ends the program, which first reports how far
/// after the end that was. Null when there is too little memory.
char *allocateFenced(int64_t bytes);
void freeFenced(char *memory);
/// Names the code that runs from now on, for that message.
void sayRunning(const std::string &what);

/// `malloc`, `calloc` and `free` for compiled code, by name: workspaces and intermediates of the
/// host lie between guard zones and start as NaN (those of `calloc` as zeros). To free what was
/// written outside is a recorded error of the runtime, so that a wrong kernel fails its case and
/// not the heap of this tool.
std::vector<std::pair<std::string, void *>> heapSymbols();

/// Frees what compiled code returned.
void releaseHeap(void *address);

/// Frees all that compiled code has allocated and not freed, after a call of code that leaves its
/// intermediates.
void releaseLeftovers();

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERANDS_MEMORY_H
