//===- PlanSetTest.cpp - Sets of plans for unknown sizes ------------------===//

#include "rooftile/Planning/Search/PlanSet.h"
#include "Fixtures.h"
#include "rooftile/Planning/Feasibility/Check.h"

#include <cmath>
#include <limits>
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
  EXPECT_LE(set.size(), 16u); // as docs/CostModel.md lists them
  for (size_t i = 0; i + 1 < set.size(); ++i)
    EXPECT_TRUE(set[i].when) << i;
  EXPECT_FALSE(set.back().when);
  EXPECT_EQ(set.back().ranked.plan.a.vector, 1);
}

TEST_F(PlanningTest, EveryPlanOfASetFitsWhereItMayRun) {
  Problem open = unknown();
  for (const PlanCase &each : chooseSet(open, h200))
    EXPECT_FALSE(check(open.assuming(each.when), each.ranked.plan, h200)) << each.name;
}

namespace {
/// Whether `when` holds for a square of `size` of which all accesses are aligned that can be.
bool holds(blas::GivenAttr when, int64_t size) {
  if (!when)
    return true;
  auto fits = [&](blas::ExtentAttr extent) {
    return !extent || (size >= extent.getLeast() && size % extent.getMultiple() == 0 &&
                       (extent.getMost() == 0 || size <= extent.getMost()));
  };
  auto aligned = [&](int64_t vector) { return size % vector == 0; };
  return fits(when.getM()) && fits(when.getN()) && fits(when.getK()) && aligned(when.getA()) &&
         aligned(when.getB()) && aligned(when.getC());
}

/// The case that plan-dispatch selects for a square.
const PlanCase &caseOf(const std::vector<PlanCase> &set, int64_t size) {
  const PlanCase *chosen = nullptr;
  int64_t least = INT64_MAX;
  for (const PlanCase &each : set) {
    if (!holds(each.when, size) || (chosen && !each.price))
      continue;
    if (!each.price)
      return each;
    int64_t price = each.price.picoseconds(each.ranked.plan, size, size, size, 1);
    if (price < least)
      chosen = &each, least = price;
  }
  return *chosen;
}

/// A square of sizes that are not known, by the plan of `each`.
double secondsOf(const PlanCase &each, int64_t size, blas::TargetAttr target) {
  Problem problem = unknown();
  problem.m = problem.n = problem.k = size;
  problem = problem.assuming(each.when);
  const Plan &plan = each.ranked.plan;
  return estimate(problem, plan, target, surelyHeld(problem, plan, target)).seconds;
}

/// Squares that are multiples of accesses, and none.
constexpr int64_t kSquares[] = {64,   127,  128,  255,  256,  257,  384,  511,  512,
                                513,  768,  1000, 1023, 1024, 1025, 1536, 2047, 2048,
                                2049, 3001, 3072, 4095, 4096, 6144, 8192};

Problem knownSquare(int64_t size) {
  Problem problem = gemm(size, size, size);
  while (size % problem.a.maxVector != 0)
    for (Matrix *matrix : {&problem.a, &problem.b, &problem.c})
      matrix->maxVector = matrix->possibleVector = matrix->maxVector / 2;
  return problem;
}
} // namespace

TEST_F(PlanningTest, SetIsNearlyAsFastAsPlansOfKnownSizes) {
  std::vector<PlanCase> set = chooseSet(unknown(), h200);
  double logarithms = 0;
  for (int64_t size : kSquares) {
    double exact = choose(knownSquare(size), h200)->best.estimate.seconds;
    double ratio = exact / secondsOf(caseOf(set, size), size, h200);
    EXPECT_GE(ratio, 0.85) << size;
    logarithms += std::log(ratio);
  }
  EXPECT_GE(std::exp(logarithms / std::size(kSquares)), 0.96);
}

TEST_F(PlanningTest, PriceTakesWhatTheModelWouldNearly) {
  std::vector<PlanCase> set = chooseSet(unknown(), h200);
  for (int64_t size : kSquares) {
    double least = std::numeric_limits<double>::infinity();
    for (const PlanCase &each : set)
      if (each.price && holds(each.when, size))
        least = std::min(least, secondsOf(each, size, h200));
    EXPECT_LE(secondsOf(caseOf(set, size), size, h200), 1.05 * least) << size;
  }
}

TEST_F(PlanningTest, PriceIsThatOfTheModelForLargeSquares) {
  for (const PlanCase &each : chooseSet(unknown(), h200))
    if (each.price && holds(each.when, 4096)) {
      int64_t price = each.price.picoseconds(each.ranked.plan, 4096, 4096, 4096, 1);
      double ratio = price * 1e-12 / secondsOf(each, 4096, h200);
      EXPECT_GT(ratio, 0.7) << each.name;
      EXPECT_LT(ratio, 1.4) << each.name;
    }
}

TEST_F(PlanningTest, PriceCountsWavesAndWhatIsLeft) {
  Plan plan;
  plan.macroM = 10, plan.macroN = 20, plan.macroK = 8, plan.splits = 2;
  auto price = blas::PriceAttr::get(h200.getContext(), /*units=*/4, /*blocks=*/3, /*start=*/1000,
                                    /*step=*/100, /*rest=*/7, /*fullStep=*/150, /*fullRest=*/9);
  // Steps: 5, of which the longer half has 3.
  EXPECT_EQ(price.picoseconds(plan, 0, 20, 40, 1), 1000);
  EXPECT_EQ(price.picoseconds(plan, 10, 20, 40, 1), 1000 + 307);           // 2 workgroups
  EXPECT_EQ(price.picoseconds(plan, 10, 41, 40, 1), 1000 + 307 + 152 / 2); // 6: two on a unit
  EXPECT_EQ(price.picoseconds(plan, 30, 40, 33, 1), 1000 + 459);           // 12: a wave
  EXPECT_EQ(price.picoseconds(plan, 30, 40, 33, 2), 1000 + 2 * 459);       // two matrices
  EXPECT_EQ(price.picoseconds(plan, 30, 40, 33, 3) - 1000, 3 * 459);
  EXPECT_EQ(price.picoseconds(plan, 31, 40, 0, 1), 1000 + 9 + 7); // 16: no steps
}

TEST_F(PlanningTest, OnlyBoundedCasesHaveAWorkspace) {
  for (const PlanCase &each : chooseSet(unknown(), h200))
    EXPECT_TRUE(each.ranked.plan.reduction != blas::Reduction::Workspace ||
                !each.problem.isUnbounded())
        << each.name;
}

TEST_F(PlanningTest, CasesWithAPriceComeLast) {
  bool priced = false;
  for (const PlanCase &each : chooseSet(unknown(), h200)) {
    EXPECT_TRUE(each.price || !priced) << each.name;
    priced |= static_cast<bool>(each.price);
  }
  EXPECT_TRUE(priced);
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
    EXPECT_LE(set.size(), 16u) << open;
    for (size_t i = 0; i + 1 < set.size(); ++i) {
      EXPECT_FALSE(check(problem.assuming(set[i].when), set[i].ranked.plan, h200)) << open;
      for (size_t before = 0; before < i; ++before)
        EXPECT_FALSE(set[i].when.implies(set[before].when) && !set[before].price)
            << open << ": " << before << ", " << i;
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
      text += reason.key + ": " + reason.text + "\n";
    return text;
  };
  EXPECT_EQ(texts(), texts());
}
