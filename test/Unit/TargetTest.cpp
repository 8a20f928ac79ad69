//===- TargetTest.cpp - Chips and their names -----------------------------===//

#include "Fixtures.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

TEST_F(PlanningTest, EveryChipParses) {
  for (llvm::StringRef name : target::chipNames()) {
    blas::TargetAttr attribute = chip(name);
    ASSERT_TRUE(attribute) << name.str();
    EXPECT_EQ(attribute.getChip(), name);
  }
}

TEST_F(PlanningTest, NamesInAnyCaseAndArchitectures) {
  EXPECT_EQ(chip("H200"), h200);
  EXPECT_EQ(chip("sm_90a"), h200);
  EXPECT_EQ(chip("sm_90"), h200);
  EXPECT_EQ(chip("gfx906"), mi60);
}

TEST_F(PlanningTest, UnknownNameListsChipsAndTheNearest) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_FALSE(chip("h20"));
  EXPECT_EQ(message, "unknown chip 'h20'; known chips: h200, mi60; did you mean 'h200'?");
  message.clear();
  EXPECT_FALSE(chip("something-else"));
  EXPECT_EQ(message, "unknown chip 'something-else'; known chips: h200, mi60");
  message.clear();
  EXPECT_FALSE(chip(""));
  EXPECT_EQ(message, "unknown chip ''; known chips: h200, mi60");
}

TEST_F(PlanningTest, DeviceNames) {
  EXPECT_EQ(target::chipOfDevice("NVIDIA H200"), "h200");
  EXPECT_EQ(target::chipOfDevice("AMD Radeon Instinct MI60"), "mi60");
  EXPECT_EQ(target::chipOfDevice("NVIDIA A100-SXM4-80GB"), "");
}

TEST_F(PlanningTest, PeaksFollowFromTheFigures) {
  // 132 units x 128 FMAs x 1980 MHz x 2 = 66.9 TFLOP/s on paper; the measured ceiling is below.
  double paper = 2.0 * h200.getUnits() * h200.getFmaF32PerClock() * h200.getClockMHz() * 1e-3;
  EXPECT_NEAR(paper, 66908, 1);
  EXPECT_LT(h200.getFmaF32GFlops(), paper);
  // MI60 datasheet: 14.7 and 7.4 TFLOP/s.
  double ofMi60 = 2.0 * mi60.getUnits() * mi60.getClockMHz() * 1e-6;
  EXPECT_NEAR(ofMi60 * mi60.getFmaF32PerClock(), 14.7, 0.05);
  EXPECT_NEAR(ofMi60 * mi60.getFmaF64PerClock(), 7.4, 0.05);
}

} // namespace
