//===- PlanDataTest.cpp - What comes from the table of plan keys ----------===//

#include "Fixtures.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

struct PlanDataTest : PlanningTest {
  PlanDataTest() { context.loadDialect<blas::BlasDialect>(); }

  /// A plan none of whose values is a default.
  Plan unusual() {
    Plan plan = classic();
    plan.slicedK = 2, plan.depth = 4, plan.products = 3, plan.prefetch = 1, plan.unroll = 2;
    plan.summation = blas::Summation::Compensated, plan.reduction = blas::Reduction::Workspace;
    plan.splits = 4, plan.tail = blas::Tail::Guard, plan.raster = 8, plan.stages = 3;
    plan.a.copy = blas::Copy::Async, plan.b.layout = blas::ComplexLayout::Planar;
    plan.a.pad = 4, plan.b.swizzle = 8, plan.c = blas::Via::Shared;
    return plan;
  }
};

TEST_F(PlanDataTest, TextComesBackAsItWas) {
  for (const Plan &plan : {classic(), unusual()}) {
    auto attribute = mlir::parseAttribute("#blas.plan" + blas::textOf(plan), &context);
    ASSERT_TRUE(attribute);
    EXPECT_EQ(*mlir::cast<blas::PlanAttr>(attribute), plan);
    EXPECT_EQ(attribute, blas::PlanAttr::get(&context, plan));
  }
  EXPECT_NE(classic(), unusual());
  EXPECT_NE(hash_value(classic()), hash_value(unusual()));
}

TEST_F(PlanDataTest, DefaultsGoWithoutSaying) {
  EXPECT_EQ(blas::textOf(Path()), "<via = shared>");
  Path path;
  path.major = blas::Major::K, path.pad = 4;
  EXPECT_EQ(blas::textOf(path), "<via = shared, pad = 4, major = k>");
}

TEST_F(PlanDataTest, KeysAreListedWithValuesAndDefaults) {
  llvm::StringMap<blas::KeyInfo> keys;
  for (const blas::KeyInfo &key : blas::planKeys())
    keys[key.name] = key;
  EXPECT_EQ(keys.size(), 25u);
  EXPECT_EQ(keys["macro"].kind, blas::KeyInfo::Kind::Sizes);
  EXPECT_TRUE(keys["macro"].required);
  EXPECT_EQ(keys["stages"].byDefault, "2");
  EXPECT_EQ(keys["tail"].words, (std::vector<llvm::StringRef>{"guard", "overlap", "split"}));
  EXPECT_EQ(keys["mma"].words.front(), "fma");
  EXPECT_EQ(keys["a"].kind, blas::KeyInfo::Kind::Path);
  EXPECT_EQ(blas::pathKeys().front().name, "via");
}

TEST_F(PlanDataTest, JsonHasEveryKey) {
  std::string text = llvm::formatv("{0}", llvm::json::Value(blas::jsonOf(classic())));
  llvm::Expected<llvm::json::Value> read = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(read->getAsObject()->size(), blas::planKeys().size());
  EXPECT_EQ(read->getAsObject()->getString("reduction"), "none");
  EXPECT_EQ(read->getAsObject()->getObject("a")->size(), blas::pathKeys().size());
}

} // namespace
