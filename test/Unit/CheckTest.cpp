//===- CheckTest.cpp - Every rule of a plan, broken once ------------------===//

#include "rooftile/Planning/Feasibility/Check.h"
#include "Fixtures.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

struct CheckTest : PlanningTest {
  Problem problem = gemm(4096, 4096, 4096);
  /// The message for `plan`, or "" if it fits.
  std::string complaint(const Plan &plan) {
    auto violation = check(problem, plan, h200);
    return violation ? describe(*violation, h200) : "";
  }
};

TEST_F(CheckTest, ClassicFits) { EXPECT_EQ(complaint(classic()), ""); }

TEST_F(CheckTest, Spill) {
  Plan plan = classic();
  plan.macroM = plan.macroN = 256;
  plan.microM = plan.microN = 16;
  EXPECT_EQ(complaint(plan), "micro: 294 registers per thread would spill, h200 has 255");
}

TEST_F(CheckTest, MatricesOfABatch) {
  problem = gemm(4, 4, 4);
  Plan plan;
  plan.macroM = plan.macroN = plan.macroK = plan.microM = plan.microN = 4;
  plan.a.via = plan.b.via = blas::Via::Register;
  plan.stages = 1, plan.matrices = 32;
  EXPECT_EQ(complaint(plan), "matrices = 32, of which each thread has one, but C is no batch");
  problem.batch = 100;
  problem.a.batched = problem.b.batched = problem.c.batched = true;
  EXPECT_EQ(complaint(plan), "");
  problem.m = 5;
  EXPECT_EQ(complaint(plan),
            "matrices need a tile that holds all of C: macro = [4, 4], but C is 5x4");
  problem.knownM = false;
  EXPECT_EQ(complaint(plan),
            "matrices = 32, of which each thread has one, but C is of dynamic size");
}

TEST_F(CheckTest, SharedMemory) {
  Plan plan = classic();
  plan.macroK = 128;
  EXPECT_EQ(complaint(plan), "macro, stages: 262144 bytes of shared memory, but a workgroup of "
                             "h200 has at most 232448");
}

TEST_F(CheckTest, StagesAreCountedAsTheAttributeCounts) {
  Plan plan = classic(); // 1 row of 15, and 1 of 7: 60 and 28 bytes in stages of 128
  plan.macroM = 14, plan.macroN = 7, plan.macroK = 1;
  plan.microM = 2, plan.microN = 7;
  plan.lanesM = 7, plan.lanesN = 1;
  plan.vector = plan.a.vector = plan.b.vector = plan.a.pad = plan.stages = 1;
  EXPECT_EQ(plan.sharedBytes(4, 4, 4), 256);
  EXPECT_EQ(blas::PlanAttr::get(&context, plan)->sharedBytes(4, 4, 4), 256);
}

TEST_F(CheckTest, RegisterFile) {
  Plan plan = classic(); // 1024 threads x 120 registers
  plan.macroM = plan.macroN = 256;
  EXPECT_EQ(complaint(plan), "micro, macro: 98304 registers of one workgroup, but a unit of h200 "
                             "has 65536");
}

TEST_F(CheckTest, Threads) {
  Plan plan = classic();
  plan.microM = plan.microN = 1;
  plan.vector = 1;
  EXPECT_EQ(complaint(plan),
            "macro / micro: 16384 threads, but a workgroup of h200 has at most 1024");
  plan = classic();
  plan.macroM = 24;
  plan.macroN = 128; // 3 x 16
  EXPECT_EQ(complaint(plan),
            "macro / micro: 48 threads are not whole subgroups of 32 lanes on h200");
  plan = classic();
  plan.lanesM = plan.lanesN = 4;
  EXPECT_EQ(complaint(plan), "lanes: 16 lanes do not make up a subgroup of 32 threads on h200");
}

TEST_F(CheckTest, SmallerThanASubgroupIsLegal) {
  Plan plan = classic();
  plan.macroM = plan.macroN = 16;
  plan.macroK = 8;
  plan.microM = plan.microN = 4;
  plan.lanesM = plan.lanesN = 4;
  EXPECT_EQ(complaint(plan), "");
}

TEST_F(CheckTest, Vectors) {
  Plan plan = classic();
  problem.a.maxVector = 1;
  EXPECT_EQ(complaint(plan), "a: vector = 4, but strides, offset and sizes of the operand allow 1");
  problem.a.maxVector = 4;
  plan.macroK = 2; // A is contiguous along K
  EXPECT_EQ(complaint(plan), "a: vector = 4 does not divide the 2 elements of the macro tile along "
                             "the contiguous dimension");
  plan = classic();
  plan.vector = 8;
  EXPECT_EQ(complaint(plan), "vector: fragment reads of 32 bytes, but the widest is 16");
}

TEST_F(CheckTest, LoadsDivide) {
  Plan plan = classic();
  plan.macroK = 4; // 128 accesses of A among 256 threads
  EXPECT_EQ(complaint(plan), "a: 128 accesses of one macro tile do not divide among 256 threads");
}

TEST_F(CheckTest, PaddingKeepsRowsAligned) {
  Plan plan = classic();
  plan.a.pad = 1;
  EXPECT_EQ(complaint(plan), "a: a padded row of 129 elements is not a multiple of accesses of 4");
  plan.a.pad = 4;
  EXPECT_EQ(complaint(plan), "");
}

TEST_F(CheckTest, Residency) {
  Plan plan = classic();
  plan.residency = 2;
  EXPECT_EQ(complaint(plan), "");
  plan.residency = 3;
  EXPECT_EQ(complaint(plan), "residency = 3, but 2 workgroups fit on a unit of h200");
}

TEST_F(CheckTest, PathsAndStages) {
  Plan plan = classic();
  plan.stages = 3;
  EXPECT_EQ(complaint(plan), "stages = 3, but rings filled that way have at most 2 stages");
  plan.a.copy = plan.b.copy = blas::Copy::Async;
  EXPECT_EQ(complaint(plan), "");
  plan.stages = 6;
  EXPECT_EQ(complaint(plan), "stages = 6, but rings filled that way have at most 5 stages");
}

} // namespace
