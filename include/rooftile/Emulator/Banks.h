//===- Banks.h - Conflicts of banks of LDS, from addresses ------*- C++ -*-===//
//
// An access of a wave lasts as many clocks as the busiest bank has words of it: 32 banks of 4
// bytes. Lanes that use the same word share it. In which order a machine serves the lanes of wide
// accesses is not documented: it may need more clocks, not fewer.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EMULATOR_BANKS_H
#define ROOFTILE_EMULATOR_BANKS_H

#include <cstdint>
#include <string>
#include <vector>

namespace rooftile::emulator {

class BankCounter {
public:
  /// Bytes that a lane uses in the access that has begun.
  void touch(uint64_t address, unsigned bytes);
  /// All lanes have been there.
  void end();

  uint64_t accesses = 0;
  uint64_t clocks = 0;
  uint64_t leastClocks = 0; ///< With words that lie evenly in the banks.

  /// "8 accesses to LDS, 24 clocks, 16 of them for words in one bank".
  std::string text() const;

private:
  std::vector<uint64_t> words;
};

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_BANKS_H
