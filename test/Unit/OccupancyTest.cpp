//===- OccupancyTest.cpp - Against values worked out by hand --------------===//

#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "Fixtures.h"
#include "rooftile/Planning/Cost/Estimate.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

TEST_F(PlanningTest, RegistersOfTheClassicPlan) {
  // 64 accumulators + 1.87 * (8 + 8) fragments + 2 * 128 * 16 / 256 staged
  // + .33 for each of 4 loads + 25. ptxas: 138, held to 128: 124.
  EXPECT_EQ(registersPerThread(gemm(4096, 4096, 4096), classic()), 64 + 30 + 16 + 1 + 25);
  EXPECT_EQ(heldRegisters(gemm(4096, 4096, 4096), classic(), blas::Vendor::Nvidia), 136 - 8);
  // Elements of 8 bytes need two registers each.
  EXPECT_EQ(registersPerThread(gemm(4096, 4096, 4096, 8), classic()), 2 * (64 + 30 + 16) + 1 + 25);
  // One stage: the staged tile is stored before the fragments are read.
  Plan plan = classic();
  plan.stages = 1;
  EXPECT_EQ(registersPerThread(gemm(4096, 4096, 4096), plan), 64 + 30 + 1 + 25);
}

TEST_F(PlanningTest, RegistersOfClampedLoads) {
  // A thread reads A at 128 / (256 / (16 / 4)) = 2 rows, B at 128 / 4 / 32 = 1 column;
  // 2.25 registers for each.
  Problem dynamic = gemm(4096, 4096, 4096);
  dynamic.knownM = dynamic.knownN = false;
  EXPECT_EQ(registersPerThread(dynamic, classic()), 136 + 7);
  // Offsets in static sizes are constants.
  EXPECT_EQ(registersPerThread(gemm(100, 100, 4096), classic()), 136);
  // Known to hold a tile: moved back inside.
  Problem large = dynamic;
  large.leastM = large.leastN = 128;
  EXPECT_EQ(registersPerThread(large, classic()), 136);
  // Scalar loads: 16 of them, .33 each, A at 128 / (256 / 16) = 8 rows.
  Plan scalar = classic();
  scalar.a.vector = scalar.b.vector = 1;
  EXPECT_EQ(registersPerThread(dynamic, scalar), 64 + 30 + 16 + 5 + 25 + 20);
  // Asynchronous copies keep their addresses, and counters of the ring: 7.
  scalar.a.copy = scalar.b.copy = blas::Copy::Async;
  EXPECT_EQ(registersPerThread(dynamic, scalar), 64 + 30 + 16 + 25 + 20 + 7);
}

/// Accesses of 4 and 3 more registers each beside 64 accumulators and 25: as many as the residency
/// leaves, at most all 16; of f64, of 2 elements, up to 32 beside 128. Without beta none.
TEST_F(PlanningTest, LoadsOfC) {
  Problem problem = gemm(4096, 4096, 4096), wide = gemm(4096, 4096, 4096, 8);
  problem.c.maxVector = 4, wide.c.maxVector = 2;
  Plan plan = classic();
  plan.vector = 4, plan.residency = 2; // 256 threads: 128 registers
  EXPECT_EQ(loadsOfC(problem, plan, h200), 0);
  problem.readsC = wide.readsC = true;
  EXPECT_EQ(loadsOfC(problem, plan, h200), (128 - 64 - 25) / 7);
  plan.residency = 1;
  EXPECT_EQ(loadsOfC(problem, plan, h200), 16);
  EXPECT_EQ(loadsOfC(wide, plan, h200), (255 - 128 - 25) / 7);
  plan.residency = 2;
  EXPECT_EQ(loadsOfC(wide, plan, h200), 0);
  wide.extraBytes = 4096 * 8, plan.residency = 1; // 8 elements of a row of biases
  EXPECT_EQ(loadsOfC(wide, plan, h200), (255 - 128 - 16 - 25) / 7);
  plan.reduction = blas::Reduction::Workspace, plan.splits = 2; // Partial sums are only written.
  EXPECT_EQ(loadsOfC(problem, plan, h200), 0);
}

/// Accumulators wait in shared memory for their access, but where shares of K are added up there:
/// of 512 threads each has 32.
TEST_F(PlanningTest, LoadsOfCFromSharedMemory) {
  Problem problem = gemm(4096, 4096, 4096);
  problem.c.maxVector = 4, problem.readsC = true;
  Plan plan = classic();
  plan.vector = 2, plan.residency = 2, plan.c = blas::Via::Shared; // accesses of 16 bytes
  EXPECT_EQ(loadsOfC(problem, plan, h200), (128 - 4 - 25) / 7);
  problem.knownN = false;
  EXPECT_EQ(loadsOfC(problem, plan, h200), (128 - 4 - 25 - 8) / 8);
  problem.knownN = true, problem.c.maxVector = 1;
  EXPECT_EQ(loadsOfC(problem, plan, h200), (128 - 1 - 25) / 4);
  plan.slicedK = 2, plan.residency = 1; // 512 threads
  EXPECT_EQ(loadsOfC(problem, plan, h200), (128 - 32 - 25) / 4);
}

/// A load of one element of 16 bits fills a register, one of two elements another.
TEST_F(PlanningTest, RegistersOfNarrowLoads) {
  Problem problem = gemm(4096, 4096, 4096);
  problem.a.elementBytes = problem.b.elementBytes = 2;
  Plan plan = classic();
  plan.stages = 2, plan.a.vector = plan.b.vector = 2;
  int64_t pairs = registersPerThread(problem, plan), tile = plan.macroM * plan.macroK;
  plan.a.vector = 1;
  int64_t loads = tile / plan.threads() / 2; // more of them
  EXPECT_NEAR(registersPerThread(problem, plan), pairs + double(loads) * 1.33, 1);
}

/// 2 columns of 8 are inside: 8 * 2 accumulators, and 23.5 elements of fragments, of 2 at least. In
/// one step the 2 products of each are made of 2 * (8 + 2) elements, all read at once: the first
/// reuse the place of half of them. ptxas leaves out the rest.
TEST_F(PlanningTest, RegistersOfNarrowMatrices) {
  EXPECT_EQ(registersPerThread(gemm(4096, 2, 4096), classic()), 16 + 24 + 16 + 1 + 25);
  EXPECT_EQ(registersPerThread(gemm(4096, 2, 2), classic()), 16 + 20 - 10 + 1 + 25);
  EXPECT_EQ(heldRegisters(gemm(4096, 2, 2), classic(), blas::Vendor::Nvidia), 16 + 20 + 26 - 8);
}

/// 112 x 112 of f64 by 7 subgroups: 56 sums and 1.87 * (112 + 16) * 8 / 32 fragments of two
/// registers each, .33 for each of 8 loads, + 25 + 7. ptxas: 254. Steps of 24 have three slices:
/// with the first fragments of the next step a set more, and 12 loads. ptxas: 255, and 64 bytes
/// spilled.
TEST_F(PlanningTest, RegistersOfSevenSubgroups) {
  Problem block = gemm(112, 112, 1048576, 8, Contiguous::Outer);
  Plan plan;
  plan.macroM = plan.macroN = 112, plan.macroK = 16;
  plan.microM = 14, plan.microN = 4, plan.lanesM = 8, plan.lanesN = 4;
  plan.instruction = tile::findInstruction("m16n8k8_f64");
  plan.stages = 4, plan.prefetch = 1;
  for (Path *path : {&plan.a, &plan.b})
    path->copy = blas::Copy::Async, path->vector = 2;
  EXPECT_EQ(registersPerThread(block, plan), 2 * (56 + 60) + 2 + 25 + 7);
  plan.macroK = 24;
  EXPECT_EQ(registersPerThread(block, plan), 2 * (56 + 60 + 32) + 4 + 25 + 7);
}

/// 80 x 80 of f64 by two subgroups and four groups, two slices of 4 a step: 100 sums, the fragments
/// of 40 columns and one of 16 rows, 4 * (40 + 16) / 32 elements, .33 for each of 10 loads, + 25
/// + 7. ptxas: 254, of which it needs no more. With the first fragments of the next step the two
/// sets that wait are more than there are: 96 bytes spilled.
TEST_F(PlanningTest, RegistersOfFragmentsReadSingly) {
  Problem block = gemm(80, 80, 1048576, 8, Contiguous::Outer);
  Plan plan;
  plan.macroM = plan.macroN = 80, plan.macroK = 32, plan.slicedK = 4;
  plan.microM = plan.microN = 10, plan.lanesM = 8, plan.lanesN = 4;
  plan.instruction = tile::findInstruction("m16n8k4_f64");
  plan.stages = 4;
  for (Path *path : {&plan.a, &plan.b})
    path->copy = blas::Copy::Async, path->vector = 2;
  EXPECT_EQ(registersPerThread(block, plan), 2 * (100 + 7) + 3 + 25 + 7);
  plan.prefetch = 1;
  EXPECT_GT(registersPerThread(block, plan), 255);
  plan.prefetch = 0, plan.macroK = 64; // of more slices some are on their way
  EXPECT_GT(registersPerThread(block, plan), 255);
  plan.instruction = tile::findInstruction("m16n8k8_f64"); // two K of a row: 152 bytes spilled
  EXPECT_GT(registersPerThread(block, plan), 255);
  plan.macroK = 32, plan.stages = 1; // of one step all is on its way
  EXPECT_GT(registersPerThread(block, plan), 255);
}

/// Complex products in one step: 4 * 16 for accumulators, 1.87 * 24 for fragments, of which the
/// first products replace 24, 25; what runs need for addresses and conditions is done with before,
/// and two workgroups of 256 threads fit. ptxas: 126. A tile that comes through registers holds its
/// addresses beside the accumulators.
TEST_F(PlanningTest, OneStepIsCopiedBeforeItIsMultiplied) {
  Problem tall = complexGemm(53, 2, 2, 8);
  tall.m = 633102;
  Plan plan;
  plan.macroM = plan.macroN = 64, plan.macroK = 56, plan.microM = plan.microN = 4;
  plan.lanesM = 8, plan.lanesN = 4, plan.stages = 1;
  plan.instruction = tile::findInstruction("m16n8k4_f64");
  plan.a.major = blas::Major::K;
  for (Path *path : {&plan.a, &plan.b})
    path->copy = blas::Copy::Async, path->flat = 53;
  EXPECT_EQ(registersPerThread(tall, plan), 4 * 16 + 45 - 24 + 25);
  EXPECT_EQ(occupancy(tall, plan, h200).blocks, 2);
  plan.a.flat = plan.b.flat = 0, plan.a.swizzle = 4, plan.b.swizzle = 2;
  EXPECT_EQ(registersPerThread(tall, plan), 4 * 16 + 45 - 24 + 25);
  plan.b.copy = blas::Copy::Register, plan.b.swizzle = 0;
  EXPECT_GT(heldRegisters(tall, plan, blas::Vendor::Nvidia), 128);
}

TEST_F(PlanningTest, H200LimitedByRegisters) {
  // 128 registers x 32 lanes = 4096; 16384 / 4096 = 4 subgroups on each of 4
  // schedulers = 16 subgroups, 8 a workgroup: 2 workgroups.
  Occupancy result = occupancy(gemm(4096, 4096, 4096), classic(), h200, 128);
  EXPECT_EQ(result.blocks, 2);
  EXPECT_EQ(result.limit, OccupancyLimit::Registers);
  // One register more: 136 after rounding, 3 subgroups a scheduler, 12 in all.
  EXPECT_EQ(occupancy(gemm(4096, 4096, 4096), classic(), h200, 129).blocks, 1);
  EXPECT_EQ(occupancy(gemm(4096, 4096, 4096), classic(), h200, 64).blocks, 4);
}

TEST_F(PlanningTest, H200LimitedBySharedMemory) {
  // 2 stages x 32 x 256 x 4 = 65536 bytes, + 1024 reserved: 3 times in 233472.
  Plan plan = classic();
  plan.macroK = 32;
  Occupancy result = occupancy(gemm(4096, 4096, 4096), plan, h200, 40);
  EXPECT_EQ(result.sharedBytes, 65536);
  EXPECT_EQ(result.blocks, 3);
  EXPECT_EQ(result.limit, OccupancyLimit::Shared);
}

TEST_F(PlanningTest, H200LimitedByThreadsAndResidentWorkgroups) {
  Plan plan = classic();
  plan.macroK = 8;
  plan.stages = 1;
  Occupancy byThreads = occupancy(gemm(4096, 4096, 4096), plan, h200, 32);
  EXPECT_EQ(byThreads.blocks, 8); // 2048 / 256
  EXPECT_EQ(byThreads.limit, OccupancyLimit::Threads);
  plan.macroM = plan.macroN = 16;
  plan.microM = 2;
  plan.microN = 4;
  Occupancy byWorkgroups = occupancy(gemm(4096, 4096, 4096), plan, h200, 32);
  EXPECT_EQ(byWorkgroups.threads, 32);
  EXPECT_EQ(byWorkgroups.blocks, 32);
  EXPECT_EQ(byWorkgroups.limit, OccupancyLimit::Workgroups);
}

TEST_F(PlanningTest, SpillsDoNotFit) {
  EXPECT_EQ(occupancy(gemm(4096, 4096, 4096), classic(), h200, 255).blocks, 1);
  EXPECT_EQ(occupancy(gemm(4096, 4096, 4096), classic(), h200, 256).blocks, 0);
}

/// The elements of C on their way are a third of the accumulators: 1.2 * 203 + 43 of 256 registers.
TEST_F(PlanningTest, AmdgpuIsNotHeldToTwoWhereBetaReadsC) {
  blas::TargetAttr target = chip("mi250x");
  Plan plan = classic();
  plan.macroN = 256, plan.macroK = 8, plan.microM = 16;
  plan.lanesM = 4, plan.lanesN = 16;
  Problem problem = gemm(4096, 4096, 4096);
  Occupancy modelled = occupancy(problem, plan, target);
  EXPECT_EQ(modelled.blocks, 2);
  EXPECT_EQ(surelyResident(problem, plan, target, modelled), 2);
  problem.readsC = true;
  EXPECT_EQ(surelyResident(problem, plan, target, modelled), 1);
  // Partial sums do not read C.
  plan.splits = 2;
  EXPECT_EQ(surelyResident(problem, plan, target, modelled), 2);
}

} // namespace
