//===- PublishedTest.cpp - What others published, as special cases --------===//
//
// The counts and rules of planning against figures of AutoGEMM and clBLAS (AMD, 2013-2015), of
// Ernst et al. (2019), "Performance engineering for real and complex tall & skinny matrix
// multiplication kernels on GPUs", and of the SGEMM for Vega without LDS (VLP SGEMM). Each case,
// and what does not agree, is listed in docs/CostModel.md, "Published models".
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Planning/Cost/KernelFacts.h"
#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Planning/Cost/Traffic.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Target/Calibrations.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

namespace {

struct PublishedTest : PlanningTest {
  blas::TargetAttr v100 = chip("v100");
};

/// A plan with scalar accesses.
Plan scalar(int64_t g, int64_t h, int64_t p, int64_t q, int64_t macroK = 16) {
  Plan plan = classic();
  plan.macroM = g, plan.macroN = h, plan.macroK = macroK;
  plan.microM = p, plan.microN = q, plan.vector = 1;
  return plan;
}

//===----------------------------------------------------------------------===//
// AutoGEMM
//===----------------------------------------------------------------------===//

/// Flops for each element that a macro tile loads: 2GH/(G+H).
TEST_F(PublishedTest, AutoGemmMacroTiles) {
  Problem problem = gemm(4096, 4096, 4096, 8, Contiguous::Inner, Contiguous::Inner);
  auto ratio = [&](int64_t g, int64_t h) {
    Plan plan = scalar(g, h, 1, 1);
    StepFacts step = stepFactsOf(problem, plan, h200);
    return 2.0 * g * h * plan.macroK / (step.cacheBytes / 8);
  };
  EXPECT_NEAR(ratio(128, 128), 128, 1e-9);
  EXPECT_NEAR(ratio(96, 48), 64, 1e-9);
  // A W9100: 2620 GFLOP/s of f64, 320 GB/s. The tiles that are named as the smallest ones.
  double balance = 2620 / (320 / 8.0);
  using Tile = std::pair<int64_t, int64_t>;
  for (auto [g, h] : {Tile(67, 67), Tile(56, 80), Tile(52, 90), Tile(50, 100), Tile(40, 200),
                      Tile(37, 300), Tile(36, 400), Tile(35, 600)}) {
    EXPECT_GE(ratio(g, h), balance) << g << " x " << h;
    EXPECT_LT(ratio(g - 2, g == h ? h - 2 : h), balance) << g << " x " << h;
  }
  EXPECT_LT(ratio(32, 1 << 20), balance);
  EXPECT_GT(ratio(33, 1 << 20), balance);
}

/// Flops for each element that a thread reads of a tile: 2PQ/(P+Q). Of an LDS of 5240 GB/s, 4 are
/// needed: micro tiles of 4 x 4 and 3 x 6.
TEST_F(PublishedTest, AutoGemmMicroTiles) {
  Problem problem = gemm(4096, 4096, 4096, 8);
  auto ratio = [&](int64_t p, int64_t q) {
    Plan plan = scalar(16 * p, 16 * q, p, q);
    StepFacts step = stepFactsOf(problem, plan, h200);
    return 2 * step.multiplies / step.fragmentReads;
  };
  EXPECT_NEAR(ratio(8, 8), 8, 1e-9);
  double balance = 2620 / (5240 / 8.0);
  EXPECT_NEAR(ratio(4, 4), balance, 1e-9);
  EXPECT_NEAR(ratio(3, 6), balance, 1e-9);
  EXPECT_LT(ratio(3, 4), balance);
  EXPECT_LT(ratio(2, 6), balance);
}

//===----------------------------------------------------------------------===//
// clBLAS
//===----------------------------------------------------------------------===//

/// Blocks of m x n read MNK/n elements of A and MNK/m of B.
TEST_F(PublishedTest, ClBlasProducts) {
  double m = 3072, n = 1536, k = 2048;
  Problem problem = gemm(m, n, k);
  for (auto [g, h] : {std::pair(64, 64), {128, 64}, {96, 256}}) {
    Plan plan = scalar(g, h, 8, 8);
    KernelFacts facts = factsOf(problem, plan, h200, occupancy(problem, plan, h200));
    double elements = facts.workgroups * facts.steps * facts.cacheBytes / 4;
    EXPECT_NEAR(elements, m * n * k / h + m * n * k / g, 1);
  }
}

/// Solving with blocks of order b on the diagonal, each subtracted from all that follows it, as
/// where the order is dynamic: of the MN(M + b)/2 multiply-adds those beside the blocks, MN(M -
/// b)/2; MN(M - b)/(2 b) elements of the right-hand sides are read for them, and as many written.
TEST_F(PublishedTest, ClBlasTriangles) {
  double order = 4096, vectors = 8192;
  TriangularProblem problem;
  problem.order = order, problem.vectors = vectors, problem.elementBytes = 8;
  problem.assumed = problem.substitutes = true;
  double multiplyAdds = 0, elements = 0;
  for (const BlockProduct &each : updatesOf(problem, 256, order / 256))
    multiplyAdds += each.times * each.count * each.rows * each.depth * each.vectors;
  EXPECT_EQ(multiplyAdds, order * vectors * (order - 256) / 2);
  for (const BlockProduct &each : updatesOf(problem, 8, order / 8))
    elements += each.times * each.count * 2 * each.rows * each.vectors;
  EXPECT_EQ(elements, 2 * order * vectors * (order - 8) / (2 * 8));
}

//===----------------------------------------------------------------------===//
// Ernst et al.
//===----------------------------------------------------------------------===//

/// M/8 flops per byte of C = A^T B with M = N and K much larger, M/4 of complex numbers.
TEST_F(PublishedTest, ErnstIntensities) {
  for (int64_t size : {1, 16, 64}) {
    auto intensity = [](const Problem &problem) {
      return problem.flops() / (problem.bytesRead() + problem.bytesWritten());
    };
    Problem real = gemm(size, size, int64_t(1) << 30, 8, Contiguous::Outer);
    EXPECT_NEAR(intensity(real) / (size / 8.0), 1, 1e-6);
    Problem complex = complexGemm(size, 2, 2, 8);
    complex.k = int64_t(1) << 30;
    EXPECT_NEAR(intensity(complex) / (size / 4.0), 1, 1e-6);
  }
}

/// With 11 x 8 a thread, a subgroup multiplies for 88 x 4 clocks on its scheduler, and of 176
/// registers two fit on each. More than 128 halve what a unit holds of workgroups of 256 threads.
TEST_F(PublishedTest, ErnstOccupancy) {
  EXPECT_EQ(fmaPerSecond(8, v100) / (v100->clockMHz * 1e6), 80 * 32);
  Problem problem = gemm(88, 64, 1 << 20, 8, Contiguous::Outer);
  Plan plan = scalar(88, 32, 11, 8, 1);
  plan.lanesM = 8, plan.lanesN = 4;
  EXPECT_NEAR(4 * stepFactsOf(problem, plan, v100).multiplyClocks, 88 * 4, 1e-9);
  EXPECT_EQ(occupancy(problem, plan, v100, 176).blocks, 4 * 2);
  auto filled = [&](int64_t registers) {
    Occupancy resident = occupancy(problem, scalar(128, 128, 8, 8, 4), v100, registers);
    return double(resident.blocks * resident.threads) / v100->threadsPerUnit;
  };
  EXPECT_EQ(filled(128), 0.25);
  EXPECT_EQ(filled(129), 0.125);
}

/// 2 (TM TN + 2 (TM + TN) + 8) registers of f64: those that planning holds kernels to are near
/// these where sums are most of them. It counts addresses, and most of the next fragments; of small
/// tiles at least 23.5.
TEST_F(PublishedTest, ErnstRegisters) {
  Problem problem = gemm(128, 128, 1 << 20, 8, Contiguous::Outer);
  auto ratio = [&](int64_t p, int64_t q) {
    Plan plan = scalar(8 * p, 4 * q, p, q, 2);
    plan.lanesM = 8, plan.lanesN = 4, plan.stages = 1;
    plan.a.vector = plan.b.vector = 2;
    return heldRegisters(problem, plan, blas::Vendor::Nvidia) / (2.0 * (p * q + 2 * (p + q) + 8));
  };
  EXPECT_NEAR(ratio(8, 4), 1, 0.06);
  EXPECT_NEAR(ratio(8, 8), 1, 0.06);
  EXPECT_NEAR(ratio(4, 16), 1, 0.06);
  EXPECT_NEAR(ratio(4, 4), 1, 0.28);
}

/// GB/s of a kernel that reads with 1, 4 and 16 loads of a thread on their way, at six occupancies
/// of a V100: what is on its way each 470 clocks, or what memory gives, joined by the rule of all
/// prices, which stems from products on another chip.
TEST_F(PublishedTest, ErnstBandwidths) {
  struct Row {
    double threads, most; ///< On the chip; GB/s however many loads are on their way.
    double measured[3];
  };
  double all = 80 * 2048;
  const Row rows[] = {{128, 16.3, {3.0, 10.1, 16.3}},  {all / 16, 887, {228, 629, 815}},
                      {all / 8, 887, {419, 824, 877}}, {all / 4, 887, {681, 872, 884}},
                      {all / 2, 887, {834, 884, 887}}, {all, 887, {879, 891, 877}}};
  double logarithms = 0;
  for (const Row &row : rows)
    for (int i = 0; i < 3; ++i) {
      double bytes = row.threads * 8 * std::pow(4, i);
      double seconds = overlapped({470 / 1.38e9, bytes / (row.most * 1e9)});
      double ratio = bytes / seconds * 1e-9 / row.measured[i];
      EXPECT_NEAR(ratio, 1, 0.17) << row.threads << " threads, " << std::pow(4, i) << " loads";
      logarithms += std::abs(std::log(ratio));
    }
  EXPECT_LT(std::exp(logarithms / 18), 1.04);
}

//===----------------------------------------------------------------------===//
// VLP SGEMM
//===----------------------------------------------------------------------===//

/// Elements of a step of one K of 64 x 256 by the usual kernel, with 8 x 8 a thread: 320 come from
/// the cache and are stored to LDS, 16384 products read three registers each and write one, and
/// there is one barrier with two stages. Each of 256 threads reads 8 of A and 8 of B.
TEST_F(PublishedTest, VlpTraffic) {
  Problem problem = gemm(4096, 4096, 4096, 8);
  Plan plan = scalar(64, 256, 8, 8, 4);
  plan.lanesM = plan.lanesN = 8;
  plan.a.vector = plan.b.vector = 1;
  StepFacts step = stepFactsOf(problem, plan, mi60);
  double k = plan.macroK, lanes = 64;
  EXPECT_NEAR(step.cacheBytes / 8 / k, 64 + 256, 1e-9);
  EXPECT_NEAR(step.sharedStores * lanes / k, 64 + 256, 1e-9);
  EXPECT_NEAR(step.multiplies * lanes / k, 16384, 1e-9);
  EXPECT_NEAR(step.fragmentReads * lanes / k, 256 * (8 + 8), 1e-9);
  EXPECT_EQ(step.barriers, 1);
}

/// Tiles with A in scalar registers: a thread has 64 x 1 elements, and nothing is in LDS.
static Plan scalarA(int64_t macroN, int64_t depth) {
  Plan plan;
  plan.macroM = plan.microM = 64, plan.macroN = macroN, plan.microN = 1;
  plan.macroK = 2 * depth, plan.depth = depth;
  plan.lanesM = 1, plan.lanesN = 64;
  plan.a.via = blas::Via::Scalar, plan.b.via = blas::Via::Register;
  plan.stages = plan.prefetch = 1;
  return plan;
}

TEST_F(PublishedTest, VlpTrafficOfScalarRegisters) {
  Plan plan = scalarA(256, 4);
  StepFacts step = stepFactsOf(gemm(4096, 4096, 4096, 8), plan, mi60);
  double k = plan.macroK;
  EXPECT_NEAR(step.cacheBytes / 8 / k, 64 + 256, 1e-9);
  EXPECT_NEAR(step.multiplies * 64 / k, 16384, 1e-9);
  EXPECT_EQ(step.sharedStores + step.fragmentReads + step.readClocks, 0);
  EXPECT_EQ(step.barriers, 0);
  EXPECT_EQ(step.scalarWaits, 64 * k * 2 / 64); // 64 registers of the 96 at a time
}

/// The table of the low-power SGEMM for 64x1x256: 68,416 accesses to vector registers by threads
/// with 8x32 elements, and 70 % fewer with A in scalar registers. Of shared memory it has 3,136,
/// of which 256 are those writes of B to registers that its copy needs.
TEST_F(PublishedTest, VlpRegisterAccesses) {
  Problem problem = gemm(4096, 4096, 4096, 8);
  Plan plan = scalar(64, 256, 8, 32, 4);
  Traffic shared = trafficOf(problem, plan, mi60);
  EXPECT_EQ(shared.a.registersWritten, 576);
  EXPECT_EQ(shared.a.registersRead, 16384);
  EXPECT_EQ(shared.b.registersWritten, 2304);
  EXPECT_EQ(shared.sums, 32768);
  EXPECT_EQ(shared.registers(), 68416);
  EXPECT_EQ(shared.a.sharedWritten, 64);
  EXPECT_EQ(shared.a.sharedRead, 512);
  EXPECT_EQ(shared.shared(), 3136 - 256);
  Traffic direct = trafficOf(problem, scalarA(256, 8), mi60);
  EXPECT_EQ(direct.b.registersWritten, 256);
  EXPECT_EQ(direct.sums, 4096);
  EXPECT_EQ(direct.shared(), 0);
  EXPECT_NEAR(direct.registers(), 20864, 0.01 * 20864);
}

/// Forwarded accumulators took 223 of 242 W at 9.5 of 9.18 TFLOP/s, beside idle: a tenth less.
TEST_F(PublishedTest, VlpEnergyOfForwarding) {
  Problem problem = gemm(4096, 4096, 640);
  Plan forwarded = scalarA(64, 8);
  Estimate estimated = estimate(problem, forwarded, mi60);
  auto dynamic = [&](const Plan &plan) {
    Energy energy = energyOf(problem, plan, estimated, mi60);
    return energy.total() - energy.idle;
  };
  EXPECT_NEAR(dynamic(forwarded) / dynamic(scalarA(64, 1)), (223 / 9.5) / (242 / 9.18), 0.02);
}

/// Scalar loads return in any order: "at most 78 %" of the peak of GCN, 80 by the model.
TEST_F(PublishedTest, VlpShareOfPeak) {
  Problem problem = gemm(4096, 4096, 4096, 4);
  Plan plan = scalarA(64, 8);
  plan.raster = 8, plan.residency = 8;
  double seconds = estimate(problem, plan, mi60).seconds;
  EXPECT_NEAR(roofline(problem, mi60).seconds() / seconds, 0.78, 0.04);
}

/// 64 sums, 16 elements of B on their way, an address of two and a number: 83 registers, of which
/// three wavefronts fit on a SIMD.
TEST_F(PublishedTest, VlpOccupancy) {
  Plan plan = scalar(32, 32, 4, 4, 8);
  plan.stages = 1; // 64 threads: one wavefront
  EXPECT_EQ(occupancy(gemm(4096, 4096, 4096), plan, mi60, 64 + 16 + 2 + 1).blocks, 3 * 4);
}

} // namespace
