//===- Heap.cpp - What compiled host code allocates -----------------------===//
//
//   size | guard zone | payload | guard zone
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "rooftile/Runtime/Runtime.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

using namespace rooftile;

static constexpr int64_t kGuardBytes = 1024, kSizeBytes = 16;
static constexpr uint8_t kGuardByte = 0xFE, kPayloadByte = 0xFF; // floats of 0xFF are NaN

/// What is allocated, by address: to free anything else is an error.
static std::mutex mutex;
static std::set<void *> allocated;

static void *allocate(size_t bytes) {
  auto *base = static_cast<uint8_t *>(std::malloc(kSizeBytes + 2 * kGuardBytes + bytes));
  if (!base)
    return nullptr;
  std::memcpy(base, &bytes, sizeof(bytes));
  uint8_t *payload = base + kSizeBytes + kGuardBytes;
  std::memset(payload - kGuardBytes, kGuardByte, kGuardBytes);
  std::memset(payload, kPayloadByte, bytes);
  std::memset(payload + bytes, kGuardByte, kGuardBytes);
  std::lock_guard<std::mutex> lock(mutex);
  allocated.insert(payload);
  return payload;
}

/// LLVM makes one call of an allocation and of zeros written to it.
static void *allocateZeros(size_t count, size_t bytes) {
  void *payload = allocate(count * bytes);
  if (payload)
    std::memset(payload, 0, count * bytes);
  return payload;
}

static bool isGuard(const uint8_t *zone) {
  return std::all_of(zone, zone + kGuardBytes, [](uint8_t byte) { return byte == kGuardByte; });
}

void run::releaseHeap(void *address) {
  if (!address)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (allocated.erase(address) == 0)
      return recordError("host memory was freed that is not allocated");
  }
  auto *payload = static_cast<uint8_t *>(address);
  uint8_t *base = payload - kGuardBytes - kSizeBytes;
  size_t bytes;
  std::memcpy(&bytes, base, sizeof(bytes));
  for (bool behind : {false, true})
    if (!isGuard(behind ? payload + bytes : payload - kGuardBytes))
      recordError("host memory of " + std::to_string(bytes) + " bytes was written " +
                  (behind ? "behind its end" : "before its beginning"));
  std::free(base);
}

void run::releaseLeftovers() {
  while (!allocated.empty())
    releaseHeap(*allocated.begin());
}

std::vector<std::pair<std::string, void *>> run::heapSymbols() {
  return {{"malloc", reinterpret_cast<void *>(allocate)},
          {"calloc", reinterpret_cast<void *>(allocateZeros)},
          {"free", reinterpret_cast<void *>(releaseHeap)}};
}
