//===- BlocksTest.cpp - How triangular operations are cut -----------------===//

#include "Fixtures.h"
#include "rooftile/Planning/Search/Sweep.h"
#include "rooftile/Planning/Search/ThreadVectors.h"

using namespace rooftile;
using namespace rooftile::planning;

using BlocksTest = PlanningTest;

static TriangularProblem problemOf(int64_t order, int64_t vectors, int64_t bytes = 4) {
  TriangularProblem problem;
  problem.order = order, problem.vectors = vectors, problem.elementBytes = bytes;
  return problem;
}

static Blocks blocksOf(int64_t diagonal, blas::Method method = blas::Method::Substitute,
                       int64_t base = 0) {
  Blocks blocks;
  blocks.diagonal = diagonal, blocks.method = method, blocks.base = base;
  return blocks;
}

namespace {

TEST_F(BlocksTest, SmallMatrixIsOneBlock) {
  Blocks blocks = chooseBlocks(problemOf(6, 100), h200);
  EXPECT_EQ(blocks.diagonal, 0);
  EXPECT_EQ(blocks.count, 1);
  EXPECT_EQ(blocks.updateSeconds, 0);
}

TEST_F(BlocksTest, UnknownSizesAreCut) {
  TriangularProblem problem = problemOf(kAssumedSize, kAssumedSize);
  problem.assumed = problem.substitutes = true;
  Blocks blocks = chooseBlocks(problem, h200);
  EXPECT_GT(blocks.diagonal, 0);
  EXPECT_EQ(blocks.method, blas::Method::Substitute);
}

TEST_F(BlocksTest, BestIsBestOfItsNeighbours) {
  TriangularProblem problem = problemOf(4096, 4096);
  Blocks best = chooseBlocks(problem, h200);
  for (int64_t order : {best.diagonal / 2, best.diagonal * 2}) {
    Blocks other = best;
    other.diagonal = order;
    if (order >= best.base && order <= 512) // larger ones are not inverted
      EXPECT_LE(best.seconds(), priced(problem, other, h200).seconds());
  }
}

TEST_F(BlocksTest, CountsBlocksAndProducts) {
  Blocks blocks = priced(problemOf(100, 64, 8), blocksOf(32), h200);
  EXPECT_EQ(blocks.count, 4);
  Blocks one = priced(problemOf(100, 64, 8), blocksOf(0), h200);
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(one.updateSeconds, 0);
}

TEST_F(BlocksTest, ProductsAreOfKnownTriangles) {
  TriangularProblem multiplied = problemOf(1024, 1024);
  multiplied.solves = false;
  EXPECT_EQ(chooseBlocks(multiplied, h200).method, blas::Method::Product);
  // Small ones are not worth a second kernel.
  TriangularProblem small = problemOf(256, 256);
  small.solves = false;
  EXPECT_EQ(chooseBlocks(small, h200).method, blas::Method::Mask);
  multiplied.substitutes = true;
  EXPECT_EQ(chooseBlocks(multiplied, h200).method, blas::Method::Substitute);
}

TEST_F(BlocksTest, InversesCostMoreThanOneForOne) {
  TriangularProblem problem = problemOf(2048, 2048);
  double small = priced(problem, blocksOf(64, blas::Method::Invert, 64), h200).diagonalSeconds;
  double large = priced(problem, blocksOf(512, blas::Method::Invert, 64), h200).diagonalSeconds;
  EXPECT_GT(large, small);
}

TEST_F(BlocksTest, RaggedBlocksArePriced) {
  // 488 of 1000 rows need a copy and a product of their own, but no inverse: 1024 rows last as long
  // but for these.
  Blocks invert = blocksOf(512, blas::Method::Invert, 128);
  invert.workgroup = 128, invert.workgroupVectors = 8;
  double ragged = priced(problemOf(1000, 1000), invert, h200).seconds();
  double whole = priced(problemOf(1024, 1024), invert, h200).seconds();
  EXPECT_GT(ragged, whole);
  EXPECT_LT(ragged, 1.1 * whole);
  // One of at most `base` is solved by a kernel of its own.
  invert.diagonal = invert.base = 256, invert.workgroupVectors = 4;
  EXPECT_GT(priced(problemOf(764, 214), invert, h200).diagonalSeconds,
            1.3 * priced(problemOf(512, 214), invert, h200).diagonalSeconds);
}

TEST_F(BlocksTest, InPlaceProductsCopy) {
  TriangularProblem problem = problemOf(1024, 1024);
  problem.solves = false;
  double out = priced(problem, blocksOf(0, blas::Method::Product), h200).seconds();
  problem.inPlace = true;
  EXPECT_GT(priced(problem, blocksOf(0, blas::Method::Product), h200).seconds(), out);
}

TEST_F(BlocksTest, RanksAllFastestFirst) {
  TriangularProblem problem = problemOf(512, 512);
  std::vector<Blocks> ranked = rankBlocks(problem, h200);
  EXPECT_GT(ranked.size(), 10u);
  for (size_t rank = 1; rank < ranked.size(); ++rank)
    EXPECT_LE(ranked[rank - 1].seconds(), ranked[rank].seconds());
  EXPECT_EQ(ranked.front().toAttribute(&context),
            chooseBlocks(problem, h200).toAttribute(&context));
}

TEST_F(BlocksTest, LongVectorsAreTakenInParts) {
  VectorKernel kernel = chooseVectors(problemOf(64, 100000), 64, h200);
  EXPECT_LT(kernel.rows, 64);
  EXPECT_EQ(kernel.vectors, 2);
  // Where there are few vectors each has a thread.
  EXPECT_EQ(chooseVectors(problemOf(64, 64), 64, h200).vectors, 1);
}

TEST_F(BlocksTest, VectorsThatShareWhatIsReadTakeLess) {
  TriangularProblem problem = problemOf(64, 100000, /*bytes=*/8);
  EXPECT_LT(vectorSeconds(problem, 64, {16, 2}, h200), vectorSeconds(problem, 64, {16, 1}, h200));
}

/// A batch of `count` triangles with `vectors` vectors each.
static TriangularProblem batchOf(int64_t order, int64_t vectors, int64_t count) {
  TriangularProblem problem = problemOf(order, vectors * count);
  problem.batch = problem.triangles = count;
  return problem;
}

TEST_F(BlocksTest, LanesWithoutVectorsArePriced) {
  // A workgroup for each matrix of one vector has one lane at work: as many vectors of one matrix
  // fill all of them.
  VectorKernel kernel;
  kernel.threads = 32;
  EXPECT_GT(vectorSeconds(batchOf(32, 1, 1000000), 32, kernel, h200),
            8 * vectorSeconds(problemOf(32, 1000000), 32, kernel, h200));
}

TEST_F(BlocksTest, ElementsWithoutCommonDigitsCostMore) {
  // 24 rows divide 96 threads, but not 64: each element that is copied has divisions of its own.
  VectorKernel kernel;
  kernel.matrices = 8, kernel.a = kernel.b = blas::Via::Shared;
  double odd = vectorSeconds(batchOf(24, 4, 100000), 24, kernel, h200);
  kernel.threads = 96;
  EXPECT_GT(odd, 1.2 * vectorSeconds(batchOf(24, 4, 100000), 24, kernel, h200));
}

TEST_F(BlocksTest, CopiesWaitForEachGroup) {
  // 4 triangles of f64 by 128 threads: 32 elements each, in groups that wait for DRAM one after the
  // other. Registers leave too few workgroups to overlap all of that with the transfers.
  TriangularProblem problem = batchOf(32, 1, 100000);
  problem.elementBytes = problem.triangleBytes = 8;
  VectorKernel kernel;
  kernel.threads = 128, kernel.matrices = 4, kernel.a = kernel.b = blas::Via::Shared;
  double bytes = 100000 * (32 * 33 / 2 + 2 * 32) * 8.0;
  double moved = bytes / (h200->dramCopyGBps * 1e9);
  EXPECT_GT(vectorSeconds(problem, 32, kernel, h200), 1.45 * moved);
}

TEST_F(BlocksTest, SweepsOfBatchesWaitForMemory) {
  // Microseconds on an H200: triangles that no cache holds, and registers for addresses.
  struct Measured {
    int64_t order, bytes, count;
    double microseconds;
  };
  for (auto [order, bytes, count, microseconds] :
       {Measured{96, 4, 4340, 48.7}, {128, 4, 2441, 50.4}, {96, 8, 4340, 69.4}}) {
    SweptProblem problem{order, count, 1, count, bytes, bytes, 1, 1};
    double predicted = 1e6 * *sweepSeconds(problem, /*threads=*/32, /*vectors=*/1, h200);
    EXPECT_GT(predicted, 0.7 * microseconds) << order;
    EXPECT_LT(predicted, 1.1 * microseconds) << order;
  }
}

TEST_F(BlocksTest, FewTrianglesAreSharedOutToAllUnits) {
  // 510 of them in 8 workgroups of 64 would leave most units without work.
  VectorKernel kernel = chooseVectors(batchOf(20, 1, 510), 20, h200);
  EXPECT_LE(kernel.matrices, 4);
  EXPECT_GT(chooseVectors(batchOf(8, 1, 1 << 20), 8, h200).matrices, 4);
}

TEST_F(BlocksTest, TrianglesWithoutRoomAreNotOnePerLane) {
  // Where 32 triangles have no room in shared memory, fewer have, or all threads solve together.
  Blocks blocks = chooseBlocks(batchOf(64, 1, 10000), h200);
  EXPECT_TRUE(blocks.workgroupVectors > 0 || blocks.matrices > 1);
}

TEST_F(BlocksTest, AttributeRoundTrips) {
  Blocks blocks = blocksOf(256, blas::Method::Invert, 64);
  Blocks again(blocks.toAttribute(&context));
  EXPECT_EQ(again.diagonal, 256);
  EXPECT_EQ(again.method, blas::Method::Invert);
  EXPECT_EQ(again.base, 64);
}

TEST_F(BlocksTest, EmptyMatrixHasAPlan) {
  EXPECT_EQ(chooseBlocks(problemOf(0, 0), h200).diagonal, 0);
}

TEST_F(BlocksTest, MoreVectorsTakeLonger) {
  double few = chooseBlocks(problemOf(1024, 64), mi60).seconds();
  double many = chooseBlocks(problemOf(1024, 1 << 20), mi60).seconds();
  EXPECT_LT(few, many);
}

} // namespace
