//===- ExtentTest.cpp - Extents and overlaps beside sets of bytes ---------===//

#include "rooftile/Operation/Extent.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

using namespace rooftile::operation;

static constexpr int64_t kBytes = 2; // Bytes of an element.

/// The bytes of matrix `batch`, from `address` on; false where one is there twice.
static bool addBytes(const Vectors &vectors, int64_t batch, uint64_t address,
                     std::set<uint64_t> &all) {
  bool areNew = true;
  for (int64_t vector = 0; vector < vectors.vectors; ++vector)
    for (int64_t i = 0; i < vectors.length * kBytes; ++i) {
      int64_t offset = (batch * vectors.stride + vector * vectors.leading) * kBytes + i;
      areNew &= all.insert(address + offset).second;
    }
  return areNew;
}

static std::set<uint64_t> bytesOf(const Vectors &vectors, uint64_t address) {
  std::set<uint64_t> all;
  for (int64_t batch = 0; batch < vectors.count; ++batch)
    addBytes(vectors, batch, address, all);
  return all;
}

static Extent extentOf(const Vectors &vectors) {
  Extent extent;
  EXPECT_TRUE(measure(vectors, kBytes, extent));
  return extent;
}

/// Matrices of some vectors, with and without gaps; batches, of which one repeats a matrix.
static std::vector<Vectors> manyVectors() {
  std::vector<Vectors> all;
  for (int64_t vectors : {0, 1, 2, 3})
    for (int64_t length : {1, 2, 4})
      for (int64_t leading : {4, 5})
        for (auto [count, stride] : {std::pair<int64_t, int64_t>(1, 0), {2, 0}, {2, 2}, {3, 6}})
          all.push_back({vectors, length, leading, count, stride});
  return all;
}

TEST(ExtentTest, Extents) {
  for (const Vectors &vectors : manyVectors()) {
    std::set<uint64_t> bytes = bytesOf(vectors, 0);
    Extent extent = extentOf(vectors);
    EXPECT_EQ(extent.bytes, bytes.empty() ? 0 : int64_t(*bytes.rbegin() + 1));
    if (extent.isDense)
      EXPECT_EQ(extent.bytes, int64_t(bytes.size()));
  }
  Extent vector = extentOfVector(6);
  EXPECT_TRUE(vector.isDense);
  EXPECT_EQ(vector.bytes, 6);
}

TEST(ExtentTest, BytesThatNoNumberCounts) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Extent extent;
  for (const Vectors &vectors :
       {Vectors{1, kMost, kMost}, Vectors{2, 1, kMost}, Vectors{kMost, 1, 2},
        Vectors{2, 3, kMost / 2}, Vectors{1, 1, 1, 2, kMost}, Vectors{1, 1, 1, kMost, 1},
        Vectors{1, 2, 2, kMost / 2, 2}})
    EXPECT_FALSE(measure(vectors, kBytes, extent)) << vectors.vectors << " " << vectors.count;
  EXPECT_TRUE(measure({kMost, 0, kMost}, kBytes, extent));
  EXPECT_EQ(extent.bytes, 0);
}

TEST(ExtentTest, BatchesThatOverlapThemselves) {
  int overlapping = 0;
  for (int64_t vectors : {1, 2, 3})
    for (int64_t length : {1, 2, 3})
      for (int64_t leading : {3, 7, 8})
        for (int64_t count : {1, 2, 3, 5})
          for (int64_t stride = 0; stride < 26; ++stride) {
            Vectors batch{vectors, length, leading, count, stride};
            std::set<uint64_t> bytes;
            bool areApart = true;
            for (int64_t i = 0; i < count; ++i)
              areApart &= addBytes(batch, i, 0, bytes);
            EXPECT_EQ(overlapsItself(extentOf(batch)), !areApart)
                << vectors << " vectors of " << length << ", " << leading << " apart; " << count
                << " matrices, " << stride << " apart";
            overlapping += !areApart;
          }
  EXPECT_GT(overlapping, 100);
}

static bool haveCommon(const std::set<uint64_t> &left, const std::set<uint64_t> &right) {
  for (uint64_t byte : left)
    if (right.count(byte))
      return true;
  return false;
}

/// None and Sure are right, and all is known of single matrices with vectors equally far apart.
TEST(ExtentTest, Overlaps) {
  constexpr uint64_t kAddress = 1000;
  int found[3] = {0, 0, 0};
  for (const Vectors &left : manyVectors())
    for (const Vectors &right : manyVectors()) {
      Extent ofLeft = extentOf(left), ofRight = extentOf(right);
      std::set<uint64_t> bytes = bytesOf(left, kAddress);
      for (uint64_t address = kAddress - 40; address < kAddress + 40; ++address) {
        Placed first{"a", kAddress, ofLeft}, second{"b", address, ofRight};
        Overlap overlap = overlapOf(first, second);
        EXPECT_EQ(overlap, overlapOf(second, first));
        bool isCommon = haveCommon(bytes, bytesOf(right, address));
        EXPECT_TRUE(overlap == Overlap::Unknown || (overlap == Overlap::Sure) == isCommon);
        if (left.count == 1 && right.count == 1 && left.leading == right.leading)
          EXPECT_NE(overlap, Overlap::Unknown);
        ++found[int(overlap)];
      }
    }
  for (int number : found)
    EXPECT_GT(number, 1000);
}

TEST(ExtentTest, Alignments) {
  EXPECT_EQ(alignmentOf(0), 16);
  EXPECT_EQ(alignmentOf(32), 16);
  EXPECT_EQ(alignmentOf(24), 8);
  EXPECT_EQ(alignmentOf(5), 1);
  EXPECT_EQ(bytesOfComponent(Element::C128), 8);
  EXPECT_EQ(bytesOfComponent(Element::BF16), 2);
}

TEST(ExtentTest, Texts) {
  Extent ofA = extentOfVector(96), ofC = extentOfVector(120);
  EXPECT_EQ(textOfOverlap({"C", 0x1a0, ofC}, {"A", 0x200, ofA}),
            "C: its 120 bytes at 0x1a0 overlap A, 96 bytes at 0x200");
  EXPECT_EQ(textOfSpread("out", 3),
            "out: matrices of the batch overlap, since their stride is 3 elements");
  EXPECT_EQ(textOfAlignment("a", 0x102, 2, Element::C64),
            "a: the address 0x102 is no multiple of 4 bytes, the size of its real elements");
  EXPECT_EQ(textOfAlignment("a", 0x104, 4, Element::C64),
            "a: the address 0x104 is a multiple of 4 bytes only; kernels of c64 need 8");
}
