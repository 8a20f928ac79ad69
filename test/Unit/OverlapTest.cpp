//===- OverlapTest.cpp - Layouts that name an element twice ---------------===//

#include "rooftile/Dialect/Blas/Overlap.h"
#include "gtest/gtest.h"

#include <set>

using namespace rooftile::blas;

namespace {

/// Counts addresses.
bool namesTwice(int64_t rows, int64_t columns, int64_t s, int64_t t) {
  std::set<int64_t> addresses;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (!addresses.insert(i * s + j * t).second)
        return true;
  return false;
}

TEST(OverlapTest, TwoDimensionsAgreeWithCounting) {
  for (int64_t rows = 1; rows <= 6; ++rows)
    for (int64_t columns = 1; columns <= 6; ++columns)
      for (int64_t s = -13; s <= 13; ++s)
        for (int64_t t = -13; t <= 13; ++t)
          if (s != 0 && t != 0)
            EXPECT_EQ(findOverlap({rows, columns}, {s, t}).has_value(),
                      namesTwice(rows, columns, s, t))
                << rows << "x" << columns << " of strides " << s << ", " << t;
}

TEST(OverlapTest, TheStepsMeet) {
  auto overlap = findOverlap({2, 9, 7}, {1000, 6, -8});
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->dims[0], 1);
  EXPECT_EQ(overlap->dims[1], 2);
  EXPECT_EQ(overlap->steps[0], 4);
  EXPECT_EQ(overlap->steps[1], 3);
}

TEST(OverlapTest, WhatIsUnknownOrEmptyDoesNot) {
  constexpr int64_t open = mlir::ShapedType::kDynamic;
  EXPECT_FALSE(findOverlap({open, 4}, {1, 1}));
  EXPECT_FALSE(findOverlap({4, 4}, {open, 1}));
  EXPECT_FALSE(findOverlap({0, 4, 4}, {1, 1, 1}));
  EXPECT_TRUE(findOverlap({open, 4, 4}, {open, 1, 1}));
  // Numbers at the ends of their type.
  constexpr int64_t least = std::numeric_limits<int64_t>::min() + 1;
  EXPECT_FALSE(findOverlap({4, 4}, {least, 1}));
  EXPECT_TRUE(findOverlap({4, 4}, {least, least}));
}

} // namespace
