//===- Record.cpp - Accesses of kernels, and what is wrong with them ------===//

#include "Cluster.h"
#include <algorithm>
#include <cstring>

using namespace rooftile;
using namespace rooftile::cpu;

/// Description number `site` (>= 1) of a kernel.
static std::string siteText(const Record &record, int64_t site) {
  const char *text = record.sites;
  for (int64_t skip = 1; text && *text && skip < site; ++skip)
    text += std::strlen(text) + 1;
  return text && *text ? text : "access " + std::to_string(site);
}

Block *Block::ownerOf(const void *address) {
  auto place = [&](Block &block) {
    return static_cast<const uint8_t *>(address) - block.shared.get();
  };
  if (place(*this) >= 0 && place(*this) < launch.sharedBytes)
    return this;
  for (Block *block = peers; block < peers + launch.clusterSize; ++block)
    if (place(*block) >= 0 && place(*block) < launch.sharedBytes)
      return block;
  return nullptr;
}

/// "memref.store (tile.store 1, gemm.mlir:3:5) by thread 7 of block 2"
std::string Block::nameOf(const Access &access) const {
  std::string text =
      siteText(launch.record, access.site) + " by thread " + std::to_string(access.thread());
  if (launch.clusterSize > 1)
    text += " of block " + std::to_string(peers[access.rank()].id);
  return text;
}

std::string Block::describe(int64_t place) const {
  if (place == kEnd)
    return "has ended";
  const char *kind = waitsForArrival(place)     ? "wait for bulk copies "
                     : waitsForSubgroup(place)  ? "matrix instruction "
                     : place >= kClusterBarrier ? "cluster barrier "
                                                : "barrier ";
  int64_t number = place & (kClusterBarrier - 1);
  std::string text = std::string("waits at ") + kind + std::to_string(number);
  return launch.record.sites ? text + ", " + siteText(launch.record, number) : text;
}

/// Which barrier a thread that runs has passed last.
std::string Block::barrierBefore(const Thread &thread) const {
  if (thread.barrier == kStart)
    return "no barrier comes before";
  return "the last barrier before is " +
         siteText(launch.record, thread.barrier & (kClusterBarrier - 1));
}

void Block::access(const Thread &thread, const void *address, const AccessSite &what) {
  Access access{epoch, Access::pack(rank, thread.threadId), uint32_t(what.site)};
  Block *owner = ownerOf(address);
  int64_t byte = static_cast<const uint8_t *>(address) - (owner ? owner : this)->shared.get();
  auto text = [&] { return nameOf(access) + ", at byte " + std::to_string(byte); };
  if (!owner || byte + what.bytes > launch.sharedBytes)
    return launch.fail(id, "access of " + std::to_string(what.bytes) + " bytes outside the " +
                               std::to_string(launch.sharedBytes) +
                               " bytes of shared memory: " + text());
  if ((byte & (what.alignment - 1)) != 0)
    return launch.fail(id, "misaligned access, not at a multiple of " +
                               std::to_string(what.alignment) + " bytes: " + text());
  if (what.arrives)
    owner->fences.arrive(byte, what.bytes);
  else if (what.writes)
    owner->fences.write(byte, what.bytes, thread.threadId);
  Conflict conflict = what.writes ? owner->shadow.write(byte, what.bytes, access, what.arrives)
                                  : owner->shadow.read(byte, what.bytes, access);
  if (conflict.kind == Conflict::None)
    return;
  byte = conflict.byte;
  if (conflict.kind == Conflict::Unwritten) {
    // A write may follow before the next barrier: then the race names both.
    if (unwritten.empty())
      unwritten = "reads shared memory that was not written: " + text();
    return;
  }
  launch.fail(id, std::string("race in shared memory: ") +
                      (conflict.otherWrote ? "write by " : "read by ") + nameOf(conflict.other) +
                      " and " + (what.writes ? "write by " : "read by ") + text() +
                      ", with no barrier between them (" + barrierBefore(thread) + ")");
}

void Block::readByProduct(const Thread &thread, const void *address, int64_t bytes, int64_t site) {
  access(thread, address, {bytes, /*alignment=*/bytes, site, /*writes=*/false});
  int64_t byte = static_cast<const uint8_t *>(address) - shared.get();
  bool inside = byte >= 0 && byte + bytes <= launch.sharedBytes;
  int64_t other = inside ? fences.unfenced(byte, bytes) : -1;
  if (other >= 0)
    launch.fail(id, "asynchronous product " + siteText(launch.record, site) + " by thread " +
                        std::to_string(thread.threadId) + " reads what thread " +
                        std::to_string(other) + " wrote to shared memory, at byte " +
                        std::to_string(byte) + ", with no fence after it");
}

/// "0x3f800000": bits of one granule, the highest first.
static std::string hexText(uint64_t bits, int64_t bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int64_t place = 2 * std::min<int64_t>(bytes, sizeof(bits)); place-- > 0;)
    text += digits[bits >> (4 * place) & 15];
  return text;
}

void Block::accessGlobal(const void *address, int64_t bytes, GlobalKind kind, int64_t site) {
  GlobalConflict conflict =
      launch.global.record(address, bytes, kind, {uint32_t(id), uint32_t(site)});
  if (conflict.other.site == 0)
    return;
  static const char *const names[] = {"read by ", "store by ", "atomic addition by "};
  std::string text =
      std::string("race in global memory: ") + names[int(conflict.otherKind)] +
      siteText(launch.record, conflict.other.site) + " of block " +
      std::to_string(conflict.other.block) + " and " + names[int(kind)] +
      siteText(launch.record, site) + " of block " + std::to_string(id) + ", at byte " +
      std::to_string(int64_t(conflict.address) - int64_t(uintptr_t(address))) + " of the access";
  if (kind == GlobalKind::Store && conflict.otherKind == GlobalKind::Store) {
    uint64_t now = 0;
    int64_t granule = std::min<int64_t>(launch.global.granule(), sizeof(now));
    std::memcpy(&now, reinterpret_cast<const void *>(conflict.address), granule);
    text += ": " + hexText(conflict.bits, granule) + " and then " + hexText(now, granule);
  }
  launch.fail(id, text + "; the result depends on the order of the blocks");
}

void rooftileCpuGlobal(const Thread *thread, const void *address, int64_t bytes, int64_t kind,
                       int64_t site) {
  if (auto *block = static_cast<Block *>(thread->block))
    block->accessGlobal(address, bytes, GlobalKind(kind), site);
}

void rooftileCpuRead(const Thread *thread, const void *address, int64_t bytes, int64_t alignment,
                     int64_t site) {
  if (auto *block = static_cast<Block *>(thread->block))
    block->access(*thread, address, {bytes, alignment, site, /*writes=*/false});
}

void rooftileCpuWrite(const Thread *thread, const void *address, int64_t bytes, int64_t alignment,
                      int64_t site) {
  if (auto *block = static_cast<Block *>(thread->block))
    block->access(*thread, address, {bytes, alignment, site, /*writes=*/true});
}
