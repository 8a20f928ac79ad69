//===- Banks.cpp - Conflicts of banks of LDS, from addresses --------------===//

#include "rooftile/Emulator/Banks.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>

using namespace rooftile::emulator;

static constexpr uint64_t kBanks = 32, kBankBytes = 4;

void BankCounter::touch(uint64_t address, unsigned bytes) {
  for (uint64_t word = address / kBankBytes; word <= (address + bytes - 1) / kBankBytes; ++word)
    words.push_back(word);
}

void BankCounter::end() {
  if (words.empty())
    return;
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<uint64_t, kBanks> busy{};
  for (uint64_t word : words)
    ++busy[word % kBanks];
  ++accesses;
  clocks += *std::max_element(busy.begin(), busy.end());
  leastClocks += (words.size() + kBanks - 1) / kBanks;
  words.clear();
}

std::string BankCounter::text() const {
  return llvm::formatv("{0} accesses to LDS, {1} clocks, {2} of them for words in one bank",
                       accesses, clocks, clocks - leastClocks);
}
