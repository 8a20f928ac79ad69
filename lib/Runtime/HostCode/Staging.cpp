//===- Staging.cpp - Host code on copies of device memory -----------------===//
//
// Host code between kernels that touches elements works on copies: everything it
// may reach is copied in, and what it may have written is copied back, on the
// stream of the caller. Both wait. Ranges that overlap, whatever arguments they
// came from, are one copy: a write through one is seen through the other. Built
// on the names of compiled host code, so that it works with every such runtime.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/HostCode.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

using namespace rooftile;

/// Copies lie as the originals do in a page, so that aligned accesses stay aligned.
static constexpr uint64_t kPage = 4096;

namespace {
struct Range {
  uint64_t begin, end;
  bool isWritten;
  char *memory = nullptr; ///< of the copy
  char *copy = nullptr;   ///< of the byte at `begin`
};

struct Stage {
  std::vector<Range> ranges;
  bool isRead = false, isValid = true;
};
} // namespace

/// Sorted, and one where they overlap.
static void merge(std::vector<Range> &ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &left, const Range &right) { return left.begin < right.begin; });
  std::vector<Range> merged;
  for (const Range &range : ranges) {
    if (merged.empty() || merged.back().end <= range.begin) {
      merged.push_back(range);
      continue;
    }
    merged.back().end = std::max(merged.back().end, range.end);
    merged.back().isWritten |= range.isWritten;
  }
  ranges = std::move(merged);
}

static bool hasError() { return *rooftileLastError() != '\0'; }

/// Makes the copies and waits for them. What cannot be copied reads as zeros, with a recorded
/// error, and nothing is copied back.
static void readAll(Stage &stage, void *stream) {
  merge(stage.ranges);
  for (Range &range : stage.ranges) {
    uint64_t bytes = range.end - range.begin, inPage = range.begin % kPage;
    uint64_t room = (inPage + bytes + kPage - 1) / kPage * kPage;
    range.memory = static_cast<char *>(::operator new(room, std::align_val_t(kPage)));
    std::memset(range.memory, 0, room);
    range.copy = range.memory + inPage;
    rooftileMemcpy(range.copy, reinterpret_cast<void *>(range.begin), bytes, stream);
  }
  rooftileStreamSynchronize(stream);
  stage.isRead = true;
  stage.isValid = !hasError();
}

void *rooftileStage(void *stage, int64_t address, int64_t bytes, bool isWritten) {
  if (!stage)
    stage = new Stage;
  uint64_t begin = static_cast<uint64_t>(address);
  if (bytes > 0)
    static_cast<Stage *>(stage)->ranges.push_back({begin, begin + bytes, isWritten});
  return stage;
}

int64_t rooftileStaged(void *handle, int64_t address, void *stream) {
  Stage &stage = *static_cast<Stage *>(handle);
  if (!stage.isRead)
    readAll(stage, stream);
  for (const Range &range : stage.ranges)
    if (range.begin <= static_cast<uint64_t>(address) && static_cast<uint64_t>(address) < range.end)
      return reinterpret_cast<int64_t>(range.copy) + (address - static_cast<int64_t>(range.begin));
  return address; // of no bytes
}

void rooftileUnstage(void *handle, void *stream) {
  Stage *stage = static_cast<Stage *>(handle);
  bool wrote = false;
  for (Range &range : stage->ranges)
    if (stage->isValid && range.isWritten && range.copy) {
      rooftileMemcpy(reinterpret_cast<void *>(range.begin), range.copy, range.end - range.begin,
                     stream);
      wrote = true;
    }
  if (wrote)
    rooftileStreamSynchronize(stream); // before the copies go
  for (Range &range : stage->ranges)
    ::operator delete(range.memory, std::align_val_t(kPage));
  delete stage;
}
