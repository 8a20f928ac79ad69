//===- Staging.cpp - Matrices to the device and back ----------------------===//

#include "Staging.h"
#include "Columns.h"

#include <algorithm>

using namespace rooftile;
using namespace rooftile::interpose;

int64_t rooftile::interpose::pitchOf(int64_t columnBytes) {
  constexpr int64_t kAlign = 16, kShort = 8 * kAlign;
  return columnBytes < kShort ? columnBytes : (columnBytes + kAlign - 1) / kAlign * kAlign;
}

static uint64_t number(const void *address) { return reinterpret_cast<uint64_t>(address); }

Staging::~Staging() {
  abandon();
  for (Slot &slot : slots) {
    if (slot.event)
      cuda.eventDestroy(slot.event);
    if (slot.memory)
      cuda.memFreeHost(slot.memory);
  }
  if (stream)
    cuda.streamDestroy(stream);
}

bool Staging::create() {
  constexpr unsigned kNonBlocking = 1;   // CU_STREAM_NON_BLOCKING
  constexpr unsigned kDisableTiming = 2; // CU_EVENT_DISABLE_TIMING
  bool isMade = cuda.check(cuda.streamCreate(&stream, kNonBlocking), "cuStreamCreate");
  for (Slot &slot : slots) {
    void *memory = nullptr;
    isMade = isMade && cuda.check(cuda.memAllocHost(&memory, kSlotBytes), "cuMemAllocHost") &&
             cuda.check(cuda.eventCreate(&slot.event, kDisableTiming), "cuEventCreate");
    slot.memory = static_cast<char *>(memory);
  }
  return isMade;
}

static void unpack(ColumnsAt from, const HostBlock &block) {
  ColumnsAt to = {block.address, block.leadingBytes};
  if (block.triangle)
    copyTriangle(*block.triangle, from, to, block.columns, block.columnBytes / block.columns);
  else
    copyColumns(from, to, block.columns, block.columnBytes);
}

/// Waits for the copy of a slot, and unpacks what it brought.
bool Staging::release(Slot &slot) {
  if (!slot.isBusy)
    return true;
  slot.isBusy = false;
  if (!cuda.check(cuda.eventSynchronize(slot.event), "cuEventSynchronize"))
    return false;
  if (slot.done) {
    unpack({slot.memory, slot.pitch}, slot.target);
    *slot.done = true;
    slot.done = nullptr;
  }
  return true;
}

Staging::Slot *Staging::takeSlot() {
  Slot &slot = slots[next];
  next = 1 - next;
  return release(slot) ? &slot : nullptr;
}

bool Staging::send(Slot &slot, uint64_t to, int64_t bytes) {
  slot.isBusy = true;
  return cuda.check(cuda.memcpyAsync(to, number(slot.memory), size_t(bytes), stream),
                    "cuMemcpyAsync") &&
         cuda.check(cuda.eventRecord(slot.event, stream), "cuEventRecord");
}

bool Staging::upload(const HostBlock &from, const DeviceBlock &to) {
  int64_t together = std::max<int64_t>(1, kSlotBytes / to.pitch); // Columns of a piece.
  for (int64_t column = 0; column < from.columns; column += together) {
    int64_t columns = std::min(together, from.columns - column);
    char *source = from.address + column * from.leadingBytes;
    uint64_t target = to.address + uint64_t(column * to.pitch);
    // A column that is longer than a slot goes in parts.
    for (int64_t begin = 0; begin < from.columnBytes; begin += kSlotBytes) {
      int64_t bytes = std::min(kSlotBytes, from.columnBytes - begin);
      Slot *slot = takeSlot();
      if (!slot)
        return false;
      copyColumns({source + begin, from.leadingBytes}, {slot->memory, to.pitch}, columns, bytes);
      if (!send(*slot, target + uint64_t(begin), (columns - 1) * to.pitch + bytes))
        return false;
    }
  }
  return true;
}

bool Staging::download(const DeviceBlock &from, const HostBlock &to, bool *done) {
  int64_t bytes = (to.columns - 1) * from.pitch + to.columnBytes;
  Slot *slot = takeSlot();
  if (!slot)
    return false;
  if (!cuda.check(cuda.memcpyAsync(number(slot->memory), from.address, size_t(bytes), stream),
                  "cuMemcpyAsync") ||
      !cuda.check(cuda.eventRecord(slot->event, stream), "cuEventRecord"))
    return false;
  slot->target = to, slot->pitch = from.pitch, slot->done = done;
  slot->isBusy = true;
  return true;
}

bool Staging::finish() {
  bool isFinished = true;
  for (int i = 0; i < 2; ++i) // The older one first.
    isFinished &= takeSlot() != nullptr;
  return isFinished;
}

void Staging::abandon() {
  if (stream)
    cuda.streamSynchronize(stream);
  for (Slot &slot : slots)
    slot.isBusy = false, slot.done = nullptr;
}
