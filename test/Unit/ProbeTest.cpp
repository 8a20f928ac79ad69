//===- ProbeTest.cpp - What measures a chip, without one ------------------===//

#include "Fixtures.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Bench/Figures.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Bench/ProbeKernels.h"
#include "rooftile/Pipelines/Pipelines.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

namespace {

struct ProbeTest : ::testing::Test {
  ProbeTest() {
    prepareCompiler(registry);
    context.appendDialectRegistry(registry);
  }
  blas::TargetAttr chip(StringRef name) {
    return target::lookupChip(&context, name, [&] { return emitError(UnknownLoc::get(&context)); });
  }
  /// The PTX of the kernels for `target`.
  std::string ptx(blas::TargetAttr target) {
    OwningOpRef<ModuleOp> module = probeModule(target);
    PassManager passes(&context);
    buildNvvmPipeline(passes, Format::Isa);
    std::string text;
    if (module && succeeded(passes.run(*module)))
      module->walk([&](gpu::BinaryOp binary) {
        for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
          text += object.getObject().getValue();
      });
    return text;
  }

  DialectRegistry registry;
  MLIRContext context;
};

size_t count(const std::string &text, const std::string &word) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size())
    ++found;
  return found;
}

/// The output is read as the same target, whatever chip: no figure gets lost.
TEST_F(ProbeTest, FiguresPrintTheirTarget) {
  for (StringRef name : target::chipNames()) {
    blas::TargetAttr target = chip(name);
    EXPECT_EQ(Figures(target, "as known").attribute(&context), target) << name.str();
  }
}

TEST_F(ProbeTest, FiguresAreSet) {
  blas::TargetAttr h200 = chip("h200"), mi60 = chip("mi60");
  Figures figures(h200, "as h200");
  figures.set("blocksPerUnit", 7.4, "measured");
  figures.set("instructions", "[m8n8k4_f64 = 5]", "measured");
  blas::TargetAttr changed = figures.attribute(&context);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->blocksPerUnit, 7);
  ASSERT_EQ(changed->instructions.size(), 1u);
  EXPECT_EQ(changed->gflopsOf("m8n8k4_f64"), 5);
  EXPECT_EQ(changed->l2Bytes, h200->l2Bytes);
  // A figure that the text of a chip leaves out.
  Figures others(mi60, "as mi60");
  others.set("asyncCopyBytes", 4, "measured");
  EXPECT_EQ(others.attribute(&context)->asyncCopyBytes, 4);
  // Every line names the source of its figure.
  std::string text;
  llvm::raw_string_ostream out(text);
  figures.print(out);
  EXPECT_EQ(count(text, "// "), count(text, "as h200") + count(text, "measured"));
  EXPECT_EQ(count(text, "measured"), 2u);
}

TEST_F(ProbeTest, ContradictoryFiguresAreRefused) {
  std::string why;
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  Figures figures(chip("h200"), "as h200");
  figures.set("sharedBanks", 0.0, "measured");
  EXPECT_FALSE(figures.attribute(&context));
  EXPECT_NE(why.find("sharedBanks = 0 is not positive"), std::string::npos) << why;
}

/// The loops hold what they are to measure: no compiler has dropped or folded it.
TEST_F(ProbeTest, KernelsDoTheirWork) {
  std::string text = ptx(chip("h200"));
  EXPECT_GE(count(text, "fma.rn.f32"), 4 * 64 + 128u);
  EXPECT_GE(count(text, "fma.rn.f64"), 4 * 64u);
  EXPECT_GE(count(text, "mma.sync.aligned.m16n8k16.row.col.f64"), 32u);
  EXPECT_GE(count(text, "ld.global.v4"), 16u);
  EXPECT_GE(count(text, "st.global.v4"), 16u);
  EXPECT_GE(count(text, "ld.shared.v4"), 16u);
  EXPECT_GE(count(text, "ld.shared.b64"), 8u);
  EXPECT_EQ(count(text, "%clock64"), 2 * 6u);
}

TEST_F(ProbeTest, KernelsCompileForEveryNvidiaChip) {
  for (StringRef name : target::chipNames())
    if (blas::TargetAttr target = chip(name); target->vendor == blas::Vendor::Nvidia)
      EXPECT_GT(count(ptx(target), ".visible .entry"), 10u) << name.str();
}

} // namespace
