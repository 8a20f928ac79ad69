//===- ViewsTest.cpp - Plans whose instruction reads shared memory --------===//

#include "Fixtures.h"
#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Planning/Cost/KernelFacts.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

constexpr Contiguous kInner = Contiguous::Inner, kOuter = Contiguous::Outer;

/// Rows follow each other upward, as tensor copies need.
Problem forwardGemm(int64_t m, int64_t n, int64_t k, Contiguous ofA, Contiguous ofB) {
  Problem problem = narrowGemm(m, n, k, ofA, ofB);
  problem.a.forward = problem.b.forward = true;
  return problem;
}

struct ViewsTest : PlanningTest {
  Plan pick(const Problem &problem) { return search(problem, h200)->best.plan; }
};

TEST_F(ViewsTest, LargeProductsArriveByTensorCopies) {
  for (Contiguous ofA : {kInner, kOuter})
    for (Contiguous ofB : {kInner, kOuter}) {
      Problem problem = forwardGemm(4096, 4096, 4096, ofA, ofB);
      Plan plan = pick(problem);
      ASSERT_TRUE(plan.readsShared());
      EXPECT_EQ(plan.a.copy, blas::Copy::Tensor);
      EXPECT_EQ(plan.b.copy, blas::Copy::Tensor);
      EXPECT_EQ(plan.a.major, problem.a.alongK() ? blas::Major::K : blas::Major::MN);
      EXPECT_EQ(plan.b.major, problem.b.alongK() ? blas::Major::K : blas::Major::MN);
      EXPECT_EQ(plan.c, blas::Via::Shared);
      EXPECT_GE(plan.stages, 3);
    }
}

TEST_F(ViewsTest, BatchesArriveAsynchronously) {
  Problem problem = forwardGemm(512, 512, 512, kInner, kInner);
  problem.batch = 32;
  problem.a.batched = problem.b.batched = problem.c.batched = true;
  Plan plan = pick(problem);
  ASSERT_TRUE(plan.readsShared());
  EXPECT_EQ(plan.a.copy, blas::Copy::Async);
  EXPECT_EQ(plan.b.copy, blas::Copy::Async);
}

TEST_F(ViewsTest, OddRowsArePackedOrLeftToOtherInstructions) {
  Problem problem = narrowGemm(4095, 4095, 4095, kInner, kInner);
  problem.a.maxVector = problem.b.maxVector = problem.c.maxVector = 1;
  EXPECT_FALSE(pick(problem).readsShared());
  problem.canPack = true;
  Plan both = pick(problem);
  EXPECT_TRUE(both.readsShared() && both.a.pack && both.b.pack);
  // A of whole rows along K is read as it is.
  problem.a.maxVector = 8;
  Plan one = pick(problem);
  EXPECT_TRUE(one.readsShared() && !one.a.pack && one.b.pack);
}

TEST_F(ViewsTest, MaskedOperandsAreLeftToOtherInstructions) {
  Problem problem = narrowGemm(2048, 2048, 2048);
  problem.masked = problem.triangularA = true;
  EXPECT_FALSE(pick(problem).readsShared());
}

TEST_F(ViewsTest, ListedPlansAreLegalAndAcceptedByTheAssembler) {
  for (auto [m, n, k] :
       {std::array<int64_t, 3>{4096, 4096, 4096}, {130, 40, 64}, {64, 8192, 200}}) {
    Problem problem = forwardGemm(m, n, k, kInner, kInner);
    int64_t views = 0;
    for (const Ranked &ranked : rankAll(problem, h200)) {
      const Plan &plan = ranked.plan;
      if (!plan.readsShared())
        continue;
      ++views;
      EXPECT_FALSE(check(problem, plan, h200)) << shortForm(plan);
      int64_t columns = std::min<int64_t>(256, plan.microN * plan.lanesN);
      EXPECT_GE(registersLeft(plan, h200), columns / 2 + 26) << shortForm(plan);
      EXPECT_LE(plan.stages, std::max<int64_t>(1, llvm::divideCeil(k, 64)));
    }
    EXPECT_GT(views, 10);
  }
}

TEST_F(ViewsTest, RepetitionsReadTheOtherFactorAgain) {
  Plan plan = pick(forwardGemm(4096, 4096, 4096, kInner, kInner));
  plan.microM = 2, plan.microN = 32;
  double once = fragmentClocks(plan, /*isA=*/false, 1, 2, h200);
  plan.microM = 4;
  EXPECT_DOUBLE_EQ(fragmentClocks(plan, /*isA=*/false, 1, 2, h200), 2 * once);
}

TEST_F(ViewsTest, UnitsThatReadTheSameLinesCountAtTheirRate) {
  Problem problem = forwardGemm(4096, 4096, 4096, kInner, kInner);
  Plan plan = pick(problem);
  auto secondsWith = [&](int64_t gigabytes) {
    blas::TargetData figures = *h200;
    figures.l2SharedGBps = gigabytes;
    return estimate(problem, plan, blas::TargetAttr::get(&context, figures)).seconds;
  };
  EXPECT_LT(secondsWith(16000), secondsWith(12000));
  EXPECT_LT(secondsWith(12000), secondsWith(0));
  EXPECT_EQ(secondsWith(h200->l2GBps), secondsWith(0)) << "0: as l2GBps";
}

TEST_F(ViewsTest, TwoStagesWaitForTheTransferOfATile) {
  Problem problem = forwardGemm(4096, 4096, 4096, kInner, kInner);
  Plan plan = pick(problem);
  ASSERT_GE(plan.stages, 4);
  double many = estimate(problem, plan, h200).seconds;
  plan.stages = 2;
  EXPECT_GT(estimate(problem, plan, h200).seconds, 1.05 * many);
}

} // namespace
