//===- CodeObjectTest.cpp - The model against what LLVM allocates ---------===//
//
// Plans drawn at random over chips, types, transposes and sizes are compiled to
// AMD ISA; the registers and LDS that the code object states are held against
// Planning's (C2, C3). ROOFTILE_SAMPLES=500 draws more and prints every one.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/InitAll.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "rooftile/Planning/Space/Steps.h"
#include "rooftile/Target/Chips.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

namespace {

/// One plan, as the model sees it and as it came out.
struct Sample {
  std::string chip, what;
  int64_t registers = 0, sharedBytes = 0;           ///< The model's.
  int64_t compiledRegisters = 0, compiledBytes = 0; ///< Those of the code object.
  int64_t scratchBytes = 0;
  double error() const { return std::abs(double(registers) / compiledRegisters - 1); }
};

struct CodeObjects : ::testing::Test {
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }
  MLIRContext context{registry(), MLIRContext::Threading::DISABLED};
  std::mt19937 random{20261121};
  std::string messages;
  ScopedDiagnosticHandler handler{&context, [&](Diagnostic &diagnostic) {
                                    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
                                      messages += diagnostic.str() + "\n";
                                  }};

  /// A number below `count`, the same with every standard library.
  size_t below(size_t count) { return random() % count; }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }
  std::string drawProduct();
  std::optional<Plan> drawPlan(const Problem &problem, blas::TargetAttr target);
  std::optional<Sample> draw(StringRef chip);
  bool compile(ModuleOp module, StringRef chip, Sample &sample);
};

/// Text of a module with one product.
std::string CodeObjects::drawProduct() {
  static const char *const sizes[] = {"4096", "512", "1000", "4095", "?"};
  std::string element = below(3) ? "f32" : "f64", size = sizes[below(5)];
  std::string type = "memref<" + size + "x" + size + "x" + element + ">";
  std::string ops = std::string(below(2) ? " opA<t>" : "") + (below(2) ? " opB<t>" : "");
  return "func.func @product(%a: " + type + ", %b: " + type + ", %c: " + type + ") {\n" +
         "  blas.gemm" + ops + " ins(%a, %b : " + type + ", " + type + ") outs(%c : " + type +
         ")\n  return\n}\n";
}

/// One of the candidates that are priced, as resident as surely fits.
std::optional<Plan> CodeObjects::drawPlan(const Problem &problem, blas::TargetAttr target) {
  std::vector<Plan> plans;
  forEachTile(problem, target, [&](const Tile &tile) {
    forEachStep(problem, tile, target, [&](const Plan &step) {
      Plan plan = laidOut(problem, step, target);
      int64_t registers = heldRegisters(problem, plan, target->vendor);
      if (surelyExchanges(problem, plan, target) && !check(problem, plan, target, registers))
        plans.push_back(plan);
    });
  });
  if (plans.empty())
    return std::nullopt;
  Plan plan = plans[below(plans.size())];
  plan.residency = surelyResident(problem, plan, target, occupancy(problem, plan, target));
  return plan;
}

/// Runs blas-to-rocdl and reads the metadata of the one kernel.
bool CodeObjects::compile(ModuleOp module, StringRef chip, Sample &sample) {
  PassManager passes(&context);
  buildPlanPipeline(passes, chip);
  buildKernelPipeline(passes);
  buildRocdlPipeline(passes, Format::Isa);
  if (failed(passes.run(module)))
    return false;
  auto binary = *module.getOps<gpu::BinaryOp>().begin();
  gpu::KernelTableAttr table = cast<gpu::ObjectAttr>(binary.getObjects()[0]).getKernels();
  gpu::KernelMetadataAttr kernel = *table.begin();
  auto number = [&](StringRef key) { return kernel.getAttr<IntegerAttr>(key).getInt(); };
  sample.compiledRegisters = number("vgpr_count");
  sample.compiledBytes = number("group_segment_fixed_size");
  sample.scratchBytes = number("private_segment_fixed_size");
  return true;
}

std::optional<Sample> CodeObjects::draw(StringRef chip) {
  blas::TargetAttr target =
      target::lookupChip(&context, chip, [&] { return emitError(UnknownLoc::get(&context)); });
  std::string text = drawProduct();
  OwningOpRef<ModuleOp> module = parse(text);
  blas::GemmOp op;
  module->walk([&](blas::GemmOp found) { op = found; });
  FailureOr<Problem> problem = Problem::of(cast<blas::Level3OpInterface>(op.getOperation()));
  std::optional<Plan> plan = drawPlan(*problem, target);
  if (!plan)
    return std::nullopt;
  op.setPlanAttr(blas::PlanAttr::get(&context, *plan));
  Sample sample;
  sample.chip = chip.str();
  llvm::raw_string_ostream(sample.what)
      << text.substr(text.find("blas.gemm"), 60) << " " << op.getPlanAttr();
  sample.registers = registersPerThread(*problem, *plan, target->vendor);
  sample.sharedBytes = sharedBytes(*problem, *plan);
  messages.clear();
  EXPECT_TRUE(compile(*module, chip, sample)) << chip.str() << " " << sample.what << messages;
  return sample;
}

TEST_F(CodeObjects, StateWhatTheModelSays) {
  const char *more = std::getenv("ROOFTILE_SAMPLES");
  int count = more ? std::atoi(more) : 52;
  const char *const chips[] = {"mi60", "mi250x", "mi300x", "rx7900xtx"};
  std::vector<double> errors;
  for (int index = 0; index < count; ++index) {
    std::optional<Sample> sample = draw(chips[index % 4]);
    ASSERT_TRUE(sample);
    if (more)
      printf("%s,%lld,%lld,\"%s\"\n", sample->chip.c_str(), (long long)sample->registers,
             (long long)sample->compiledRegisters, sample->what.c_str());
    if (sample->compiledRegisters == 0)
      continue; // did not compile: reported by draw
    EXPECT_EQ(sample->sharedBytes, sample->compiledBytes) << sample->what;
    EXPECT_EQ(sample->scratchBytes, 0) << sample->what;
    errors.push_back(sample->error());
  }
  ASSERT_GE(errors.size(), size_t(count) * 9 / 10);
  std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
  EXPECT_LT(errors[errors.size() / 2], 0.20);
}

} // namespace
