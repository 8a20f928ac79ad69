//===- BlocksTest.cpp - How triangular operations are cut -----------------===//

#include "rooftile/Planning/Search/Blocks.h"
#include "Fixtures.h"

using namespace rooftile;
using namespace rooftile::planning;

using BlocksTest = PlanningTest;

namespace {

TEST_F(BlocksTest, SmallMatrixIsOneBlock) {
  Blocks blocks = chooseBlocks({6, 100, 4, false}, h200);
  EXPECT_EQ(blocks.diagonal, 0);
  EXPECT_EQ(blocks.count, 1);
  EXPECT_EQ(blocks.updateSeconds, 0);
}

TEST_F(BlocksTest, UnknownSizesAreCut) {
  EXPECT_GT(chooseBlocks({kAssumedSize, kAssumedSize, 4, true}, h200).diagonal, 0);
}

TEST_F(BlocksTest, BestIsBestOfItsNeighbours) {
  TriangularProblem problem{4096, 4096, 4, false};
  Blocks best = chooseBlocks(problem, h200);
  for (int64_t order : {best.diagonal / 2, best.diagonal * 2})
    EXPECT_LE(best.seconds(), estimateBlocks(problem, order, best.workgroup, h200).seconds());
}

TEST_F(BlocksTest, CountsBlocksAndProducts) {
  Blocks blocks = estimateBlocks({100, 64, 8, false}, 32, 64, h200);
  EXPECT_EQ(blocks.count, 4);
  Blocks one = estimateBlocks({100, 64, 8, false}, 0, 64, h200);
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(one.updateSeconds, 0);
}

TEST_F(BlocksTest, EmptyMatrixHasAPlan) {
  EXPECT_EQ(chooseBlocks({0, 0, 4, false}, h200).diagonal, 0);
}

TEST_F(BlocksTest, MoreLinesTakeLonger) {
  double few = chooseBlocks({1024, 64, 4, false}, mi60).seconds();
  double many = chooseBlocks({1024, 1 << 20, 4, false}, mi60).seconds();
  EXPECT_LT(few, many);
}

} // namespace
