//===- GlobalShadow.cpp - Who touched which global memory -----------------===//

#include "GlobalShadow.h"
#include <algorithm>
#include <cstring>

using namespace rooftile::cpu;

GlobalShadow::GlobalShadow(int64_t granule) {
  while ((int64_t(1) << (shift + 1)) <= granule)
    ++shift;
}

GlobalConflict GlobalShadow::record(const void *address, int64_t bytes, GlobalKind kind,
                                    GlobalAccess access) {
  auto begin = reinterpret_cast<uintptr_t>(address), end = begin + bytes;
  GlobalConflict first;
  while (begin < end) {
    uintptr_t pageEnd = ((begin >> kPageShift) + 1) << kPageShift;
    uintptr_t next = std::min(end, pageEnd);
    GlobalConflict conflict = recordInPage(begin, int64_t(next - begin), kind, access);
    if (first.other.site == 0)
      first = conflict;
    begin = next;
  }
  return first;
}

int64_t GlobalShadow::storedBytes() const {
  int64_t granules = 0;
  for (const Shard &shard : shards)
    for (const auto &[number, page] : shard.pages)
      for (size_t index = 0; page.written && index < page.written->storers.size(); ++index)
        granules += page.written->storers[index].site != 0 || page.written->adders[index].site != 0;
  return granules << shift;
}

GlobalConflict GlobalShadow::recordInPage(uintptr_t address, int64_t bytes, GlobalKind kind,
                                          GlobalAccess access) {
  uintptr_t number = address >> kPageShift;
  Shard &shard = shards[number % kLocks];
  std::lock_guard<std::mutex> lock(shard.mutex);
  if (!shard.last || shard.lastNumber != number)
    shard.last = &shard.pages[number], shard.lastNumber = number;
  Page &page = *shard.last;
  int64_t granules = kPageBytes >> shift;
  if (kind == GlobalKind::Read && page.readers.empty())
    page.readers.resize(granules);
  if (kind != GlobalKind::Read && !page.written) {
    page.written = std::make_unique<Written>();
    page.written->storers.resize(granules);
    page.written->adders.resize(granules);
  }
  GlobalConflict first;
  for (uintptr_t at = address >> shift; at <= (address + bytes - 1) >> shift; ++at) {
    GlobalConflict conflict = touch(page, at << shift, kind, access);
    if (first.other.site == 0)
      first = conflict;
  }
  return first;
}

/// The granule at `address`, which lies in `page`.
GlobalConflict GlobalShadow::touch(Page &page, uintptr_t address, GlobalKind kind,
                                   GlobalAccess access) {
  int64_t byte = address & (kPageBytes - 1), granule = byte >> shift;
  GlobalConflict conflict;
  auto meet = [&](const GlobalAccess &earlier, GlobalKind earlierKind) {
    bool isOther = earlier.site != 0 && earlier.block != access.block;
    if (isOther && conflict.other.site == 0)
      conflict.other = earlier, conflict.otherKind = earlierKind, conflict.address = address;
    return isOther;
  };
  if (page.written) {
    Written &written = *page.written;
    size_t size = size_t(1) << shift;
    const void *now = reinterpret_cast<const void *>(address);
    GlobalAccess &storer = written.storers[granule], &adder = written.adders[granule];
    bool isSame = kind == GlobalKind::Store && std::memcmp(&written.bits[byte], now, size) == 0;
    if (!isSame && meet(storer, GlobalKind::Store))
      std::memcpy(&conflict.bits, &written.bits[byte], std::min(size, sizeof(conflict.bits)));
    if (kind != GlobalKind::Add)
      meet(adder, GlobalKind::Add);
    if (kind == GlobalKind::Store && !isSame)
      std::memcpy(&written.bits[byte], now, size);
    if (kind != GlobalKind::Read)
      (kind == GlobalKind::Store ? storer : adder) = access;
  }
  if (page.readers.empty())
    return conflict;
  std::array<GlobalAccess, 2> &readers = page.readers[granule];
  if (kind == GlobalKind::Read) {
    bool isFirst = readers[0].site == 0 || readers[0].block == access.block;
    readers[isFirst ? 0 : 1] = access;
    return conflict;
  }
  for (const GlobalAccess &reader : readers)
    meet(reader, GlobalKind::Read);
  return conflict;
}
