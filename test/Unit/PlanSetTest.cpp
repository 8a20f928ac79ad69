//===- PlanSetTest.cpp - Sets of plans for unknown sizes ------------------===//

#include "rooftile/Planning/Search/PlanSet.h"
#include "Fixtures.h"
#include "rooftile/Planning/Feasibility/Check.h"

#include <set>

using namespace rooftile;
using namespace rooftile::planning;

namespace {
/// M, N and K unknown, nothing known of the accesses.
Problem unknown() {
  Problem problem = gemm(4096, 4096, 4096);
  problem.knownM = problem.knownN = problem.knownK = false;
  for (Matrix *matrix : {&problem.a, &problem.b, &problem.c}) {
    matrix->possibleVector = matrix->maxVector;
    matrix->maxVector = 1;
  }
  return problem;
}
} // namespace

TEST_F(PlanningTest, SetEndsWithAPlanForEverything) {
  std::vector<PlanCase> set = chooseSet(unknown(), h200);
  ASSERT_GE(set.size(), 4u);
  EXPECT_LE(set.size(), 12u); // as docs/CostModel.md lists them
  for (size_t i = 0; i + 1 < set.size(); ++i)
    EXPECT_TRUE(set[i].when) << i;
  EXPECT_FALSE(set.back().when);
  EXPECT_EQ(set.back().ranked.plan.a.vector, 1);
}

TEST_F(PlanningTest, EveryPlanOfASetFitsWhereItMayRun) {
  Problem open = unknown();
  for (const PlanCase &each : chooseSet(open, h200))
    EXPECT_FALSE(check(open.assuming(each.when), each.ranked.plan, h200)) << each.name.str();
}

TEST_F(PlanningTest, ExactCaseIsPlannedAsIfSizesWereKnown) {
  std::vector<PlanCase> set = chooseSet(unknown(), h200);
  auto exact = llvm::find_if(set, [](const PlanCase &each) { return each.name == "exact"; });
  ASSERT_NE(exact, set.end());
  Problem known = gemm(4096, 4096, 4096);
  const Plan &plan = exact->ranked.plan;
  EXPECT_LE(estimate(known, plan, h200).seconds, 1.05 * choose(known, h200)->best.estimate.seconds);
  EXPECT_EQ(plan.b.vector, 4); // A is transposed, and copied by elements
  EXPECT_EQ(exact->when.getM().getMultiple(), plan.macroM);
  EXPECT_GE(exact->when.getM().getLeast(), plan.macroM);
}

TEST_F(PlanningTest, OnlyBoundedCasesHaveAWorkspace) {
  for (const PlanCase &each : chooseSet(unknown(), h200))
    EXPECT_TRUE(each.ranked.plan.splits == 1 || !each.problem.isUnbounded()) << each.name.str();
}

TEST_F(PlanningTest, LargerSquaresComeFirst) {
  int64_t before = INT64_MAX;
  for (const PlanCase &each : chooseSet(unknown(), h200))
    if (each.name == "aligned") {
      EXPECT_LT(each.when.getM().getLeast(), before);
      before = each.when.getM().getLeast();
    }
  EXPECT_LT(before, INT64_MAX);
}

TEST_F(PlanningTest, KnownSizesNeedNoSet) {
  Problem problem = gemm(100, 100, 100);
  EXPECT_FALSE(needsSet(problem));
  problem.a.maxVector = 1;
  problem.a.possibleVector = 4;
  EXPECT_TRUE(needsSet(problem));
  std::vector<PlanCase> set = chooseSet(problem, h200);
  ASSERT_EQ(set.size(), 2u);
  EXPECT_FALSE(set[0].when.getM());
  EXPECT_EQ(set[0].when.getA(), 4);
}

namespace {
/// Nor are the strides of A, B or C known.
Problem unordered(bool a, bool b, bool c) {
  Problem problem = unknown();
  for (auto [open, matrix] : {std::pair(a, &problem.a), {b, &problem.b}, {c, &problem.c}})
    if (open) {
      matrix->contiguous = Contiguous::None;
      matrix->possibleVector = 1;
      matrix->rowMajor = matrix->columnMajor = {1, 4};
    }
  return problem;
}
} // namespace

TEST_F(PlanningTest, EveryOrderOfAAndBHasAPlanWithWideAccesses) {
  std::set<std::pair<blas::Order, blas::Order>> wide;
  for (const PlanCase &each : chooseSet(unordered(true, true, true), h200))
    if (each.when && each.when.getA() == 4 && each.when.getB() == 4)
      wide.insert({each.when.getOrderA(), each.when.getOrderB()});
  EXPECT_EQ(wide.size(), 4u);
  for (auto [a, b] : wide)
    EXPECT_TRUE(a != blas::Order::Any && b != blas::Order::Any);
}

TEST_F(PlanningTest, SetsForUnknownStridesStaySmallAndEveryCaseCanRun) {
  for (int open = 0; open < 8; ++open) {
    Problem problem = unordered(open & 1, open & 2, open & 4);
    std::vector<PlanCase> set = chooseSet(problem, h200);
    EXPECT_GE(set.size(), 4u) << open;
    EXPECT_LE(set.size(), 12u) << open;
    for (size_t i = 0; i + 1 < set.size(); ++i) {
      EXPECT_FALSE(check(problem.assuming(set[i].when), set[i].ranked.plan, h200)) << open;
      for (size_t before = 0; before < i; ++before)
        EXPECT_FALSE(set[i].when.implies(set[before].when)) << open << ": " << before << ", " << i;
    }
  }
}

TEST_F(PlanningTest, UnknownStridesAloneNeedASet) {
  Problem problem = gemm(1024, 1024, 1024);
  problem.a.contiguous = Contiguous::None;
  problem.a.maxVector = problem.a.possibleVector = 1;
  EXPECT_FALSE(needsSet(problem));
  problem.a.columnMajor = {1, 4};
  EXPECT_TRUE(needsSet(problem));
  std::vector<PlanCase> set = chooseSet(problem, h200);
  ASSERT_EQ(set.size(), 2u);
  EXPECT_EQ(set[0].when.getOrderA(), blas::Order::Columns);
}

TEST_F(PlanningTest, SetsAreDeterministic) {
  auto texts = [&] {
    std::string text;
    for (const Reason &reason : explain(chooseSet(unknown(), h200), h200))
      text += reason.key.str() + ": " + reason.text + "\n";
    return text;
  };
  EXPECT_EQ(texts(), texts());
}
