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

static void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

Staging::~Staging() {
  abandon();
  for (Slot &slot : slots) {
    driver.destroyEvent(slot.event);
    driver.freePinned(slot.memory);
  }
  driver.destroyStream(stream);
}

bool Staging::create() {
  stream = driver.createStream();
  bool isMade = stream != nullptr;
  for (Slot &slot : slots) {
    slot.memory = isMade ? static_cast<char *>(driver.allocatePinned(kSlotBytes)) : nullptr;
    slot.event = slot.memory ? driver.createEvent(/*isTimed=*/false) : nullptr;
    isMade = slot.event != nullptr;
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
  if (!driver.waitForEvent(slot.event))
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
  return driver.copyInOrder(pointer(to), slot.memory, uint64_t(bytes), stream) &&
         driver.recordEvent(slot.event, stream);
}

bool Staging::upload(const HostBlock &from, const DeviceBlock &to) {
  int64_t together = std::max<int64_t>(1, kSlotBytes / to.pitch); // Columns of a piece.
  for (int64_t column = 0; column < from.columns; column += together) {
    int64_t columns = std::min(together, from.columns - column);
    char *source = from.address + column * from.leadingBytes;
    uint64_t target = to.address + uint64_t(column * to.pitch);
    // A column that is longer than a slot goes piece by piece.
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
  if (!driver.copyInOrder(slot->memory, pointer(from.address), uint64_t(bytes), stream) ||
      !driver.recordEvent(slot->event, stream))
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
    driver.waitForStream(stream);
  for (Slot &slot : slots)
    slot.isBusy = false, slot.done = nullptr;
}
