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

using namespace rooftile;

static constexpr int64_t kGuardBytes = 1024, kSizeBytes = 16;
static constexpr uint8_t kGuardByte = 0xFE, kPayloadByte = 0xFF; // floats of 0xFF are NaN

static void *allocate(size_t bytes) {
  auto *base = static_cast<uint8_t *>(std::malloc(kSizeBytes + 2 * kGuardBytes + bytes));
  if (!base)
    return nullptr;
  std::memcpy(base, &bytes, sizeof(bytes));
  uint8_t *payload = base + kSizeBytes + kGuardBytes;
  std::memset(payload - kGuardBytes, kGuardByte, kGuardBytes);
  std::memset(payload, kPayloadByte, bytes);
  std::memset(payload + bytes, kGuardByte, kGuardBytes);
  return payload;
}

static bool isGuard(const uint8_t *zone) {
  return std::all_of(zone, zone + kGuardBytes, [](uint8_t byte) { return byte == kGuardByte; });
}

void run::releaseHeap(void *address) {
  if (!address)
    return;
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

std::vector<std::pair<std::string, void *>> run::heapSymbols() {
  return {{"malloc", reinterpret_cast<void *>(allocate)},
          {"free", reinterpret_cast<void *>(releaseHeap)}};
}
