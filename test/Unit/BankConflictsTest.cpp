//===- BankConflictsTest.cpp - Shared accesses and banks ------------------===//

#include "rooftile/Dialect/Tile/BankConflicts.h"
#include "Fixtures.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Space/Tiling.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;
using tile::bankConflicts;
using tile::Mode;

namespace {

constexpr tile::Banks kBanks{32, 32};

TEST(BankConflicts, Rows) {
  // 32 lanes side by side; 32 lanes down a column of rows of 32, and of 33, elements.
  Mode row[] = {{32, 0, 1}}, column[] = {{32, 1, 0}};
  EXPECT_EQ(bankConflicts({row, {32, 1}, 1, 4}, kBanks), 0);
  EXPECT_EQ(bankConflicts({column, {32, 1}, 1, 4}, kBanks), 31);
  EXPECT_EQ(bankConflicts({column, {33, 1}, 1, 4}, kBanks), 0);
}

TEST(BankConflicts, SameWordIsNoConflict) {
  Mode all[] = {{32, 0, 0}}, eight[] = {{4, 0, 0}, {8, 0, 4}};
  EXPECT_EQ(bankConflicts({all, {1, 1}, 1, 4}, kBanks), 0);
  EXPECT_EQ(bankConflicts({eight, {1, 1}, 4, 4}, kBanks), 0);
}

TEST(BankConflicts, WideAccessesAreServedInParts) {
  // 16 bytes a lane, 8 lanes at a time: rows of 32 elements meet in all four parts.
  Mode lanes[] = {{2, 0, 4}, {16, 1, 0}};
  EXPECT_EQ(bankConflicts({lanes, {32, 1}, 4, 4}, kBanks), 4 * 3);
  EXPECT_EQ(bankConflicts({lanes, {40, 1}, 4, 4}, kBanks), 0);
  EXPECT_EQ(tile::wavefronts({lanes, {32, 1}, 4, 4}, kBanks), 16);
}

TEST(BankConflicts, Doubles) {
  Mode lanes[] = {{32, 1, 0}};
  EXPECT_EQ(bankConflicts({lanes, {1, 1}, 1, 8}, kBanks), 0);
  EXPECT_EQ(bankConflicts({lanes, {2, 1}, 1, 8}, kBanks), 2);
}

TEST(BankConflicts, WholeRowsOfBanks) {
  // Lanes of m16n8k8_f64 read four neighbours of eight lines, which all begin in the first bank.
  Mode lanes[] = {{4, 0, 1}, {8, 1, 0}};
  EXPECT_EQ(bankConflicts({lanes, {32, 1}, 1, 8}, kBanks), 2 * 3);
  EXPECT_EQ(bankConflicts({lanes, {32, 1}, 1, 8, /*swizzle=*/4}, kBanks), 0);
  EXPECT_EQ(bankConflicts({lanes, {36, 1}, 1, 8}, kBanks), 0);
  // Eight lanes of complex<f64> are served at a time: four neighbours of two vectors.
  EXPECT_EQ(bankConflicts({lanes, {16, 1}, 1, 16}, kBanks), 4);
  EXPECT_EQ(bankConflicts({lanes, {16, 1}, 1, 16, /*swizzle=*/4}, kBanks), 0);
}

TEST(BankConflicts, EverySubgroupCounts) {
  Mode lanes[] = {{64, 2, 0}};
  EXPECT_EQ(bankConflicts({lanes, {1, 1}, 1, 4}, kBanks), 2);
  EXPECT_EQ(bankConflicts({lanes, {1, 1}, 1, 4}, {32, 64}), 2);
}

TEST(BankConflicts, TransposedTiles) {
  // 16 elements along K by 4 threads of 4, on 8 rows of 128 + 4: two threads meet in every bank.
  Mode four[] = {{4, 0, 4}, {8, 1, 0}}, two[] = {{2, 0, 4}, {16, 1, 0}};
  EXPECT_EQ(bankConflicts({four, {1, 132}, 1, 4}, kBanks), 1);
  EXPECT_EQ(bankConflicts({two, {1, 132}, 1, 4}, kBanks), 0);
}

TEST(BankConflicts, Swizzle) {
  // As before, 4 threads on 8 rows: of 16 elements along K the last 8 change places with their
  // neighbours; 32 lanes along K, one at a time, and f64.
  Mode four[] = {{4, 0, 4}, {8, 1, 0}}, all[] = {{32, 0, 1}, {8, 1, 0}};
  EXPECT_EQ(bankConflicts({four, {1, 132}, 1, 4, 8}, kBanks), 0);
  EXPECT_EQ(bankConflicts({four, {1, 132}, 1, 4, 4}, kBanks), 1);
  EXPECT_EQ(bankConflicts({all, {1, 132}, 1, 4, 1}, kBanks), 0);
  EXPECT_EQ(bankConflicts({all, {1, 132}, 1, 4, 0}, kBanks), 8 * 3);
  EXPECT_EQ(bankConflicts({all, {1, 130}, 1, 8, 1}, kBanks), 0);
}

/// Elements of one shared access of `map`, as micro-tile forms its runs.
int64_t runOf(tile::MapAttr map, ArrayRef<int64_t> strides, int64_t elementBytes) {
  ArrayRef<Mode> values = map.getValues();
  bool run = !values.empty() && values[0].row * strides[0] + values[0].column * strides[1] == 1;
  return run ? std::min(values[0].size, 16 / elementBytes) : 1;
}

struct PlanBanksTest : PlanningTest {
  PlanBanksTest() {
    context.loadDialect<blas::BlasDialect, tile::TileDialect, func::FuncDialect>();
  }

  /// Conflicts of every shared access that macro-tile makes of the plan that is chosen for `op`.
  int64_t conflicts(blas::GemmOp op, blas::TargetAttr target) {
    Type element = cast<MemRefType>(op.getC().getType()).getElementType();
    int64_t sum = 0;
    FailureOr<Problem> problem = Problem::of(op);
    problem->canPack = false; // the maps are of operands as they are
    op.setPlanAttr(blas::PlanAttr::get(&context, choose(*problem, target)->best.plan));
    blas::PlanAttr plan = op.getPlanAttr();
    tile::Banks banks{target->sharedBanks, target->subgroup};
    auto count = [&](tile::MapAttr map, tile::BufferType buffer) {
      ArrayRef<int64_t> strides = buffer.getStrides();
      int64_t bytes = buffer.getStepBytes();
      sum += bankConflicts({map.getThreads(),
                            {strides[0], strides[1]},
                            runOf(map, strides, bytes),
                            bytes,
                            buffer.getSwizzle()},
                           banks);
    };
    if (plan->path(0).via == blas::Via::Shared) {
      count(operandCopyMap(op, true), bufferTypeA(plan, element));
      count(rowFragmentMap(plan), bufferTypeA(plan, element));
    }
    if (plan->path(1).via == blas::Via::Shared) {
      count(operandCopyMap(op, false), bufferTypeB(plan, element));
      count(columnFragmentMap(plan), bufferTypeB(plan, element));
    }
    return sum;
  }

  /// A product of `size`^3, operands of `type`; `a`, `b`: strides of the operands as stored.
  std::string product(int64_t size, StringRef type, StringRef a, StringRef b) {
    std::string n = std::to_string(size), square = "memref<" + n + "x" + n + "x" + type.str();
    std::string A = square + a.str() + ">", B = square + b.str() + ">", C = square + ">";
    return "func.func @f(%a: " + A + ", %b: " + B + ", %c: " + C +
           ") { blas.gemm ins(%a, %b : " + A + ", " + B + ") outs(%c : " + C + ") return }";
  }
};

/// Conflicts have a price: small products, which are mostly launches and waits, may have some.
TEST_F(PlanBanksTest, NoPlanOfALargeProductHasAConflict) {
  static constexpr int64_t kLarge = 768;
  int64_t plans = 0, withConflicts = 0;
  for (int64_t size :
       {1, 7, 16, 33, 64, 100, 128, 255, 256, 512, 768, 1023, 1024, 2048, 4095, 4096})
    for (StringRef type : {"f32", "f64", "complex<f32>", "complex<f64>"})
      for (int layout = 0; layout < 9; ++layout) {
        std::string n = std::to_string(size), wide = std::to_string(3 * size + 3);
        std::string layouts[] = {"", ", strided<[1, " + n + "]>", ", strided<[" + wide + ", 3]>"};
        std::string text = product(size, type, layouts[layout % 3], layouts[layout / 3]);
        auto module = parseSourceString<ModuleOp>(text, &context);
        ASSERT_TRUE(module) << text;
        for (blas::TargetAttr target : {h200, mi60})
          module->walk([&](blas::GemmOp op) {
            int64_t found = conflicts(op, target);
            EXPECT_TRUE(found == 0 || size < kLarge) << text << target->chip;
            withConflicts += found > 0;
            op.setPlanAttr(nullptr);
            ++plans;
          });
      }
  EXPECT_EQ(plans, 16 * 4 * 9 * 2);
  EXPECT_LT(withConflicts, plans / 20);
}

/// A tile that blas.pack transposes: stores along the rows of W, one element at a time, and loads
/// along its columns.
TEST_F(PlanBanksTest, NoCopyOfAnOperandHasAConflict) {
  for (int64_t size : {1022, 1023, 1024})
    for (StringRef type : {"f32", "f64", "complex<f32>", "complex<f64>"}) {
      std::string n = std::to_string(size), rows = n + "x", end = type.str() + ">";
      std::string a = "memref<" + rows + rows + end, w = "memref<" + rows + "1024x" + end;
      std::string text = "func.func @f(%a: " + a + ", %w: " + w +
                         ") { blas.pack op<t> ins(%a : " + a + ") outs(%w : " + w + ") return }";
      auto module = parseSourceString<ModuleOp>(text, &context);
      ASSERT_TRUE(module) << text;
      module->walk([&](blas::PackOp op) {
        blas::TilingAttr plan = chooseTiling(op, h200);
        blas::PathAttr path = plan.getPath();
        ASSERT_TRUE(path) << text;
        int64_t high = plan.getTile()[0], wide = plan.getTile()[1];
        int64_t bytes = elementBytes(cast<MemRefType>(op.getA().getType()).getElementType());
        CopyShape read{high, wide, path->vector, path->lanes, /*alongColumns=*/false};
        CopyShape write{high, wide, plan.getVector()};
        int64_t strides[] = {wide + path->pad, 1};
        for (const CopyShape &shape : {read, write}) {
          tile::MapAttr map = copyMap(&context, shape, plan.getThreads());
          ASSERT_TRUE(map) << text;
          EXPECT_EQ(bankConflicts({map.getThreads(),
                                   {strides[0], strides[1]},
                                   runOf(map, strides, bytes),
                                   bytes,
                                   path->swizzle},
                                  kBanks),
                    0)
              << text;
        }
      });
    }
}

} // namespace
