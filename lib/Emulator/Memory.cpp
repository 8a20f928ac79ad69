//===- Memory.cpp - Global and local memory of an emulated GPU ------------===//

#include "rooftile/Emulator/Memory.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

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
      std::free(reinterpret_cast<void *>(address));
}

void *GlobalMemory::allocate(uint64_t bytes) {
  constexpr uint64_t kAlignment = 256, kMost = uint64_t(1) << 40;
  if (bytes > kMost)
    return nullptr;
  void *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment) / kAlignment * kAlignment);
  if (!memory)
    return nullptr;
  std::memset(memory, kPoison, bytes);
  std::lock_guard<std::mutex> lock(mutex);
  blocks[uint64_t(memory)] = {bytes, true};
  return memory;
}

bool GlobalMemory::free(void *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  auto block = blocks.find(uint64_t(memory));
  if (block == blocks.end() || !block->second.isOwn)
    return false;
  blocks.erase(block);
  std::free(memory);
  return true;
}

void GlobalMemory::add(void *memory, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  blocks[uint64_t(memory)] = {bytes, false};
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
