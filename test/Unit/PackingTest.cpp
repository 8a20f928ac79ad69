//===- PackingTest.cpp - Operands that are copied first -------------------===//

#include "rooftile/Planning/Space/Packing.h"
#include "Fixtures.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"
#include "rooftile/Target/Calibrations.h"

#include <cstdio>
#include <ctime>

using namespace rooftile;
using namespace rooftile::planning;

namespace {

/// The operands that are packed in plans for `problem`: "a", "b", "ab", or nothing; "ab a" for two.
std::string packedOperands(Problem problem, blas::TargetAttr target) {
  problem.canPack = true;
  std::string names;
  for (const Plan &plan : packingsOf(problem, target))
    names +=
        std::string(names.empty() ? "" : " ") + (plan.a.pack ? "a" : "") + (plan.b.pack ? "b" : "");
  return names;
}

TEST_F(PlanningTest, OperandsAlongKAndOddRowsAreWorthPacking) {
  auto lies = [](Contiguous ofA, Contiguous ofB) { return gemm(4096, 4096, 4096, 4, ofA, ofB); };
  constexpr Contiguous inner = Contiguous::Inner, outer = Contiguous::Outer;
  EXPECT_EQ(packedOperands(lies(inner, outer), h200), "a");
  EXPECT_EQ(packedOperands(lies(inner, inner), h200), "ab");
  EXPECT_EQ(packedOperands(lies(outer, inner), h200), "b");
  EXPECT_EQ(packedOperands(lies(outer, outer), h200), "");
  EXPECT_EQ(packedOperands(lies(Contiguous::None, outer), h200), "a");
  Problem odd = lies(outer, outer);
  odd.a.maxVector = odd.b.maxVector = 1;
  EXPECT_EQ(packedOperands(odd, h200), "ab");
  odd = lies(inner, outer);
  odd.b.maxVector = 2;
  EXPECT_EQ(packedOperands(odd, h200), "ab b");
}

/// Six products of bf16 for one of f32: where the operation allows them, where matrices are large,
/// and never faster than a sixth of the rate of the units.
TEST_F(PlanningTest, SixProductsAreOfLargeEmulatedOperands) {
  Problem problem = gemm(4096, 4096, 4096);
  problem.canPack = true;
  EXPECT_EQ(search(problem, h200)->best.plan.products, 4);
  problem.sixProducts = true;
  Ranked best = search(problem, h200)->best;
  EXPECT_EQ(best.plan.products, 6);
  EXPECT_TRUE(best.plan.a.pack && best.plan.b.pack);
  EXPECT_EQ(best.plan.promote * best.plan.macroK, 6 * 512);
  EXPECT_FALSE(check(problem, best.plan, h200));
  Roofline roof = roofline(problem, h200);
  EXPECT_GE(best.estimate.seconds, roof.seconds());
  EXPECT_LT(roof.seconds(), roofline(gemm(4096, 4096, 4096), h200).seconds() / 1.5);
  EXPECT_EQ(packedBytes(problem, best.plan), 2.0 * 6 * 4096 * 4096 * 2);
  Problem small = gemm(256, 256, 256);
  small.canPack = small.sixProducts = true;
  EXPECT_EQ(search(small, h200)->best.plan.products, 4);
  Problem odd = gemm(1023, 1023, 1023);
  odd.canPack = odd.sixProducts = true;
  Problem copies = packed(odd, best.plan);
  EXPECT_EQ(copies.k, 6 * 1024);
  EXPECT_EQ(copies.a.elementBytes, 2);
  EXPECT_EQ(packed(copies, best.plan).k, copies.k) << "copies are not copied again";
  odd.hasWorkspace = true, odd.roomElements = packedBytes(odd, best.plan) / 4 - 1;
  EXPECT_EQ(search(odd, h200)->best.plan.products, 4) << "there is no room";
}

TEST_F(PlanningTest, OnlyLargeKnownProductsArePacked) {
  EXPECT_EQ(packedOperands(gemm(128, 128, 128), h200), "");
  EXPECT_EQ(packedOperands(gemm(4096, 8, 4096), h200), "");
  Problem problem = gemm(4096, 4096, 4096);
  for (bool Problem::*known : {&Problem::knownM, &Problem::knownN, &Problem::knownK}) {
    Problem open = problem;
    open.*known = false;
    EXPECT_EQ(packedOperands(open, h200), "");
  }
  Problem edge = problem, partial = problem, full = problem, late = problem;
  edge.wholeM = edge.wholeN = 8192;
  partial.slices = 4;
  full.hasWorkspace = true;
  full.roomElements = 4096 * 4096 - 1;
  EXPECT_EQ(packedOperands(edge, h200), "");
  EXPECT_EQ(packedOperands(partial, h200), "");
  EXPECT_EQ(packedOperands(full, h200), "");
  ++full.roomElements;
  EXPECT_EQ(packedOperands(full, h200), "a");
  EXPECT_TRUE(packingsOf(late, h200).empty()) << "operand-pack has been";
}

TEST_F(PlanningTest, BoundsOfAChipDecideWhatIsEvaluated) {
  blas::TargetData figures = *h200;
  figures.calibration = target::calibrationOf(h200);
  figures.calibration->leastPackedSize = 4097;
  blas::TargetAttr other = blas::TargetAttr::get(&context, figures);
  EXPECT_EQ(packedOperands(gemm(4096, 4096, 4096), h200), "a");
  EXPECT_EQ(packedOperands(gemm(4096, 4096, 4096), other), "");
  auto longestUnrolled = [&](blas::TargetAttr target) {
    int64_t longest = 0;
    for (const Ranked &ranked : rankAll(gemm(4096, 4096, 4096), target))
      if (const Plan &plan = ranked.plan; !plan.instruction && plan.microM * plan.microN == 64)
        longest = std::max(longest, plan.microM * plan.microN * plan.macroK / plan.slicedK);
    return longest;
  };
  EXPECT_GT(longestUnrolled(h200), 512);
  figures.calibration->mostUnrolled = 512;
  EXPECT_LE(longestUnrolled(blas::TargetAttr::get(&context, figures)), 512);
}

TEST_F(PlanningTest, ACopyAllowsWideAccesses) {
  Problem problem = gemm(1023, 1023, 1023, 4, Contiguous::Outer, Contiguous::Outer);
  problem.a.maxVector = problem.b.maxVector = 1;
  Plan plan = classic();
  auto violation = check(problem, plan, h200);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->rule, Violation::Rule::VectorLegal);
  plan.a.pack = plan.b.pack = true;
  EXPECT_FALSE(check(problem, plan, h200)) << describe(*check(problem, plan, h200), h200);
  EXPECT_EQ(blas::PlanAttr::get(&context, plan)->a.pack, 1);
  EXPECT_NE(shortForm(plan).find("A and B packed"), std::string::npos);
}

TEST_F(PlanningTest, CopiesAreReadAndWritten) {
  Problem problem = gemm(8192, 8192, 8192);
  Plan plan = classic();
  EXPECT_EQ(packSeconds(problem, plan, h200), 0);
  EXPECT_EQ(packedBytes(problem, plan), 0);
  plan.a.pack = true;
  EXPECT_EQ(packedBytes(problem, plan), 8192.0 * 8192 * 4);
  double least = 2 * 8192.0 * 8192 * 4 / (1e9 * h200->dramCopyGBps);
  double once = packSeconds(problem, plan, h200);
  EXPECT_GT(once, least);
  EXPECT_LT(once, 1.3 * least);
  // Each matrix of a batch, or the one that it shares.
  problem.batch = 4;
  EXPECT_EQ(packSeconds(problem, plan, h200), once);
  problem.a.batched = true;
  EXPECT_GT(packSeconds(problem, plan, h200), 3 * once);
  // Rows of whole cache lines.
  problem = gemm(1001, 64, 1000);
  EXPECT_EQ(packedBytes(problem, plan), 1024.0 * 1000 * 4);
}

TEST_F(PlanningTest, CopiesArePartOfThePrediction) {
  Problem problem = gemm(4096, 4096, 4096), transposed = problem;
  Plan plan = classic();
  plan.a.pack = true;
  transposed.a.contiguous = Contiguous::Outer;
  double product = estimate(transposed, classic(), h200).seconds;
  EXPECT_NEAR(estimate(problem, plan, h200).seconds, product + packSeconds(problem, plan, h200),
              1e-9);
}

TEST_F(PlanningTest, PackedPlansAreEvaluatedQuickly) {
  Problem problem = gemm(8192, 8192, 8192, 4, Contiguous::Inner, Contiguous::Inner);
  double seconds[] = {1, 1};
  int64_t evaluated[] = {0, 0};
  // CPU time of neighbours in time, since other processes slow both down.
  std::vector<double> ratios;
  for (int run = 0; run < 40; ++run) {
    problem.canPack = run % 2 == 1;
    std::clock_t start = std::clock();
    evaluated[run % 2] = search(problem, h200)->evaluated;
    seconds[run % 2] = double(std::clock() - start) / CLOCKS_PER_SEC;
    if (run % 2 == 1)
      ratios.push_back(seconds[1] / seconds[0]);
  }
  llvm::sort(ratios);
  double median = ratios[ratios.size() / 2];
  std::printf("planning with packed operands takes %.2f times as long\n", median);
  EXPECT_GT(evaluated[1], evaluated[0]);
  EXPECT_LT(median, 2);
}

} // namespace
