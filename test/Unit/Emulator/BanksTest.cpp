//===- BanksTest.cpp - Conflicts of banks of LDS --------------------------===//

#include "rooftile/Emulator/Banks.h"

#include <gtest/gtest.h>

using namespace rooftile::emulator;

namespace {

/// Clocks, and those that even words would need, of an access of `lanes` lanes `stride` bytes
/// apart.
std::pair<uint64_t, uint64_t> clocksOf(unsigned lanes, unsigned stride, unsigned bytes) {
  BankCounter banks;
  for (unsigned lane = 0; lane < lanes; ++lane)
    banks.touch(uint64_t(lane) * stride, bytes);
  banks.end();
  EXPECT_EQ(banks.accesses, 1u);
  return {banks.clocks, banks.leastClocks};
}

TEST(BanksTest, TheBusiestBankDecides) {
  using Clocks = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(clocksOf(64, 4, 4), Clocks(2, 2));
  EXPECT_EQ(clocksOf(64, 0, 4), Clocks(1, 1)); // one word for all
  EXPECT_EQ(clocksOf(64, 2, 2), Clocks(1, 1)); // two lanes share a word
  EXPECT_EQ(clocksOf(32, 8, 4), Clocks(2, 1)); // even banks only
  EXPECT_EQ(clocksOf(32, 128, 4), Clocks(32, 1));
  EXPECT_EQ(clocksOf(16, 80, 16), Clocks(2, 2)); // rows of 64 bytes with 16 more
  EXPECT_EQ(clocksOf(16, 64, 16), Clocks(8, 2)); // and without
}

TEST(BanksTest, NothingIsCountedWithoutALane) {
  BankCounter banks;
  banks.end();
  EXPECT_EQ(banks.text(), "0 accesses to LDS, 0 clocks, 0 of them for words in one bank");
}

} // namespace
