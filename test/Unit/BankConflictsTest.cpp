//===- BankConflictsTest.cpp - Shared accesses and banks ------------------===//

#include "rooftile/Dialect/Tile/BankConflicts.h"

#include <gtest/gtest.h>

using namespace rooftile;
using tile::bankConflicts;
using tile::Mode;

namespace {

constexpr tile::Banks kBanks{32, 32};

TEST(BankConflicts, Rows) {
  // 32 lanes side by side; 32 lanes down a column of rows of 32, and of 33, elements.
  Mode row[] = {{32, 0, 1}}, column[] = {{32, 1, 0}};
  EXPECT_EQ(bankConflicts({row, {32, 1}, 1, 4}, kBanks), 0);
  EXPECT_EQ(bankConflicts({column, {32, 1}, 1, 4}, kBanks), 31);
  EXPECT_EQ(bankConflicts({column, {33, 1}, 1, 4}, kBanks), 0);
}

TEST(BankConflicts, SameWordIsNoConflict) {
  Mode all[] = {{32, 0, 0}}, eight[] = {{4, 0, 0}, {8, 0, 4}};
  EXPECT_EQ(bankConflicts({all, {1, 1}, 1, 4}, kBanks), 0);
  EXPECT_EQ(bankConflicts({eight, {1, 1}, 4, 4}, kBanks), 0);
}

TEST(BankConflicts, WideAccessesAreServedInParts) {
  // 16 bytes a lane, 8 lanes at a time: rows of 32 elements meet in all four parts.
  Mode lanes[] = {{2, 0, 4}, {16, 1, 0}};
  EXPECT_EQ(bankConflicts({lanes, {32, 1}, 4, 4}, kBanks), 4 * 3);
  EXPECT_EQ(bankConflicts({lanes, {40, 1}, 4, 4}, kBanks), 0);
  EXPECT_EQ(tile::wavefronts({lanes, {32, 1}, 4, 4}, kBanks), 16);
}

TEST(BankConflicts, Doubles) {
  Mode lanes[] = {{32, 1, 0}};
  EXPECT_EQ(bankConflicts({lanes, {1, 1}, 1, 8}, kBanks), 0);
  EXPECT_EQ(bankConflicts({lanes, {2, 1}, 1, 8}, kBanks), 2);
}

TEST(BankConflicts, EverySubgroupCounts) {
  Mode lanes[] = {{64, 2, 0}};
  EXPECT_EQ(bankConflicts({lanes, {1, 1}, 1, 4}, kBanks), 2);
  EXPECT_EQ(bankConflicts({lanes, {1, 1}, 1, 4}, {32, 64}), 2);
}

TEST(BankConflicts, TurnedTiles) {
  // 16 elements along K by 4 threads of 4, on 8 rows of 128 + 4: two threads meet in every bank.
  Mode four[] = {{4, 0, 4}, {8, 1, 0}}, two[] = {{2, 0, 4}, {16, 1, 0}};
  EXPECT_EQ(bankConflicts({four, {1, 132}, 1, 4}, kBanks), 1);
  EXPECT_EQ(bankConflicts({two, {1, 132}, 1, 4}, kBanks), 0);
}

} // namespace
