//===- ReportTest.cpp - Model against measurements ------------------------===//

#include "rooftile/Tuning/Report/Report.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Bench/Candidates.h"
#include "rooftile/Bench/Draw.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Tuning/Report/Samples.h"
#include "rooftile/Tuning/Report/ShapeClass.h"
#include "rooftile/Tuning/Select/Select.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <map>

using namespace rooftile;
using namespace rooftile::tuning;

namespace {

/// A plan of an operation. Its resource needs all of the predicted time.
Measurement measurement(std::string operation, std::string plan, double predicted, double measured,
                        const char *resource) {
  Measurement each;
  each.operation = std::move(operation), each.plan = std::move(plan);
  each.environment = {"h200", "NVIDIA H200", "CUDA 13.0", "Rooftile 2", "0", 1};
  each.predicted = predicted;
  each.resources = {{"launch", 0.01}, {resource, predicted}};
  each.samples = {measured, measured, measured};
  each.baselineBefore = each.baselineAfter = 2;
  each.date = "2026-11-27T10:00:00Z";
  return each;
}

struct ReportTest : ::testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rooftile-report", folder));
    store.emplace(llvm::cantFail(Store::open((folder + "/a.store").str(), Access::Write)));
  }
  void TearDown() override {
    store.reset();
    llvm::sys::fs::remove_directories(folder);
  }
  void add(const Measurement &measurement) { llvm::cantFail(store->add(measurement)); }
  Report report() { return llvm::cantFail(makeReport(*store, "h200")); }

  llvm::SmallString<128> folder;
  std::optional<Store> store;
};

const char *const kOperation = "v1 gemm type=f32 op=nn m=64 n=64 k=64";

TEST_F(ReportTest, RegretIsOfTheModelsRanking) {
  double measured[] = {3, 2.5, 2.5, 2.4, 2.2, 2.1, 2.1, 2.1, 2};
  for (int rank = 0; rank < 9; ++rank)
    add(measurement(kOperation, "<rank = " + std::to_string(rank) + ">", 1 + 0.1 * rank,
                    measured[rank], "FMA"));
  ASSERT_EQ(report().operations.size(), 1u);
  OperationReport own = report().operations[0];
  EXPECT_EQ(own.shapeClass + " " + own.type, "square f32");
  EXPECT_EQ(own.best(), 8u);
  EXPECT_DOUBLE_EQ(own.regret(1), 1.5);
  EXPECT_DOUBLE_EQ(own.regret(4), 1.2);
  EXPECT_DOUBLE_EQ(own.regret(8), 1.05);
  // 36 pairs, all reversed but for 4 ties of measured times.
  EXPECT_DOUBLE_EQ(own.correlation(), -32 / std::sqrt(36.0 * 32));
  EXPECT_TRUE(std::isnan(mispricingOf(own).factor)) << "one resource bounds all plans";
}

/// Clocks of a job that were a tenth lower do not count.
/// A plan beside the pick that is predicted faster, which the planner has not listed, is no pick of
/// its.
TEST_F(ReportTest, ThePickIsOfThePlannersList) {
  for (int64_t rank = 0; rank < 5; ++rank) {
    Measurement listed = measurement(kOperation, "<rank = " + std::to_string(rank) + ">",
                                     rank < 2 ? 1 : 1.5, rank == 1 ? 4 : 3, "FMA");
    listed.rank = 4 - rank;
    add(listed);
  }
  add(measurement(kOperation, "<rank = 9>", 0.5, 2, "FMA"));
  OperationReport own = report().operations[0];
  EXPECT_EQ(own.plans.front().plan, "<rank = 4>");
  EXPECT_DOUBLE_EQ(own.regret(1), 1.5);
  EXPECT_DOUBLE_EQ(own.regret(4), 1.5);
  EXPECT_EQ(own.plans.back().plan, "<rank = 9>");
}

TEST_F(ReportTest, KernelsForAllSizesAreAClassWithRanges) {
  std::string line = std::string(kOperation) + " dynamic";
  for (double measured : {2.0, 1.0}) {
    Measurement each = measurement(line, measured == 1 ? "<b = 1>" : "<a = 1>", 2, measured, "FMA");
    each.samples = std::vector<double>(12, measured);
    add(each);
  }
  EXPECT_EQ(report().operations[0].shapeClass, "square, any sizes");
  Selection selection = llvm::cantFail(select(*store, "h200"));
  ASSERT_EQ(selection.faster.size(), 1u);
  EXPECT_EQ(selection.faster[0].operation, line);
  EXPECT_NE(selection.faster[0].pattern.find(" m=any n=any k=any m>="), std::string::npos);
}

TEST_F(ReportTest, TimesAreOverTheBaseline) {
  add(measurement(kOperation, "<1>", 1, 2, "FMA"));
  Measurement slow = measurement(kOperation, "<2>", 1.5, 2.2, "FMA");
  slow.baselineBefore = slow.baselineAfter = 2.2;
  add(slow);
  Measurement third = measurement(kOperation, "<3>", 1.6, 2, "FMA");
  add(third);
  Report all = report();
  for (const Compared &plan : all.operations[0].plans)
    EXPECT_DOUBLE_EQ(plan.measured, 2) << plan.plan;
}

TEST_F(ReportTest, TheMispricedResourceIsNamed) {
  // Plans that L2 bounds last 1.5 times as long as predicted, the others as long.
  add(measurement(kOperation, "<1>", 1, 1.5, "L2"));
  add(measurement(kOperation, "<2>", 1.1, 1.1, "FMA"));
  add(measurement(kOperation, "<3>", 2, 3, "L2"));
  add(measurement(kOperation, "<4>", 2, 2, "DRAM"));
  add(measurement(kOperation, "<5>", 3, 3, "DRAM"));
  Mispricing found = mispricingOf(report().operations[0]);
  EXPECT_EQ(found.resource, "L2");
  EXPECT_NEAR(found.factor, 1.5, 1e-12);
}

TEST_F(ReportTest, PlansThatFailedAreCountedApart) {
  add(measurement(kOperation, "<1>", 1, 2, "FMA"));
  add(measurement(kOperation, "<2>", 1, 1, "FMA"));
  Measurement wrong = measurement(kOperation, "<2>", 1, 1, "FMA");
  wrong.outcome = Outcome::Wrong, wrong.reason = "row 0";
  add(wrong);
  wrong.samples = {};
  add(wrong);
  wrong.outcome = Outcome::TimedOut, wrong.plan = "<3>", wrong.state.throttled = true;
  add(wrong);
  Report all = report();
  EXPECT_EQ(all.operations.size(), 0u);
  EXPECT_EQ(all.others, 1u) << "one plan is left";
  EXPECT_EQ(all.throttled, 1u);
  ASSERT_EQ(all.failures.size(), 2u);
  EXPECT_EQ(all.failures[0].outcome, Outcome::Wrong);
  EXPECT_EQ(all.failures[0].plans, 1u);
  EXPECT_EQ(all.failures[0].reason, "row 0");
}

/// Sizes of classes overlap: a product that is drawn as odd may be small.
TEST(ShapeClass, ShapesThatAreDrawnAreOfTheirClass) {
  bench::DrawOptions options;
  options.perClass = 20;
  std::map<std::string, int> drawn, found;
  for (const bench::Shape &shape : llvm::cantFail(bench::drawShapes(options))) {
    ++drawn[shape.group];
    found[shape.group] += classOf(shape.operation) == shape.group;
  }
  EXPECT_EQ(drawn.size(), 9u);
  for (const auto &[name, count] : drawn)
    EXPECT_GE(found[name], 0.75 * count) << name;
}

TEST(ShapeClass, OtherRoutinesAreClasses) {
  auto classOfLine = [](const char *line) {
    return classOf(llvm::cantFail(bench::Shape::parse(line)).operation);
  };
  EXPECT_EQ(classOfLine("f64 trsm-llnn 512x64x512"), "trsm");
  EXPECT_EQ(classOfLine("f64 trsm-llnn 8x8x8 batch=100"), "trsmbatched");
  EXPECT_EQ(classOfLine("f64 symm-ll 512x64x512"), "symm");
  EXPECT_EQ(classOfLine("f32 nn 32x32x32 batch=2000"), "batched");
  EXPECT_EQ(classOfLine("f64 tn 16x16x1000000"), "tsmttsm");
  EXPECT_EQ(classOfLine("f64 nn 1000000x16x16"), "tsmm");
  EXPECT_EQ(classOfLine("f32 tn 128x128x65536"), "longk");
  EXPECT_EQ(classOfLine("f32 nt 4096x16x4096"), "skinny");
  EXPECT_EQ(classOfLine("f32 nn 4096x4097x16"), "smallk");
  EXPECT_EQ(classOfLine("f32 nn 100x200x300"), "small");
}

TEST(Resources, ThoseOfASplitRoutineAreSums) {
  mlir::DialectRegistry registry;
  bench::prepareCompiler(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  bench::Shape shape = llvm::cantFail(bench::Shape::parse("f64 syr2k-ln 700x700x700"));
  std::string why;
  bench::KernelOptions options;
  options.chip = "h200";
  bench::Resources sum;
  size_t operations = 0;
  for (const bench::AskedOperation &each : bench::askedBy(shape, "h200", context, why)) {
    const bench::Asked &product = std::get<bench::Asked>(each);
    planning::Estimate estimate =
        planning::rankAll(product.problem, product.target).front().estimate;
    EXPECT_EQ(bench::resourcesOf(estimate)[planning::kBounds].second, estimate.epilogueSeconds);
    bench::addTo(sum, bench::resourcesOf(estimate));
    ++operations;
  }
  EXPECT_GE(operations, 2u) << why;
  auto candidates = bench::candidatesOf(shape, {bench::PlanQuery::Top, 1}, context, options, why);
  ASSERT_EQ(candidates.size(), 1u) << why;
  EXPECT_EQ(candidates[0].resources, sum);
}

TEST_F(ReportTest, AFitNeedsOperations) {
  auto addOperation = [&](int size) {
    std::string line = llvm::formatv("v1 gemm type=f32 op=nt m={0} n={0} k={0}", size);
    add(measurement(line, "<1>", 1, 2, "FMA"));
    add(measurement(line, "<2>", 1.5, 3, "FMA"));
  };
  for (size_t count = 1; count < kLeastFitted; ++count)
    addOperation(int(100 * count));
  add(measurement("v1 syrk type=f64 op=n n=700 k=700", "<1> + <2>", 1, 2, "FMA"));
  add(measurement("v1 syrk type=f64 op=n n=700 k=700", "<3> + <4>", 2, 2, "FMA"));
  EXPECT_EQ(llvm::toString(samplesOf(*store, "h200").takeError()),
            "a fit needs 10 products on h200 with two plans or more that ran, there are 9; "
            "gemm-tune search adds some");
  std::string split = "v1 gemm type=c64 op=nn m=512 n=512 k=512 math=emulated";
  add(measurement(split, "<1> + <2> + <3>", 1, 2, "FMA"));
  add(measurement(split, "<4> + <5> + <6>", 1, 2, "FMA"));
  EXPECT_NE(llvm::toString(samplesOf(*store, "h200").takeError()), "") << "plans of three kernels";
  addOperation(1000);
  bench::Results samples = llvm::cantFail(samplesOf(*store, "h200"));
  ASSERT_EQ(samples.rows.size(), 2 * kLeastFitted);
  const bench::Row &row = samples.rows[0];
  EXPECT_EQ(row.key(), "f32 nt 100x100x100");
  EXPECT_EQ(row.plan, "#blas.plan<1>");
  EXPECT_EQ(row.oursMs, 2);
  EXPECT_EQ(row.verified, "yes");
}

} // namespace
