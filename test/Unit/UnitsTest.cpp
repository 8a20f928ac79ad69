//===- UnitsTest.cpp - Numbers as people read them ------------------------===//

#include "rooftile/Planning/Search/Units.h"
#include "gtest/gtest.h"

using namespace rooftile::planning;

TEST(UnitsTest, Durations) {
  EXPECT_EQ(duration(54e-9), "54 ns");
  EXPECT_EQ(duration(41.2e-6), "41.2 us");
  EXPECT_EQ(duration(2.634e-3), "2.63 ms");
  EXPECT_EQ(duration(75), "75.00 s");
}

TEST(UnitsTest, Bytes) {
  EXPECT_EQ(byteCount(512), "512 bytes");
  EXPECT_EQ(byteCount(52 * 1024), "52.0 KiB");
  EXPECT_EQ(byteCount(64 << 20), "64.0 MiB");
  EXPECT_EQ(byteCount(1.5 * (1 << 30)), "1.5 GiB");
  EXPECT_EQ(byteCount(3.0e15), "2728.5 TiB");
}

TEST(UnitsTest, Rates) {
  EXPECT_EQ(flopRate(20.1e9), "20.1 GFLOP/s");
  EXPECT_EQ(flopRate(41.25e12), "41.2 TFLOP/s");
  EXPECT_EQ(flopRate(1.3e15), "1.3 PFLOP/s");
}
