//===- IsaTable.cpp - Instructions beside those of planning ---------------===//

#include "rooftile/Bench/IsaTable.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Bench/IsaFacts.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Planning/Cost/KernelFacts.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;
using llvm::formatv;

namespace {
/// A kernel of an AMD chip.
struct Assembly {
  int64_t vectors = 0, scalars = 0; ///< Registers.
  IsaFacts loop;
};
} // namespace

static int64_t numberOf(gpu::KernelMetadataAttr kernel, StringRef name) {
  auto value = kernel.getAttr<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}

/// The kernel of `module` whose loop has the most multiply-adds.
static std::optional<Assembly> busiestKernel(ModuleOp module) {
  std::optional<Assembly> busiest;
  module.walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      std::optional<IsaFacts> loop = busiestLoop(object.getObject().getValue());
      if (!loop || (busiest && loop->multiplyAdds <= busiest->loop.multiplyAdds) ||
          !object.getKernels())
        continue;
      busiest = Assembly{0, 0, *loop};
      for (gpu::KernelMetadataAttr kernel : object.getKernels()) {
        busiest->vectors = std::max(busiest->vectors, numberOf(kernel, "vgpr_count"));
        busiest->scalars = std::max(busiest->scalars, numberOf(kernel, "sgpr_count"));
      }
    }
  });
  return busiest;
}

static llvm::Expected<Assembly> assemble(const Shape &shape, blas::TargetAttr target,
                                         MLIRContext &context) {
  OwningOpRef<ModuleOp> module = raisedModule(shape, context);
  if (!module)
    return llvm::createStringError(shape.key() + ": no module");
  std::string error;
  ScopedDiagnosticHandler handler(&context, errorsInto(error));
  FitPlansOptions options;
  options.vendor = blas::Vendor::Amd;
  options.chip = target->chip;
  options.format = Format::Isa;
  PassManager pm(&context);
  pm.addPass(createFitPlans(options));
  if (failed(pm.run(*module)))
    return llvm::createStringError(shape.key() + ": " + error);
  if (std::optional<Assembly> kernel = busiestKernel(*module))
    return *kernel;
  return llvm::createStringError(shape.key() + ": no kernel has a loop of multiply-adds");
}

/// A count of planning beside that of the code, of a wave in a K step.
static void writeCount(llvm::raw_ostream &out, StringRef name, std::optional<double> planned,
                       double counted) {
  out << formatv("{0,-24}{1,10}{2,10:f1}", name, planned ? formatv("{0:f1}", *planned).str() : "-",
                 counted);
  if (planned && counted > 0)
    out << formatv("{0,+9:f0} %", 100 * (*planned / counted - 1));
  out << '\n';
}

/// Counts of planning for a wave in a step.
static planning::StepFacts plannedFacts(const Asked &asked, const planning::Plan &plan) {
  planning::StepFacts step = planning::stepFactsOf(asked.problem, plan, asked.target);
  double waves = step.subgroups;
  for (double *count : {&step.multiplies, &step.fragmentReads, &step.sharedStores})
    *count /= waves;
  return step;
}

llvm::Error rooftile::bench::writeIsa(const Shape &shape, StringRef chip, MLIRContext &context,
                                      llvm::raw_ostream &out) {
  std::string why;
  std::optional<Asked> asked = productAskedBy(shape, chip, context, why);
  if (!asked)
    return llvm::createStringError(shape.key() + ": " + (why.empty() ? "no product" : why));
  if (asked->target->vendor != blas::Vendor::Amd)
    return llvm::createStringError("--isa counts instructions of AMD GPUs, not of " +
                                   asked->target->chip);
  std::optional<planning::Choice> choice = planning::choose(asked->problem, asked->target);
  if (!choice)
    return llvm::createStringError(shape.key() + ": no plan fits " + asked->target->chip);
  llvm::Expected<Assembly> kernel = assemble(shape, asked->target, context);
  if (!kernel)
    return kernel.takeError();
  const planning::Plan &plan = choice->best.plan;
  const IsaFacts &loop = kernel->loop;
  planning::StepFacts step = plannedFacts(*asked, plan);
  double products = double(plan.microM) * plan.microN * plan.ownK() *
                    planning::realProducts(asked->problem, plan);
  double steps = loop.multiplyAdds / products; // of an iteration
  out << shape.key() << " on " << asked->target->chip << ": " << planning::shortForm(plan) << "\n\n"
      << formatv("{0,-24}{1,10}{2,10}{3,11}\n", "of a wave in a K step", "planned", "code",
                 "deviation");
  writeCount(out, "multiply-adds", products, loop.multiplyAdds / steps);
  writeCount(out, "their instructions", step.multiplies, loop.multiplies / steps);
  writeCount(out, "reads of LDS", step.fragmentReads, loop.sharedReads / steps);
  writeCount(out, "writes of LDS", step.sharedStores, loop.sharedWrites / steps);
  writeCount(out, "barriers", step.barriers, loop.barriers / steps);
  writeCount(out, "loads of memory", std::nullopt, loop.globalLoads / steps);
  writeCount(out, "loads of scalars", std::nullopt, loop.scalarLoads / steps);
  writeCount(out, "other vector", std::nullopt, loop.vector / steps);
  writeCount(out, "other scalar", std::nullopt, loop.scalar / steps);
  writeCount(out, "waits", std::nullopt, loop.waits / steps);
  writeCount(out, "vector registers", choice->best.estimate.occupancy.registers, kernel->vectors);
  writeCount(out, "scalar registers", std::nullopt, kernel->scalars);
  out << formatv("\nK steps of an iteration: {0:f1}; a load of memory is waited for after {1} "
                 "instructions or more\n",
                 steps, loop.loadDistance);
  return llvm::Error::success();
}
