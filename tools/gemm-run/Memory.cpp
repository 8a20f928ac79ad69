//===- Memory.cpp - Buffers with guard zones, on the CPU or a GPU ---------===//

#include "Memory.h"
#include "Fence.h"
#include "rooftile/Runtime/Cuda/Driver.h"

#include <cstring>
#include <fstream>
#include <limits>

using namespace rooftile;
using namespace rooftile::run;

static uint64_t address(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

int64_t run::availableBytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (int64_t kilobytes; file >> name >> kilobytes && std::getline(file, unit);)
    if (name == "MemAvailable:")
      return kilobytes * 1024;
  return std::numeric_limits<int64_t>::max();
}

void run::synchronize(Device device) {
  const CudaDriver *cuda = device == Device::Cuda ? CudaDriver::current() : nullptr;
  if (cuda)
    cuda->check(cuda->ctxSynchronize(), "cuCtxSynchronize", "a kernel failed");
}

void run::copyBytes(Device device, void *to, const void *from, int64_t bytes) {
  if (bytes <= 0)
    return;
  if (device == Device::Cpu) {
    std::memcpy(to, from, bytes);
    return;
  }
  const CudaDriver *cuda = CudaDriver::current();
  // A copy from pageable memory may return while it is still on its way, and kernels run on streams
  // that do not wait for it.
  if (cuda && cuda->check(cuda->memcpy(address(to), address(from), bytes), "cuMemcpy",
                          std::to_string(bytes) + " bytes"))
    cuda->check(cuda->ctxSynchronize(), "cuCtxSynchronize", "after a copy");
}

static char *allocate(Device device, int64_t bytes) {
  std::string amount = std::to_string(bytes) + " bytes";
  if (device == Device::Cpu) {
    char *pointer = allocateFenced(bytes);
    if (!pointer)
      recordError("out of memory: " + amount);
    return pointer;
  }
  const CudaDriver *cuda = CudaDriver::current();
  uint64_t pointer = 0;
  if (cuda)
    cuda->check(cuda->memAlloc(&pointer, bytes), "cuMemAlloc", amount);
  return reinterpret_cast<char *>(pointer);
}

/// All bytes 0xFF, in a multiple of 4 bytes.
static void poison(Device device, char *pointer, int64_t bytes) {
  if (device == Device::Cpu) {
    std::memset(pointer, 0xFF, bytes);
    return;
  }
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda)
    cuda->check(cuda->memsetD32Async(address(pointer), 0xFFFFFFFFu, bytes / 4, nullptr),
                "cuMemsetD32Async");
}

std::unique_ptr<Buffer> Buffer::create(Device device, int64_t bytes) {
  bytes = (bytes + 15) / 16 * 16;
  int64_t behind = device == Device::Cpu && isFenced ? 0 : kGuardBytes;
  char *base = allocate(device, kGuardBytes + bytes + behind);
  if (!base)
    return nullptr;
  std::unique_ptr<Buffer> buffer(new Buffer(device, base, bytes, behind));
  poison(device, base, buffer->totalBytes());
  return buffer;
}

Buffer::~Buffer() {
  if (device == Device::Cpu) {
    freeFenced(base);
    return;
  }
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->memFree(address(base));
}

std::string Buffer::brokenGuard() const {
  unsigned char guard[kGuardBytes];
  copyBytes(device, guard, base, kGuardBytes);
  for (int64_t i = 0; i < kGuardBytes; ++i)
    if (guard[i] != 0xFF)
      return std::to_string(kGuardBytes - i) + " bytes before its start";
  copyBytes(device, guard, payload() + bytes, behind);
  for (int64_t i = 0; i < behind; ++i)
    if (guard[i] != 0xFF)
      return std::to_string(i) + " bytes behind its end";
  return "";
}

void Mirror::read(Device device, char *from, int64_t size) {
  if (size != bytes || !data)
    data.reset(new char[size > 0 ? size : 1]);
  origin = from;
  bytes = size;
  copyBytes(device, data.get(), from, size);
}
