//===- ChooseTest.cpp - The best plan, again and quickly ------------------===//

#include "rooftile/Planning/Search/Choose.h"
#include "Fixtures.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/ChoiceTable.h"
#include "rooftile/Planning/Search/Explain.h"
#include "rooftile/Planning/Search/Neighbours.h"
#include "rooftile/Target/Calibrations.h"

#include <chrono>
#include <cstdio>

using namespace rooftile;
using namespace rooftile::planning;

namespace {

TEST_F(PlanningTest, EveryChoiceFits) {
  for (llvm::StringRef name : target::chipNames())
    for (int64_t elementBytes : {4, 8})
      for (int64_t m : {0, 1, 7, 128, 1000, 8192})
        for (int64_t n : {1, 33, 4096})
          for (int64_t k : {0, 1, 17, 5000}) {
            Problem problem = gemm(m, n, k, elementBytes);
            problem.a.maxVector = k % 4 == 0 ? 16 / elementBytes : 1;
            problem.b.maxVector = n % 4 == 0 ? 16 / elementBytes : 1;
            blas::TargetAttr target = chip(name);
            auto choice = choose(problem, target);
            ASSERT_TRUE(choice) << m << " " << n << " " << k;
            EXPECT_FALSE(check(problem, choice->best.plan, target)) << m << " " << n << " " << k;
            EXPECT_TRUE(blas::PlanAttr::get(&context, choice->best.plan));
          }
}

/// A plan as a user could have written it: its text.
static mlir::Attribute written(const Plan &plan, mlir::MLIRContext &context) {
  std::string text;
  llvm::raw_string_ostream(text) << blas::PlanAttr::get(&context, plan);
  return mlir::parseAttribute(text, &context);
}

TEST_F(PlanningTest, EveryChoiceForBlockVectorsCanBeWritten) {
  for (int64_t elementBytes : {4, 8})
    for (int64_t width = 1; width <= 64; ++width)
      for (auto [m, n, k] : {std::tuple(int64_t(5000), width, int64_t(64)),
                             {width, int64_t(5000), int64_t(61)},
                             {width, int64_t(53), int64_t(50000)}})
        for (int64_t vector : {1, 2}) {
          Problem problem = gemm(m, n, k, elementBytes);
          problem.a.maxVector = problem.b.maxVector = problem.c.maxVector = vector;
          auto choice = choose(problem, h200);
          ASSERT_TRUE(choice) << m << " " << n << " " << k;
          EXPECT_TRUE(written(choice->best.plan, context)) << m << " " << n << " " << k;
        }
}

TEST_F(PlanningTest, EveryChipMultipliesInWholeSubgroupsNearItsRoofline) {
  for (llvm::StringRef name : target::chipNames())
    for (int64_t elementBytes : {4, 8}) {
      blas::TargetAttr target = chip(name);
      Problem problem = gemm(4096, 4096, 4096, elementBytes);
      Ranked best = choose(problem, target)->best;
      std::string what = name.str() + ": " + shortForm(best.plan);
      EXPECT_EQ(best.plan.threads() % target->subgroup, 0) << what;
      EXPECT_EQ(best.plan.lanesM * best.plan.lanesN, target->subgroup) << what;
      bool isScalar = best.plan.a.via == blas::Via::Scalar || best.plan.b.via == blas::Via::Scalar;
      EXPECT_GE(best.plan.stages, isScalar ? 1 : 2) << what; // without tiles in shared memory
      // At least two subgroups a scheduler, or enough work of one thread to hide latencies.
      int64_t subgroups = best.plan.residency * best.plan.threads() / target->subgroup;
      EXPECT_GE(subgroups * best.plan.microM * best.plan.microN, 16 * target->schedulersPerUnit)
          << what;
      EXPECT_LT(best.estimate.seconds, roofline(problem, target).seconds() / 0.55) << what;
    }
}

/// Plans beside the choice differ from it in one value, fit, can be written, and go beyond those
/// that are ranked.
TEST_F(PlanningTest, NeighboursDifferInOneValue) {
  Problem problem = gemm(1000, 1000, 1000, 4);
  problem.a.maxVector = problem.b.maxVector = problem.c.maxVector = 4;
  Plan best = choose(problem, h200)->best.plan;
  std::vector<Ranked> ranked = rankAll(problem, h200), beside = neighboursOf(problem, best, h200);
  EXPECT_GT(beside.size(), 20u);
  size_t further = 0;
  for (const Ranked &each : beside) {
    int different = 0;
    auto count = [&](const auto &left, const auto &right) { different += left != right; };
    auto compare = [&](const auto &left, const auto &right, auto &&self) -> void {
      std::decay_t<decltype(left)>::visitKeys([&](const blas::DataKey &, auto... members) {
        auto one = [&](auto member) {
          if constexpr (std::is_same_v<std::decay_t<decltype(left.*member)>, Path>)
            self(left.*member, right.*member, self);
          else
            count(left.*member, right.*member);
        };
        (one(members), ...);
      });
    };
    compare(each.plan, best, compare);
    EXPECT_EQ(different, 1) << blas::textOf(each.plan);
    EXPECT_FALSE(check(problem, each.plan, h200)) << blas::textOf(each.plan);
    EXPECT_TRUE(written(each.plan, context));
    EXPECT_EQ(each.plan.products, 4);
    further += llvm::none_of(ranked, [&](const Ranked &other) { return other.plan == each.plan; });
  }
  EXPECT_GT(further, 10u);
  EXPECT_TRUE(llvm::is_sorted(beside, [](const Ranked &left, const Ranked &right) {
    return left.estimate.seconds < right.estimate.seconds;
  }));
}

/// Where C is not read, the number of its reads makes no other kernel.
TEST_F(PlanningTest, NeighboursReadCAheadWhereItIsRead) {
  Problem problem = gemm(1000, 1000, 1000, 4);
  for (bool reads : {false, true}) {
    problem.readsC = reads;
    Plan best = choose(problem, h200)->best.plan;
    EXPECT_EQ(best.loadsC > 0, reads);
    bool varies = llvm::any_of(neighboursOf(problem, best, h200),
                               [&](const Ranked &each) { return each.plan.loadsC != best.loadsC; });
    EXPECT_EQ(varies, reads);
  }
}

/// No neighbour is predicted below the roofline, as one would be that has more registers than there
/// are.
TEST_F(PlanningTest, NeighboursHaveAPrice) {
  for (const Problem &problem : {complexGemm(512, 2, 2, 8), gemm(512, 512, 512, 8)}) {
    double least = roofline(problem, h200).seconds();
    std::vector<Ranked> ranked = rankAll(problem, h200);
    for (size_t rank = 0; rank < std::min<size_t>(ranked.size(), 40); ++rank)
      for (const Ranked &each : neighboursOf(problem, ranked[rank].plan, h200))
        EXPECT_GE(each.estimate.seconds, least) << blas::textOf(each.plan);
  }
}

TEST_F(PlanningTest, SamePlanEveryTime) {
  auto first = choose(gemm(1000, 1000, 1000), h200), second = choose(gemm(1000, 1000, 1000), h200);
  EXPECT_EQ(blas::PlanAttr::get(&context, first->best.plan),
            blas::PlanAttr::get(&context, second->best.plan));
  EXPECT_EQ(first->best.estimate.seconds, second->best.estimate.seconds);
}

TEST_F(PlanningTest, LargeProblemsTakeLargeTiles) {
  Plan large = choose(gemm(4096, 4096, 4096), h200)->best.plan;
  EXPECT_GE(large.macroM * large.macroN, 128 * 128);
  EXPECT_GE(large.stages, 2);
  // Small ones have tiles small enough to reach most units.
  Plan small = choose(gemm(256, 256, 256), h200)->best.plan;
  EXPECT_LE(small.macroM * small.macroN, 32 * 32);
}

TEST_F(PlanningTest, FastestMeasuredPlanIsChosen) {
  // The fastest of some 500 generated kernels on an H200, 2026-11-21, 4096 x 4096 x 4096, where A
  // need not be transposed: 54 TFLOP/s, one workgroup a unit; 256 x 128 as well as 128 x 256 (2.52
  // ms, 2026-11-29). Where it must be, three plans are within 0.6 % on an H100, 2026-11-25: 128 x
  // 128 and 64 x 256, asynchronous, and 128 x 128 by leap-frog.
  auto pick = [&](Contiguous ofA) { return choose(gemm(4096, 4096, 4096, 4, ofA), h200)->best; };
  EXPECT_TRUE(llvm::is_contained({"128x128x16, micro 8x8, leap-frog",
                                  "128x128x16, micro 8x8, 4 stages, asynchronous",
                                  "64x256x16, micro 8x8, 4 stages, asynchronous"},
                                 shortForm(pick(Contiguous::Inner).plan)));
  EXPECT_TRUE(llvm::is_contained({"128x256x64, micro 8x16, 2 stages, bulk copies",
                                  "256x128x64, micro 8x16, 2 stages, bulk copies"},
                                 shortForm(pick(Contiguous::Outer).plan)));
}

TEST_F(PlanningTest, ResidencyIsWhatTheGridFills) {
  for (int64_t size : {0, 256, 1024, 4096}) {
    Ranked best = choose(gemm(size, size, size), h200)->best;
    int64_t ofUnit = (best.estimate.tiles + h200->units - 1) / h200->units;
    int64_t expected = std::min(std::max<int64_t>(1, ofUnit), best.estimate.occupancy.blocks);
    EXPECT_EQ(best.plan.residency, expected) << size;
  }
}

TEST_F(PlanningTest, RunnerUpHasOtherTiles) {
  auto choice = choose(gemm(4096, 4096, 4096), h200);
  ASSERT_TRUE(choice->runnerUp);
  EXPECT_NE(shortForm(choice->runnerUp->plan), shortForm(choice->best.plan));
  EXPECT_GE(choice->runnerUp->estimate.seconds, choice->best.estimate.seconds);
}

/// Multiply-adds, or matrix instructions, of a thread in all copies of a step.
int64_t unrolled(const Plan &plan) {
  int64_t copies = plan.a.copy == blas::Copy::Async ? 1 : plan.stages;
  int64_t products = copies * plan.microM * plan.microN * plan.ownK();
  const tile::Instruction *own = plan.instruction;
  return own ? products * own->lanes() / (own->m * own->n * own->k) : products;
}

TEST_F(PlanningTest, EdgesGetShortCodeThatIsNearlyAsFast) {
  for (int64_t elementBytes : {4, 8})
    for (int64_t size : {100, 1023, 2000}) {
      Problem bottom = gemm(63, size, size, elementBytes),
              right = gemm(size, 63, size, elementBytes);
      for (Problem edge : {bottom, right}) {
        Ranked fastest = choose(edge, h200)->best;
        EXPECT_EQ(edgeSlack(edge, h200), 0);
        edge.wholeM = edge.wholeN = size;
        Choice choice = *choose(edge, h200);
        std::string what = shortForm(choice.best.plan);
        EXPECT_LE(choice.best.estimate.seconds,
                  fastest.estimate.seconds + edgeSlack(edge, h200) * 1.0001)
            << what;
        EXPECT_LE(unrolled(choice.best.plan), 512) << what;
        EXPECT_LE(unrolled(choice.best.plan), unrolled(fastest.plan)) << what;
        EXPECT_EQ(explain(edge, choice, h200).back().key, "edge");
      }
    }
}

TEST_F(PlanningTest, EdgesOfLargeProductsLoseAtMostTwoPercentOfThese) {
  Problem whole = gemm(8191, 8191, 8191), edge = gemm(127, 8191, 8191);
  double fastest = choose(edge, h200)->best.estimate.seconds;
  edge.wholeM = edge.wholeN = 8191;
  EXPECT_DOUBLE_EQ(edgeSlack(edge, h200), 0.02 * roofline(whole, h200).seconds());
  EXPECT_LE(choose(edge, h200)->best.estimate.seconds, fastest + edgeSlack(edge, h200));
  // However long the whole product is, an edge of a small one costs no more than a launch.
  edge = gemm(4, 100, 100);
  edge.wholeM = edge.wholeN = 100;
  EXPECT_DOUBLE_EQ(edgeSlack(edge, h200), h200->launchNs * 1e-9);
}

TEST_F(PlanningTest, PartialSumsKeepToTheRoomThereIs) {
  Problem problem = gemm(64, 64, 8192);
  Plan free = choose(problem, h200)->best.plan;
  EXPECT_GT(free.splits, 8); // more than a cluster holds
  EXPECT_EQ(free.reduction, blas::Reduction::Workspace);
  problem.roomElements = 2 * 64 * 64;
  for (const Ranked &ranked : rankAll(problem, h200))
    EXPECT_TRUE(ranked.plan.reduction != blas::Reduction::Workspace || ranked.plan.splits <= 2);
}

TEST_F(PlanningTest, PlansSurviveTheAttribute) {
  Plan plan = choose(gemm(4096, 4096, 4096, 8), mi60)->best.plan;
  blas::PlanAttr attribute = blas::PlanAttr::get(&context, plan);
  EXPECT_EQ(*attribute, plan);
  EXPECT_EQ(attribute->threads(), plan.threads());
  EXPECT_EQ(attribute->sharedBytes(8, 8, 8), plan.sharedBytes(8, 8, 8));
}

TEST_F(PlanningTest, PlanningIsQuick) {
  Problem problem = gemm(4096, 4096, 4096);
  constexpr int kRuns = 1000; // other processes may double most of their times
  constexpr double kLimit = 3e-3;
  double best = 1;
  for (int run = 0; run < kRuns && best > kLimit; ++run) {
    auto start = std::chrono::steady_clock::now();
    search(problem, h200);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  std::printf("planning one operation: %.0f us\n", best * 1e6);
  EXPECT_LT(best, kLimit); // aim: 1 ms; the rest is for slow and busy machines
}

TEST_F(PlanningTest, EqualProblemsHaveOneChoice) {
  ChoiceTable table;
  int made = 0;
  auto find = [&](const Problem &problem, blas::TargetAttr target) {
    return table.find({problem, target}, [&] { return ++made, search(problem, target); });
  };
  Problem problem = gemm(640, 480, 320), other = problem;
  other.c.flat.aligned = 1;
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(find(problem, h200)->best.plan, search(problem, h200)->best.plan);
    find(problem, mi60), find(other, h200);
    EXPECT_EQ(made, 3);
  }
  // That chip in another context.
  mlir::MLIRContext elsewhere;
  auto onError = [&] { return mlir::emitError(mlir::UnknownLoc::get(&elsewhere)); };
  find(problem, target::lookupChip(&elsewhere, "h200", onError));
  EXPECT_EQ(made, 3);
}

void change(int64_t &value) { value += 1; }
void change(double &value) { value += 1; }
void change(bool &value) { value = !value; }
void change(std::string &value) { value += "x"; }
void change(blas::Vendor &value) {
  value = value == blas::Vendor::Amd ? blas::Vendor::Nvidia : blas::Vendor::Amd;
}
void change(std::vector<blas::InstructionRate> &value) { value.front().gflops += 1; }
void change(std::vector<blas::BulkForm> &value) { value.front().unroll += 1; }
void change(std::optional<blas::CalibrationData> &value) { value->multiply += .001; }

/// Another value of any one key of a target, or of its calibration, is another choice, and another
/// text.
TEST_F(PlanningTest, ChoicesAreByEveryKeyOfATarget) {
  blas::TargetData whole = *h200;
  whole.calibration = target::calibrationOf(h200);
  Problem problem = gemm(64, 64, 64);
  // Values that no chip can have count, too.
  auto keyOf = [&](const blas::TargetData &data) { return ChoiceTable::Key(problem, data); };
  EXPECT_TRUE(keyOf(whole) == ChoiceTable::Key(problem, h200));
  int changed = 0;
  auto expectOther = [&](llvm::StringRef name, const blas::TargetData &other) {
    EXPECT_FALSE(keyOf(other) == keyOf(whole)) << name.str();
    EXPECT_NE(blas::textOf(other), blas::textOf(whole)) << name.str();
    EXPECT_TRUE(other != whole) << name.str();
    EXPECT_NE(hash_value(other), hash_value(whole)) << name.str();
    ++changed;
  };
  blas::TargetData::visitKeys([&](const blas::TargetKey &key, auto member) {
    blas::TargetData other = whole;
    change(other.*member);
    expectOther(key.name, other);
  });
  blas::CalibrationData::visitKeys([&](const auto &key, auto member) {
    blas::TargetData other = whole;
    change((*other.calibration).*member);
    expectOther(key.name, other);
  });
  EXPECT_GT(changed, 80);
}

/// A replay is priced however a tile is copied.
TEST_F(PlanningTest, ReplaysTakeClocksOfThePort) {
  Problem problem = gemm(4096, 4096, 4096);
  Plan padded = classic(), bare = classic();
  int shared = static_cast<int>(Bound::Shared);
  for (blas::Copy copy : {blas::Copy::Register, blas::Copy::Async}) {
    for (Plan *plan : {&padded, &bare})
      plan->a.copy = plan->b.copy = copy, plan->a.vector = 1;
    padded.a.pad = 4, bare.a.pad = 0;
    double more = estimate(problem, bare, h200).stepSeconds[shared] -
                  estimate(problem, padded, h200).stepSeconds[shared];
    EXPECT_GT(more, 0.2 * estimate(problem, padded, h200).stepSeconds[shared]);
  }
}

/// Tiles of block vectors hold all of C, or all of K, on chips of both vendors.
TEST_F(PlanningTest, BlockVectorsHaveTheirTilesEverywhere) {
  for (blas::TargetAttr target : {h200, mi60, chip("mi300x")}) {
    Problem sums = gemm(7, 7, 4000000, 8, Contiguous::Outer);
    Plan deep = choose(sums, target)->best.plan;
    EXPECT_GT(deep.slicedK, 1) << target->chip;
    Plan whole = choose(gemm(4000000, 20, 20, 8), target)->best.plan;
    EXPECT_GE(whole.macroK, 20) << target->chip;
    EXPECT_EQ(whole.stages, 1) << target->chip;
  }
}

/// A^T B of two columns in 16 bits, one operand along K: copied in wide accesses, as of both.
TEST_F(PlanningTest, OneOperandAlongKIsCopiedAsItLies) {
  auto seconds = [&](Contiguous ofA, Contiguous ofB) {
    Problem problem = gemm(2, 2, 16777216, 2);
    problem.elementBytes = 4;
    problem.a.elementBytes = problem.b.elementBytes = problem.c.elementBytes = 2;
    problem.a.contiguous = ofA, problem.b.contiguous = ofB;
    for (auto [matrix, order] : {std::pair(&problem.a, ofA), std::pair(&problem.b, ofB)}) {
      matrix->maxVector = order == Contiguous::Inner ? 8 : 2;
      matrix->flat = {order == Contiguous::Inner ? problem.k : 2, 8, 8};
    }
    return choose(problem, h200)->best.estimate.seconds;
  };
  double both = seconds(Contiguous::Inner, Contiguous::Inner);
  EXPECT_LT(seconds(Contiguous::Inner, Contiguous::Outer), 1.1 * both);
  EXPECT_LT(seconds(Contiguous::Outer, Contiguous::Inner), 1.1 * both);
}

/// A million dots of two numbers, and products of 4 x 4: each by one thread, near their bytes.
TEST_F(PlanningTest, TinyProductsOfABatchHaveAThreadEach) {
  for (blas::TargetAttr target : {h200, mi60})
    for (int64_t size : {1, 2, 4}) {
      Problem problem = gemm(size, size, std::max<int64_t>(2, size));
      problem.batch = 1000000;
      for (Matrix *matrix : {&problem.a, &problem.b, &problem.c})
        matrix->batched = true, matrix->maxVector = size, matrix->flat = {size, size, size};
      problem.a.maxVector = problem.k;
      Ranked best = choose(problem, target)->best;
      EXPECT_GT(best.plan.matrices, 1) << size;
      double bytes = roofline(problem, target).seconds(), launch = target->launchNs * 1e-9;
      EXPECT_LT(best.estimate.seconds, 2 * bytes + launch) << size;
      Problem one = problem;
      one.batch = 1, one.c.batched = false;
      EXPECT_EQ(choose(one, target)->best.plan.matrices, 1) << size;
    }
}

} // namespace
