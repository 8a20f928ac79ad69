//===- PlanListTest.cpp - Lines of lists of plans -------------------------===//

#include "rooftile/Planning/Search/PlanList.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace rooftile;
using namespace rooftile::planning;

namespace {

constexpr const char *kPlan = " -> #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], "
                              "a = <via = shared>, b = <via = shared>>\n";

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct PlanListTest : testing::Test {
  PlanListTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<blas::BlasDialect>();
  }

  /// A list of these lines; an error is in `error`.
  std::optional<PlanList> list(const std::string &text) {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      auto place = mlir::cast<mlir::FileLineColLoc>(diagnostic.getLocation());
      error = std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn()) + ": " +
              diagnostic.str();
      return mlir::success();
    });
    llvm::FailureOr<PlanList> parsed = PlanList::parse(text, "my.plans", &context);
    return failed(parsed) ? std::nullopt : std::optional(std::move(*parsed));
  }
  static PlanList::Found find(const PlanList &list, const std::string &line) {
    operation::Parsed parsed = operation::parse(line);
    EXPECT_EQ(parsed.error, "") << line;
    return list.find({canonical(parsed.operation), /*isWhole=*/true});
  }
  /// Numbers of the lines that match.
  static std::vector<unsigned> numbers(const PlanList &list, const std::string &line) {
    std::vector<unsigned> all;
    for (const PlanList::Line *each : find(list, line).lines)
      all.push_back(each->number);
    return all;
  }

  mlir::MLIRContext context;
  std::string error;
};

using Numbers = std::vector<unsigned>;

/// Lines that state all but alpha are found by hash, however many there are.
TEST_F(PlanListTest, MeasuredLinesAreNotCompared) {
  std::string text;
  for (int m = 1; m <= 1000; ++m)
    text += "v1 gemm type=f32 op=nn m=" + std::to_string(m) + " n=8 k=8 alpha=*" + kPlan;
  for (const char *pattern : {"v1 gemm type=f64 *", "v1 gemm m>=512 *", "v1 gemm n=8 k=* *"})
    text += pattern + std::string(kPlan);
  std::optional<PlanList> all = list(text);
  ASSERT_TRUE(all) << error;
  PlanList::Found found = find(*all, "v1 gemm type=f32 op=nn m=700 n=8 k=8 alpha=any");
  EXPECT_EQ(found.compared, 4u);
  EXPECT_EQ(found.lines.size(), 3u);
  EXPECT_EQ(find(*all, "v1 gemm type=c64 op=nn m=1001 n=9 k=8").compared, 3u);
}

/// Comparisons of sizes that each call states are ranges.
TEST_F(PlanListTest, SizesOfACallAreRanges) {
  auto rangesOf = [](const std::string &pattern, const std::string &line) {
    operation::Pattern parsed;
    EXPECT_EQ(operation::Pattern::parse(pattern, parsed).error, "") << pattern;
    operation::Parsed operation = operation::parse(line);
    EXPECT_EQ(operation.error, "") << line;
    auto ranges = parsed.ranges(operation.operation);
    EXPECT_EQ(parsed.matchesSome(operation.operation), ranges.has_value()) << pattern;
    return ranges;
  };
  const std::string open = "v1 gemm type=f32 op=nn m=any n=any k=64 ld=any";
  auto ranges = rangesOf("v1 gemm m>10 m<=20 m>=4 n%6=0 n%4=0 n<100 k<100 *", open);
  ASSERT_TRUE(ranges);
  EXPECT_EQ(ranges->m.least, 11);
  EXPECT_EQ(ranges->m.most, 20);
  EXPECT_EQ(ranges->n.multiple, 12);
  EXPECT_EQ(ranges->n.most, 99);
  EXPECT_FALSE(ranges->k.isBounded());
  for (const char *none : {"v1 gemm m!=3 *", "v1 gemm m%4=1 *", "v1 gemm m<=0 *",
                           "v1 gemm m>4 m<=4 *", "v1 gemm m%8=0 m>8 m<16 *", "v1 gemm n%4<2 *"})
    EXPECT_FALSE(rangesOf(none, open)) << none;
  operation::Pattern known;
  operation::Pattern::parse("v1 gemm m>10 k>=65 *", known);
  EXPECT_FALSE(known.matchesSome(operation::parse(open).operation));
}

/// For people: the time of a look-up among 1000 lines that end in this.
struct PlanListTimes : PlanListTest, testing::WithParamInterface<const char *> {};
INSTANTIATE_TEST_SUITE_P(Lines, PlanListTimes, testing::Values("alpha=*", "*"));

TEST_P(PlanListTimes, LookUp) {
  std::string text;
  for (int m = 1; m <= 1000; ++m)
    text += "v1 gemm type=f32 op=nt m=" + std::to_string(m) + " n=8 k=8 " + GetParam() + kPlan;
  auto start = std::chrono::steady_clock::now();
  std::optional<PlanList> all = list(text);
  ASSERT_TRUE(all) << error;
  RecordProperty("millisecondsOfReading", std::to_string(1e3 * secondsSince(start)));
  StatedOperation stated{
      operation::parse("v1 gemm type=f32 op=nt m=700 n=8 k=8 alpha=any").operation, true};
  double fastest = 1;
  for (int i = 0; i < 200; ++i) {
    start = std::chrono::steady_clock::now();
    ASSERT_EQ(all->find(stated).lines.size(), 1u);
    fastest = std::min(fastest, secondsSince(start));
  }
  RecordProperty("microseconds", std::to_string(1e6 * fastest));
}

/// By hash the same lines are found as by comparison with each.
TEST_F(PlanListTest, HashedLinesMatchAsPatterns) {
  std::optional<PlanList> all = list(std::string("v1 gemm type=f32 op=nn m=9 n=8 k=7") + kPlan +
                                     "v1 gemm type=f32 op=nn m=9 n=8 k=7 alpha=any" + kPlan +
                                     "v1 gemm type=f32 op=nn m=9 n=8 k=7 alpha=*" + kPlan +
                                     "v1 gemm type=f32 op=nn m=9 n=8 k=7 beta=*" + kPlan +
                                     "v1 gemm type=c128 op=nn m=9 n=8 k=7 align=any" + kPlan +
                                     "v1 gemm type=f32 op=nn m=9 n=8 k=7 align=any" + kPlan);
  ASSERT_TRUE(all) << error;
  EXPECT_EQ(numbers(*all, "v1 gemm type=f32 op=nn m=9 n=8 k=7"), Numbers({1, 3, 4}));
  EXPECT_EQ(numbers(*all, "v1 gemm type=f32 op=nn m=9 n=8 k=7 alpha=any"), Numbers({2, 3}));
  EXPECT_EQ(numbers(*all, "v1 gemm type=f32 op=nn m=9 n=8 k=7 alpha=zero beta=any"), Numbers({}));
  EXPECT_EQ(numbers(*all, "v1 gemm type=f32 op=nn m=9 n=8 k=7 beta=one"), Numbers({4}));
  // An element of 16 bytes is aligned to as many.
  EXPECT_EQ(numbers(*all, "v1 gemm type=c128 op=nn m=9 n=8 k=7"), Numbers({5}));
  EXPECT_EQ(numbers(*all, "v1 gemm type=f32 op=nn m=9 n=8 k=7 align=any"), Numbers({6}));
  // Its lines alone, which may be looked up for what passes make of it.
  PlanList::Found found = find(*all, "v1 gemm type=c128 op=nn m=9 n=8 k=7");
  EXPECT_EQ(numbers(*all->only(found, false), "v1 gemm type=c128 op=nn m=9 n=8 k=7"), Numbers({5}));
  EXPECT_EQ(numbers(*all->only(found, false), "v1 gemm type=c128 op=nn m=9 n=8 k=6"), Numbers({}));
  EXPECT_EQ(numbers(*all->only(found, true), "v1 gemm type=c128 op=nn m=9 n=8 k=6"), Numbers({5}));
  EXPECT_EQ(numbers(*all->only(found, true), "v1 trmm type=c128 op=n m=9 n=8"), Numbers({}));
}

/// A line that states a whole operation does not match a part of one.
TEST_F(PlanListTest, PartsMatchPatternsOnly) {
  std::string line = "v1 gemm type=f32 op=nn m=9 n=8 k=7";
  std::optional<PlanList> all = list(line + kPlan + "v1 gemm type=f32 *" + kPlan);
  ASSERT_TRUE(all) << error;
  PlanList::Found found = all->find({operation::parse(line).operation, /*isWhole=*/false});
  ASSERT_EQ(found.lines.size(), 1u);
  EXPECT_EQ(found.lines[0]->number, 2u);
}

TEST_F(PlanListTest, Chips) {
  std::optional<PlanList> all =
      list(std::string("v1 gemm type=f32 *") + kPlan + "chip H200 # mine\n" + "v1 gemm type=f64 *" +
           kPlan + "v1 gemm type=c64 *" + kPlan + " chip a100\nchip *\n" + "v1 gemm type=c128 *" +
           kPlan);
  ASSERT_TRUE(all) << error;
  EXPECT_EQ(all->whatIsLeftOut("h200"), "");
  EXPECT_EQ(all->whatIsLeftOut("a100"),
            "my.plans:2: 2 lines are for chip 'H200', left out for 'a100'");
  std::vector<std::string> chips;
  for (const PlanList::Line *line : all->all().lines)
    chips.push_back(line->chip);
  EXPECT_EQ(chips, std::vector<std::string>({"", "H200", "H200", ""}));
}

/// A chip of which nothing measured faster than the model's plans.
TEST_F(PlanListTest, NoPlansOfAChip) {
  EXPECT_TRUE(list("# nothing is faster\nchip h200\n")) << error;
  EXPECT_FALSE(list("# nothing\n"));
  EXPECT_EQ(error, "1:1: the list of plans is empty");
}

TEST_F(PlanListTest, BadChips) {
  EXPECT_FALSE(list("\n chip\n"));
  EXPECT_EQ(error, "2:6: expected 'chip' and one name, or * for all chips");
  EXPECT_FALSE(list("chip h200 h100 # two\n"));
  EXPECT_EQ(error, "1:11: expected 'chip' and one name, or * for all chips");
}

} // namespace
