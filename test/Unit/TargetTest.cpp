//===- TargetTest.cpp - Chips and their names -----------------------------===//

#include "Fixtures.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {

TEST_F(PlanningTest, EveryChipParses) {
  for (llvm::StringRef name : target::chipNames()) {
    blas::TargetAttr attribute = chip(name);
    ASSERT_TRUE(attribute) << name.str();
    EXPECT_EQ(attribute->chip, name);
  }
}

TEST_F(PlanningTest, NamesInAnyCaseAndArchitectures) {
  EXPECT_EQ(chip("H200"), h200);
  EXPECT_EQ(chip("sm_90a"), h200);
  EXPECT_EQ(chip("sm_90"), h200);
  EXPECT_EQ(chip("sm_80"), chip("a100"));
  EXPECT_EQ(chip("sm_70"), chip("v100"));
  EXPECT_EQ(chip("gfx906"), mi60);
  EXPECT_EQ(chip("gfx90a"), chip("mi250x"));
  EXPECT_EQ(chip("gfx942"), chip("mi300x"));
  EXPECT_EQ(chip("gfx1100"), chip("rx7900xtx"));
}

TEST_F(PlanningTest, UnknownNameListsChipsAndTheNearest) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { message += diagnostic.str(); });
  const std::string known = "known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx";
  EXPECT_FALSE(chip("h20o"));
  EXPECT_EQ(message, "unknown chip 'h20o', did you mean 'h200'?; " + known);
  message.clear();
  EXPECT_FALSE(chip("something-else"));
  EXPECT_EQ(message, "unknown chip 'something-else'; " + known);
  message.clear();
  EXPECT_FALSE(chip(""));
  EXPECT_EQ(message, "unknown chip ''; " + known);
  message.clear();
  EXPECT_FALSE(chip("MI325X"));
  EXPECT_EQ(message, "'MI325X' is a real chip (AMD, gfx942) that has no description yet: "
                     "see docs/Targets.md; " +
                         known);
}

TEST_F(PlanningTest, DeviceNames) {
  EXPECT_EQ(target::chipOfDevice("NVIDIA H200"), "h200");
  EXPECT_EQ(target::chipOfDevice("AMD Radeon Instinct MI60"), "mi60");
  EXPECT_EQ(target::chipOfDevice("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(target::chipOfDevice("NVIDIA A100-SXM4-80GB"), "a100");
  EXPECT_EQ(target::chipOfDevice("Tesla V100-SXM2-16GB"), "v100");
  EXPECT_EQ(target::chipOfDevice("AMD Instinct MI250X"), "mi250x");
  EXPECT_EQ(target::chipOfDevice("AMD Instinct MI300X"), "mi300x");
  EXPECT_EQ(target::chipOfDevice("AMD Radeon RX 7900 XTX"), "rx7900xtx");
  // Fewer units than the SXM module that is described.
  EXPECT_EQ(target::chipOfDevice("NVIDIA H100 PCIe"), "");
}

TEST_F(PlanningTest, PeaksFollowFromTheFigures) {
  // 132 units x 128 FMAs x 1965 MHz x 2 = 66.4 TFLOP/s on paper; the measured ceiling is below.
  double paper = 2.0 * h200->units * h200->fmaF32PerClock * h200->clockMHz * 1e-3;
  EXPECT_NEAR(paper, 66401, 1);
  EXPECT_LT(h200->fmaF32GFlops, paper);
  // MI60 datasheet: 14.7 and 7.4 TFLOP/s.
  double ofMi60 = 2.0 * mi60->units * mi60->clockMHz * 1e-6;
  EXPECT_NEAR(ofMi60 * mi60->fmaF32PerClock, 14.7, 0.05);
  EXPECT_NEAR(ofMi60 * mi60->fmaF64PerClock, 7.4, 0.05);
}

/// TFLOP/s of the vendors' own figures, with packed and dual-issue multiply-adds.
TEST_F(PlanningTest, PeaksAreThoseOfTheVendors) {
  struct Peak {
    const char *name;
    double f32, f64;
  };
  // MI250X: one of its two dies.
  for (Peak peak : {Peak{"h100", 66.9, 33.5},
                    {"a100", 19.5, 9.7},
                    {"v100", 15.7, 7.8},
                    {"mi250x", 95.7 / 2, 47.9 / 2},
                    {"mi300x", 163.4, 81.7},
                    {"rx7900xtx", 61.4, 1.92}}) {
    blas::TargetAttr target = chip(peak.name);
    double perFma = 2.0 * target->units * target->clockMHz * 1e-6;
    EXPECT_NEAR(perFma * target->fmaF32PerClock, peak.f32, peak.f32 * 0.01) << peak.name;
    EXPECT_NEAR(perFma * target->fmaF64PerClock, peak.f64, peak.f64 * 0.01) << peak.name;
  }
}

/// A figure of an architecture is one of each of its chips.
TEST_F(PlanningTest, ChipsHaveWhatTheirArchitectureHas) {
  for (llvm::StringRef name : target::chipNames()) {
    blas::TargetAttr target = chip(name);
    bool hopper = llvm::StringRef(target->arch).starts_with("sm_90");
    EXPECT_EQ(target->asyncCopyBytes, hopper || target->arch == "sm_80" ? 16 : 0) << name.str();
    EXPECT_EQ(target->clusterBlocks, hopper ? 8 : 1) << name.str();
    EXPECT_EQ(target->bulkCopy, hopper) << name.str();
    EXPECT_EQ(target->dependentLaunch, hopper) << name.str();
    bool cdna = target->arch == "gfx90a" || target->arch == "gfx942";
    EXPECT_EQ(target->packedF32, cdna ? 2 : 1) << name.str();
    int64_t atomic = target->arch == "gfx906" ? 0 : target->arch == "gfx1100" ? 4 : 8;
    EXPECT_EQ(target->atomicAddBytes, atomic) << name.str();
  }
}

} // namespace
