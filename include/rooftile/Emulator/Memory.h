//===- Memory.h - Global and local memory of an emulated GPU ----*- C++ -*-===//
#ifndef ROOFTILE_EMULATOR_MEMORY_H
#define ROOFTILE_EMULATOR_MEMORY_H

#include "rooftile/Emulator/Banks.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rooftile::emulator {

/// Allocations, at their addresses in this process. Safe for several threads.
class GlobalMemory {
public:
  ~GlobalMemory();
  /// Memory that reads as signalling NaN; null where there is too little. Multiples of 2^32 lie
  /// inside of blocks, where the system allows it: addresses in it have different high halves.
  void *allocate(uint64_t bytes);
  /// False where nothing was allocated at this address.
  bool free(void *memory);
  /// Memory of the host that kernels may use, too.
  void add(void *memory, uint64_t bytes);
  void remove(void *memory);
  /// Why an access is wrong, with the nearest allocation; empty where it is right.
  std::string check(uint64_t address, uint64_t bytes) const;
  /// First address and that after the end of each block, in order.
  std::vector<std::pair<uint64_t, uint64_t>> ranges() const;

private:
  struct Block {
    uint64_t bytes;
    bool isOwn;
    uint64_t mapped = 0, mappedBytes = 0; ///< Pages of an own block.
  };
  static Block map(uint64_t bytes, uint64_t around);
  static void unmap(const Block &block);

  mutable std::mutex mutex;
  uint64_t boundary = 0; ///< The last multiple of 2^32 that was used.
  std::map<uint64_t, Block> blocks;
};

/// The blocks at the begin of a launch, by which accesses of its threads are checked.
class GlobalView {
public:
  explicit GlobalView(const GlobalMemory &memory) : memory(memory), ranges(memory.ranges()) {}
  /// Memory that kernels read beside allocations: arguments, constants.
  void add(uint64_t address, uint64_t bytes);
  bool contains(uint64_t address, uint64_t bytes);
  std::string whyNot(uint64_t address, uint64_t bytes) const {
    return memory.check(address, bytes);
  }

private:
  const GlobalMemory &memory;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  std::pair<uint64_t, uint64_t> last{0, 0}; ///< Where the last access was.
};

/// LDS of a workgroup. Two waves may not use the same 16 bits between two barriers where one of
/// them writes.
class LocalMemory {
public:
  /// Bytes that read as signalling NaN until they are written.
  explicit LocalMemory(uint64_t bytes);

  /// Why the access is out of bounds, or races with an earlier one; empty where it is right.
  std::string load(unsigned wave, uint64_t address, void *to, unsigned bytes);
  std::string store(unsigned wave, uint64_t address, const void *from, unsigned bytes);
  /// All waves have met at a barrier.
  void passBarrier() { ++epoch; }
  /// All lanes of a wave have made an access.
  void endAccess() {
    if (banks)
      banks->end();
  }
  BankCounter *banks = nullptr; ///< Counts, where anybody asks.

private:
  struct Granule {
    uint32_t writeEpoch = 0, readEpoch = 0;
    uint32_t writer = 0;  ///< Number of the wave.
    uint64_t readers = 0; ///< A bit for each wave.
  };
  std::vector<uint8_t> bytes;
  std::vector<Granule> granules;
  uint32_t epoch = 1;
};

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_MEMORY_H
