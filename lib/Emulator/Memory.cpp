//===- Memory.cpp - Global and local memory of an emulated GPU ------------===//

#include "rooftile/Emulator/Memory.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace rooftile::emulator;

/// Byte of memory that nobody has written: a NaN in every format.
static constexpr uint8_t kPoison = 0x7f;
/// Between LDS addresses that are checked for races.
static constexpr unsigned kGranule = 2;

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

GlobalMemory::~GlobalMemory() {
  for (auto [address, block] : blocks)
    if (block.isOwn)
      unmap(block);
}

/// Addresses of user programs that no loader or allocator uses, as a rule.
static constexpr uint64_t kFirstBoundary = uint64_t(0x1000) << 32, kLastBoundary = uint64_t(0x6000)
                                                                                   << 32;
static constexpr uint64_t kPage = 4096, kAlignment = 256;

/// Pages for `bytes` bytes, half of them before `around`; anywhere with 0. Nothing where these
/// pages are in use, or there are none.
GlobalMemory::Block GlobalMemory::map(uint64_t bytes, uint64_t around) {
  uint64_t before = around ? llvm::alignTo(bytes / 2, kPage) : 0;
  uint64_t size = before + llvm::alignTo(bytes + 1, kPage);
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | (around ? MAP_FIXED_NOREPLACE : 0);
  void *wanted = reinterpret_cast<void *>(around - before);
  void *pages = mmap(wanted, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (pages == MAP_FAILED)
    return {0, false};
  Block block{bytes, true, uint64_t(pages), size};
  if (!around || pages == wanted)
    return block;
  unmap(block); // a system without MAP_FIXED_NOREPLACE
  return {0, false};
}

void GlobalMemory::unmap(const Block &block) {
  munmap(reinterpret_cast<void *>(block.mapped), block.mappedBytes);
}

void *GlobalMemory::allocate(uint64_t bytes) {
  constexpr uint64_t kMost = uint64_t(1) << 40, kStep = uint64_t(1) << 32;
  constexpr int kTries = 4;
  if (bytes > kMost)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  Block block{0, false};
  for (int attempt = 0; attempt < kTries && !block.isOwn && bytes < kStep; ++attempt) {
    boundary =
        boundary < kFirstBoundary || boundary >= kLastBoundary ? kFirstBoundary : boundary + kStep;
    block = map(bytes, boundary);
  }
  bool isAcross = block.isOwn;
  if (!isAcross)
    block = map(bytes, 0);
  if (!block.isOwn)
    return nullptr;
  uint64_t begin = isAcross ? boundary - bytes / 2 / kAlignment * kAlignment : block.mapped;
  void *memory = reinterpret_cast<void *>(begin);
  std::memset(memory, kPoison, bytes);
  blocks[begin] = block;
  return memory;
}

bool GlobalMemory::free(void *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  auto block = blocks.find(uint64_t(memory));
  if (block == blocks.end() || !block->second.isOwn)
    return false;
  unmap(block->second);
  blocks.erase(block);
  return true;
}

void GlobalMemory::add(void *memory, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  blocks[uint64_t(memory)] = {bytes, false, 0, 0};
}

void GlobalMemory::remove(void *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  auto block = blocks.find(uint64_t(memory));
  if (block != blocks.end() && !block->second.isOwn)
    blocks.erase(block);
}

std::string GlobalMemory::check(uint64_t address, uint64_t bytes) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin())
    return llvm::formatv("{0} bytes at {1:x}, before all memory", bytes, address);
  auto [begin, block] = *std::prev(after);
  if (address + bytes <= begin + block.bytes)
    return "";
  return llvm::formatv("{0} bytes at {1:x}, {2} bytes after the begin of memory of {3}", bytes,
                       address, address - begin, block.bytes);
}

std::vector<std::pair<uint64_t, uint64_t>> GlobalMemory::ranges() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::pair<uint64_t, uint64_t>> all;
  for (auto [begin, block] : blocks)
    all.push_back({begin, begin + block.bytes});
  return all;
}

void GlobalView::add(uint64_t address, uint64_t bytes) {
  std::pair<uint64_t, uint64_t> range{address, address + bytes};
  ranges.insert(std::upper_bound(ranges.begin(), ranges.end(), range), range);
}

bool GlobalView::contains(uint64_t address, uint64_t bytes) {
  if (address >= last.first && address + bytes <= last.second)
    return true;
  auto after = std::upper_bound(ranges.begin(), ranges.end(), std::pair(address, UINT64_MAX));
  if (after == ranges.begin() || address + bytes > std::prev(after)->second)
    return false;
  last = *std::prev(after);
  return true;
}

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

LocalMemory::LocalMemory(uint64_t size)
    : bytes(size, kPoison), granules((size + kGranule - 1) / kGranule) {}

static std::string outside(uint64_t address, unsigned size, size_t all) {
  return llvm::formatv("{0} bytes at LDS address {1} of {2}", size, address, all);
}

static std::string race(const char *what, unsigned wave, uint64_t address, unsigned other) {
  return llvm::formatv("wave {0} {1} LDS address {2}, which wave {3} uses since the last barrier",
                       wave, what, address, other);
}

std::string LocalMemory::load(unsigned wave, uint64_t address, void *to, unsigned size) {
  if (address + size > bytes.size() || address > bytes.size())
    return outside(address, size, bytes.size());
  if (banks)
    banks->touch(address, size);
  std::memcpy(to, &bytes[address], size);
  for (uint64_t at = address / kGranule; at <= (address + size - 1) / kGranule; ++at) {
    Granule &granule = granules[at];
    if (granule.writeEpoch == epoch && granule.writer != wave)
      return race("reads", wave, at * kGranule, granule.writer);
    if (granule.readEpoch != epoch)
      granule.readEpoch = epoch, granule.readers = 0;
    granule.readers |= uint64_t(1) << (wave % 64);
  }
  return "";
}

std::string LocalMemory::store(unsigned wave, uint64_t address, const void *from, unsigned size) {
  if (address + size > bytes.size() || address > bytes.size())
    return outside(address, size, bytes.size());
  if (banks)
    banks->touch(address, size);
  std::memcpy(&bytes[address], from, size);
  for (uint64_t at = address / kGranule; at <= (address + size - 1) / kGranule; ++at) {
    Granule &granule = granules[at];
    if (granule.writeEpoch == epoch && granule.writer != wave)
      return race("writes", wave, at * kGranule, granule.writer);
    uint64_t others =
        granule.readEpoch == epoch ? granule.readers & ~(uint64_t(1) << (wave % 64)) : 0;
    if (others)
      return race("writes", wave, at * kGranule, unsigned(llvm::countr_zero(others)));
    granule.writeEpoch = epoch, granule.writer = wave;
  }
  return "";
}
