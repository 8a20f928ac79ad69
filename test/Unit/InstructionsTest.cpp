//===- InstructionsTest.cpp - Matrix instructions as data -----------------===//

#include "rooftile/Dialect/Tile/Instructions.h"
#include "Fixtures.h"
#include "rooftile/Dialect/Blas/LaneStep.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

namespace {

struct InstructionsTest : PlanningTest {
  InstructionsTest() { context.loadDialect<blas::BlasDialect, tile::TileDialect>(); }

  static SmallVector<StringRef> names() {
    static const std::string text = tile::instructionNames();
    SmallVector<StringRef> list;
    StringRef(text).split(list, ", ");
    return list;
  }

  /// Lanes and registers of all three operands agree with the table and with each other.
  bool verifies(tile::InstructionAttr own) {
    auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
    return succeeded(tile::InstructionAttr::verify(
        emit, own.getName(), own.getShape(), own.getTypes(), own.getA(), own.getB(), own.getC()));
  }

  /// 256 x 128 x 16 by two subgroups.
  Plan plan(StringRef name, int64_t vector) {
    Plan plan;
    plan.instruction = tile::findInstruction(name);
    plan.macroM = 256, plan.macroN = 128;
    plan.macroK = 16;
    std::tie(plan.lanesM, plan.lanesN) =
        std::pair(plan.instruction->lanesOfC()[0], plan.instruction->lanesOfC()[1]);
    plan.microM = plan.macroM / 2 / plan.lanesM, plan.microN = plan.macroN / plan.lanesN;
    plan.vector = vector;
    return plan;
  }
};

TEST_F(InstructionsTest, RowsDescribeThemselves) {
  for (StringRef name : names()) {
    const tile::Instruction &own = *tile::findInstruction(name);
    tile::InstructionAttr attribute = tile::plainInstruction(&context, own);
    EXPECT_TRUE(verifies(attribute)) << name.str();
    auto whole = [](tile::MapAttr map) { return map.getNumThreads() * map.getNumValues(); };
    // Lanes that read shared memory do not share it out.
    int64_t copiesOfB = own.readsShared() ? own.lanes() / 4 : own.copies;
    EXPECT_EQ(whole(attribute.getA()), own.m * own.k * own.copies) << name.str();
    EXPECT_EQ(whole(attribute.getB()), own.k * own.n * copiesOfB) << name.str();
    EXPECT_EQ(whole(attribute.getC()), own.m * own.n) << name.str();
    EXPECT_EQ(own.depth() % own.k, 0) << name.str();
  }
  EXPECT_EQ(tile::findInstruction("fma"), nullptr);
}

TEST_F(InstructionsTest, PlacedInTilesTheyAreRepeatedWithoutRest) {
  for (StringRef name : names())
    for (int64_t vector : {1, 2, 4}) {
      auto attribute = blas::PlanAttr::get(&context, plan(name, vector));
      tile::InstructionAttr placed = instructionOf(attribute);
      EXPECT_TRUE(verifies(placed)) << name.str() << vector;
      auto repetitions = tile::repetitionsOf(accumulatorMap(attribute), placed.getC());
      ASSERT_TRUE(repetitions) << name.str() << vector;
      const tile::Instruction &own = *tile::findInstruction(name);
      EXPECT_EQ(static_cast<int64_t>(repetitions->size()), 128 * 128 / (own.m * own.n));
      if (own.readsShared())
        continue; // it has no fragments of factors
      EXPECT_TRUE(tile::repetitionsOf(rowFragmentMap(attribute), placed.getA()));
      EXPECT_TRUE(tile::repetitionsOf(columnFragmentMap(attribute), placed.getB()));
    }
}

TEST_F(InstructionsTest, AreChosenWhereTheyMultiplyTheTypeAndTheChipHasThem) {
  auto chosen = [&](int64_t elementBytes, blas::TargetAttr target) {
    const tile::Instruction *own =
        choose(gemm(4096, 4096, 4096, elementBytes), target)->best.plan.instruction;
    return own ? own->name.str() : "fma";
  };
  EXPECT_EQ(chosen(8, h200).substr(0, 6), "m16n8k");
  EXPECT_EQ(chosen(8, chip("a100")), "m8n8k4_f64");
  EXPECT_EQ(chosen(4, h200), "fma");
  EXPECT_EQ(chosen(8, chip("v100")), "fma");
  EXPECT_EQ(chosen(8, chip("mi60")), "fma");
  EXPECT_EQ(chosen(8, chip("mi250x")), "mfma_m16n16k4_f64");
  EXPECT_EQ(chosen(8, chip("mi300x")), "mfma_m16n16k4_f64");
  EXPECT_EQ(chosen(8, chip("rx7900xtx")), "fma");
}

TEST_F(InstructionsTest, AreExchangedWhereTheyFitNarrowSidesBetter) {
  auto chosen = [&](int64_t m, int64_t n) {
    const tile::Instruction *own = choose(gemm(m, n, 8192, 8), h200)->best.plan.instruction;
    return own ? own->name.str() : "fma";
  };
  EXPECT_EQ(chosen(100, 8192), "m8n16k8_f64");
  EXPECT_EQ(chosen(8, 8192), "m8n16k8_f64");
  EXPECT_EQ(chosen(8192, 100), "m16n8k8_f64");
  EXPECT_EQ(chosen(32, 8192), "m16n8k8_f64");
  for (const tile::Instruction *own : tile::instructionsOf("m16n8k8_f64"))
    EXPECT_EQ(own->isExchanged(), own->m < own->n);
  EXPECT_EQ(tile::instructionsOf("m8n8k4_f64").size(), 1u);
  EXPECT_TRUE(tile::instructionsOf("m8n16k8_f64").empty());
}

TEST_F(InstructionsTest, MultiplyNarrowNumbersIntoWiderSums) {
  auto chosen = [&](StringRef format, blas::TargetAttr target) {
    Problem problem = narrowGemm(4096, 4096, 4096);
    for (Matrix *matrix : {&problem.a, &problem.b, &problem.c})
      matrix->format = format;
    return choose(problem, target)->best.plan;
  };
  EXPECT_EQ(chosen("", h200).instruction, tile::findInstruction("wgmma_m64k16_f16"));
  EXPECT_EQ(chosen("bf16", h200).instruction, tile::findInstruction("wgmma_m64k16_bf16"));
  EXPECT_EQ(chosen("bf16", chip("a100")).instruction, tile::findInstruction("m16n8k16_bf16"));
  EXPECT_EQ(chosen("", chip("mi60")).instruction, nullptr);
  for (auto [name, unit] : {std::pair("mi250x", tile::MatrixUnit::Mfma),
                            {"mi300x", tile::MatrixUnit::Mfma},
                            {"rx7900xtx", tile::MatrixUnit::Wmma}})
    for (StringRef format : {"", "bf16"}) {
      const tile::Instruction *own = chosen(format, chip(name)).instruction;
      ASSERT_TRUE(own) << name;
      EXPECT_EQ(own->unit, unit) << name;
    }
  // Lines of A along K are read in pairs, rows one by one; columns of B in runs.
  Plan best = chosen("", chip("a100"));
  EXPECT_EQ(best.a.major, blas::Major::K);
  EXPECT_EQ(best.runOf(0), 1);
  EXPECT_EQ(best.runOf(1), best.vector);
  EXPECT_GT(best.vector, 1);
  EXPECT_EQ(best.instruction->runOfK, 2);
}

TEST_F(InstructionsTest, MultiplyComplexNumbersOfTheirType) {
  auto chosen = [&](int64_t partsA, int64_t partsB, int64_t realBytes) {
    const tile::Instruction *own =
        choose(complexGemm(4096, partsA, partsB, realBytes), h200)->best.plan.instruction;
    return own ? own->name.str() : "fma";
  };
  EXPECT_EQ(chosen(2, 2, 8).substr(0, 6), "m16n8k");
  EXPECT_EQ(chosen(1, 2, 8).substr(0, 6), "m16n8k");
  EXPECT_EQ(chosen(2, 1, 8).substr(0, 6), "m16n8k");
  EXPECT_EQ(chosen(2, 2, 4), "fma");
  // complex<f32> operands of sums in complex<f64> are refused.
  Problem narrow = complexGemm(4096, 2, 2, 8);
  narrow.a.elementBytes = 8;
  EXPECT_FALSE(multiplies(*tile::findInstruction("m16n8k4_f64"), narrow));
}

TEST_F(InstructionsTest, StreamComplexNumbersBesideNarrowSidesOnly) {
  auto copied = [&](int64_t m, int64_t batch) {
    Problem problem = complexGemm(8192, 2, 2, 8);
    problem.m = m, problem.batch = batch;
    Plan best = choose(problem, h200)->best.plan;
    EXPECT_EQ(best.a.layout, blas::ComplexLayout::Planar);
    return best.a.copy;
  };
  EXPECT_EQ(copied(100, 1), blas::Copy::Async);
  EXPECT_EQ(copied(32, 1), blas::Copy::Async);
  EXPECT_EQ(copied(32, 7), blas::Copy::Register);
  EXPECT_EQ(copied(4096, 1), blas::Copy::Register);
}

TEST_F(InstructionsTest, CheckRefusesWhatTheChipLacks) {
  Plan own = plan("m16n8k8_f64", 2);
  own.macroM = own.macroN = 64, own.microM = 4, own.microN = 8;
  EXPECT_FALSE(check(gemm(4096, 4096, 4096, 8), own, h200));
  using Rule = Violation::Rule;
  for (auto [elementBytes, target, rule] :
       {std::tuple(8, mi60, Rule::Instruction), {4, h200, Rule::InstructionType}}) {
    auto violation = check(gemm(4096, 4096, 4096, elementBytes), own, target);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->rule, rule);
  }
  auto violation = check(gemm(4096, 4096, 4096, 8), own, chip("a100"));
  EXPECT_EQ(describe(*violation, chip("a100")),
            "mma: a100 has no such instruction for elements of 64 bits");
}

TEST_F(InstructionsTest, LanesReadLinesThatLieInOtherBanks) {
  auto tile = [](int64_t line, bool flat = true) {
    blas::SharedTileLayout layout{blas::Major::MN, flat ? 0 : line - 16};
    layout.flat = flat ? line : 0;
    return blas::OperandTile{blas::Via::Shared, 16, layout, /*swizzle=*/0};
  };
  auto step = [&](StringRef name, int64_t slicedK, blas::OperandTile a, blas::OperandTile b) {
    return blas::laneStep(tile::findInstruction(name), slicedK, 64, a, b);
  };
  // Every fourth line, as far as registers and groups have what lies between.
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(13), tile(15)), 4);
  EXPECT_EQ(step("m16n8k8_f64", 2, tile(13), tile(15)), 4);
  EXPECT_EQ(step("m16n8k16_f64", 1, tile(13), tile(15)), 4);
  EXPECT_EQ(step("m16n8k4_f64", 2, tile(13), tile(15)), 1);
  EXPECT_EQ(step("m16n8k4_f64", 3, tile(13), tile(15)), 1);
  // Every second one of twice an odd number, the next one of four times.
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(14), tile(10)), 2);
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(12), tile(20)), 1);
  // No step helps eight times; padded lines need none.
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(16), tile(24)), 1);
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(20, /*flat=*/false), tile(18, /*flat=*/false)), 1);
  // The larger one of two operands.
  blas::OperandTile wide = tile(30);
  wide.extent = 32;
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(13), wide), 2);
  // Not where one comes straight from global memory, is swizzled, or lies along K.
  blas::OperandTile other = tile(20, /*flat=*/false);
  EXPECT_EQ(step("m16n8k4_f64", 4, tile(13), other), 1); // as many want every line
  other.via = blas::Via::Register;
  EXPECT_EQ(step("m16n8k4_f64", 4, wide, other), 1);
  other.via = blas::Via::Shared, other.swizzle = 4;
  EXPECT_EQ(step("m16n8k4_f64", 4, wide, other), 1);
  other.swizzle = 0, other.layout.major = blas::Major::K;
  EXPECT_EQ(step("m16n8k4_f64", 4, wide, other), 1);
  EXPECT_EQ(blas::laneStep(nullptr, 4, 64, tile(13), tile(15)), 1);
  // Pairs lie together.
  EXPECT_EQ(step("m16n8k16_f16", 1, other, other), 2);
}

} // namespace
