//===- EstimateTest.cpp - Roofline, waves, raster, overlap ----------------===//

#include "rooftile/Planning/Cost/Estimate.h"
#include "Fixtures.h"
#include "rooftile/Planning/Cost/LeastSeconds.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Explain.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Raster.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

TEST_F(PlanningTest, SidesOfTheRoofline) {
  Roofline square = roofline(gemm(4096, 4096, 4096), h200);
  EXPECT_TRUE(square.computeBound());
  EXPECT_NEAR(square.seconds(), 2.0 * 4096 * 4096 * 4096 / (h200->fmaF32GFlops * 1e9), 1e-6);
  Roofline skinny = roofline(gemm(8192, 8, 8192), h200);
  EXPECT_FALSE(skinny.computeBound());
  // Almost only reads, of 8192^2 floats.
  EXPECT_NEAR(skinny.seconds(), 8192.0 * 8192 * 4e-9 / h200->dramReadGBps, 1e-6);
  // Almost only writes.
  Roofline outer = roofline(gemm(8192, 8192, 1), h200);
  EXPECT_NEAR(outer.seconds(), 8192.0 * 8192 * 4e-9 / h200->dramWriteGBps, 1e-6);
}

TEST_F(PlanningTest, WavesArePricedByTheirOwnUnits) {
  Plan plan = classic(); // 2 workgroups a unit: 264 resident
  plan.macroK = 8;
  auto seconds = [&](int64_t tilesAlongM) {
    return estimate(gemm(128 * tilesAlongM, 128, 4096), plan, h200);
  };
  Estimate full = seconds(264), oneMore = seconds(265), half = seconds(132);
  EXPECT_DOUBLE_EQ(full.waves, 1);
  EXPECT_EQ(oneMore.tiles, 265);
  // One workgroup more costs more than nothing and less than a whole wave.
  double ofFull = full.seconds - full.launchSeconds;
  double extra = oneMore.seconds - full.seconds;
  EXPECT_GT(extra, 0.2 * ofFull);
  EXPECT_LT(extra, 0.8 * ofFull);
  // Alone on its unit a workgroup is faster than beside another.
  EXPECT_LT(half.seconds, full.seconds);
}

TEST_F(PlanningTest, LeapFrogHidesLatency) {
  Plan leap = classic(), additive = classic();
  additive.stages = 1;
  Problem problem = gemm(1024, 1024, 4096);
  EXPECT_LT(estimate(problem, leap, h200).seconds, estimate(problem, additive, h200).seconds);
}

TEST_F(PlanningTest, RasterNearASquareSavesDram) {
  Problem problem = gemm(16384, 16384, 4096);
  Plan row = classic(), square = classic();
  square.raster = chooseRaster(problem, square, 264, h200);
  EXPECT_EQ(square.raster, 16);
  EXPECT_LT(estimate(problem, square, h200).dramBytes, estimate(problem, row, h200).dramBytes);
}

TEST_F(PlanningTest, RasterAlongRowsWhereOnlyCLeavesTheCache) {
  EXPECT_EQ(chooseRaster(gemm(8192, 8192, 64), classic(), 264, h200), 2);
  EXPECT_EQ(chooseRaster(gemm(2048, 2048, 64), classic(), 264, h200), 16);
}

/// Who is done early finds short ones only where the workgroups with the most steps have begun.
TEST_F(PlanningTest, BandsOfATriangleDelayLongWorkgroups) {
  auto secondsOf = [&](bool ofA, int64_t raster) {
    Problem problem = gemm(2176, 4480, ofA ? 2176 : 4480);
    (ofA ? problem.triangularA : problem.triangularB) = true;
    Plan plan = classic();
    plan.raster = raster;
    return estimate(problem, plan, h200).seconds;
  };
  EXPECT_GT(secondsOf(false, 16), 1.3 * secondsOf(false, 17)); // a band of one row is left
  EXPECT_GT(secondsOf(true, 16), 1.2 * secondsOf(true, 1));
}

/// Tiles of one triangle of C have an order of their own, also where an operand is a triangle.
TEST_F(PlanningTest, TrianglesOfCHaveNoRaster) {
  Problem problem = gemm(4096, 4096, 4096);
  problem.triangle = true;
  problem.triangularB = true;
  Plan plan = classic();
  EXPECT_EQ(rasters(problem, plan, 100, h200).size(), 1u);
  EXPECT_EQ(rasters(problem, plan, 100, h200)[0], 1);
}

TEST_F(PlanningTest, LongWorkgroupsOfATriangleBeginFirst) {
  Problem problem = gemm(1054, 2248, 2248, 16);
  problem.triangularB = problem.masked = true;
  Plan right = choose(problem, h200)->best.plan;
  EXPECT_GE(right.raster * right.macroM, 1054);
  problem = gemm(2048, 2048, 2048, 8);
  problem.triangularA = problem.masked = true;
  EXPECT_LE(choose(problem, h200)->best.plan.raster, 2);
}

TEST_F(PlanningTest, CachedOperandsAreFetchedOnce) {
  Problem problem = gemm(1024, 1024, 1024);
  Estimate result = estimate(problem, classic(), h200);
  EXPECT_LE(result.dramBytes, 1.01 * problem.bytesRead());
}

TEST_F(PlanningTest, WhatABatchSharesIsReadOnce) {
  // 256 MiB of A, beside 64 times 16 columns of B, in tiles of one matrix or of all.
  Problem shared = gemm(8192, 16, 8192);
  shared.batch = 64;
  shared.b.batched = shared.c.batched = true;
  Problem own = shared;
  own.a.batched = true;
  Plan plan = classic();
  plan.macroN = 16, plan.microN = 1;
  double ofA = 4.0 * 8192 * 8192;
  EXPECT_LT(estimate(shared, plan, h200).dramBytes, 4 * ofA);
  EXPECT_GT(estimate(own, plan, h200).dramBytes, 60 * ofA);
}

TEST_F(PlanningTest, AddressesAreReadFirst) {
  Problem problem = gemm(16, 16, 16);
  problem.batch = 100000;
  problem.a.batched = problem.b.batched = problem.c.batched = true;
  Plan plan = classic();
  double byStrides = estimate(problem, plan, h200).seconds;
  problem.a.byPointers = true;
  EXPECT_GT(estimate(problem, plan, h200).seconds, byStrides);
}

TEST_F(PlanningTest, TransposingStoresNeedPadding) {
  Plan padded = classic(), bare = classic();
  padded.a.pad = 4;
  Problem problem = gemm(4096, 4096, 4096);
  int shared = static_cast<int>(Bound::Shared);
  EXPECT_LT(estimate(problem, padded, h200).stepSeconds[shared],
            estimate(problem, bare, h200).stepSeconds[shared]);
}

TEST_F(PlanningTest, EmptyProblemsCostALaunch) {
  for (Problem problem : {gemm(0, 128, 128), gemm(128, 128, 0)}) {
    double seconds = estimate(problem, classic(), h200).seconds;
    EXPECT_GE(seconds, 3.7e-6);
    EXPECT_LT(seconds, 6e-6);
  }
}

/// Measured: 159.4 us for 2^18 products of 8 x 8 x 8 on an H200, whatever the type, and 605 us for
/// a million of 2 x 2 x 2, with a workgroup for each.
TEST_F(PlanningTest, WorkgroupsBeginOneAfterTheOther) {
  auto microseconds = [&](int64_t size, int64_t batch) {
    Problem problem = gemm(size, size, size);
    problem.batch = batch;
    problem.a.batched = problem.b.batched = problem.c.batched = true;
    Plan plan;
    plan.macroM = plan.macroN = plan.macroK = 8;
    plan.microM = 2, plan.microN = 1, plan.lanesM = 4, plan.lanesN = 8;
    return estimate(problem, plan, h200).seconds * 1e6;
  };
  EXPECT_NEAR(microseconds(8, 262144), 159.4, 2);
  EXPECT_NEAR(microseconds(2, 1000000), 605, 5);
}

/// The bound that rejects a plan without a price never exceeds its price.
TEST_F(PlanningTest, TheBoundOfAPlanIsBelowItsPrice) {
  ChipRates chip(h200);
  auto expectBelow = [&](const Problem &problem) {
    for (const Ranked &ranked : rankAll(problem, h200)) {
      LeastSeconds least(problem, ranked.plan, h200, chip);
      StepFacts step = least.stepOf(ranked.plan);
      double seconds = ranked.estimate.seconds;
      ASSERT_LE(least.of(ranked.plan, step), seconds)
          << problem.m << ": " << shortForm(ranked.plan);
      Plan whole = ranked.plan;
      whole.splits = 1, whole.reduction = blas::Reduction::None;
      ASSERT_LE(std::min(least.of(whole, step), least.ofShares(whole, step)), seconds);
      ASSERT_LE(least.ofTile(), seconds);
    }
  };
  for (int64_t size : {1, 3, 4}) {
    Problem tiny = gemm(size, size, 2 * size);
    tiny.batch = 300000;
    tiny.a.batched = tiny.b.batched = tiny.c.batched = true;
    tiny.a.maxVector = tiny.b.maxVector = tiny.c.maxVector = 1;
    expectBelow(tiny);
  }
  for (int64_t size : {64, 500, 1000, 4096}) {
    expectBelow(gemm(size, size, 3 * size, 8));
    for (Contiguous ofB : {Contiguous::Inner, Contiguous::Outer})
      expectBelow(narrowGemm(size, size, 3 * size, Contiguous::Inner, ofB));
  }
}

TEST_F(PlanningTest, MeasuredKernelsArePredicted) {
  // Milliseconds of generated kernels on an H200, 2026-11-21, 4096 x 4096 x 4096, NN.
  auto expect = [&](int64_t elementBytes, Plan plan, double milliseconds) {
    plan.vector = plan.a.vector = plan.b.vector = plan.a.pad = 16 / elementBytes;
    plan.raster = 8;
    double predicted = estimate(gemm(4096, 4096, 4096, elementBytes), plan, h200).seconds * 1e3;
    EXPECT_NEAR(predicted / milliseconds, 1, 0.1) << elementBytes << " bytes, " << shortForm(plan);
  };
  Plan plan = classic();
  expect(4, plan, 2.688);
  expect(8, plan, 5.456);
  plan.macroK = 8;
  expect(4, plan, 2.796);
  plan.microN = 16; // 128 threads
  expect(4, plan, 2.872);
  plan.macroN = 256;
  expect(4, plan, 2.952);
  plan = classic();
  plan.microN = 4; // 512 threads
  expect(4, plan, 3.204);
}

} // namespace
