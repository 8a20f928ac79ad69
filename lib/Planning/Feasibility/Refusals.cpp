//===- Refusals.cpp - What an assembler said of kernels -------------------===//

#include "rooftile/Planning/Feasibility/Refusals.h"
#include "mlir/IR/Builders.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

static constexpr llvm::StringLiteral kPlan("plan"), kKernel("kernel"), kScratch("scratch"),
    kRegisters("registers");

DictionaryAttr Refusal::toAttr() const {
  Builder builder(plan.getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kPlan, plan),
       builder.getNamedAttr(kKernel, builder.getStringAttr(kernel)),
       builder.getNamedAttr(kScratch, builder.getI64IntegerAttr(scratch)),
       builder.getNamedAttr(kRegisters, builder.getI64IntegerAttr(registers))});
}

std::optional<Refusal> Refusal::of(Attribute attribute) {
  auto entry = dyn_cast<DictionaryAttr>(attribute);
  if (!entry)
    return std::nullopt;
  auto plan = entry.getAs<blas::PlanAttr>(kPlan);
  auto kernel = entry.getAs<StringAttr>(kKernel);
  auto scratch = entry.getAs<IntegerAttr>(kScratch),
       registers = entry.getAs<IntegerAttr>(kRegisters);
  bool whole = plan && kernel && scratch && registers && scratch.getType().isSignlessInteger(64) &&
               registers.getType().isSignlessInteger(64) && entry.size() == 4;
  if (!whole)
    return std::nullopt;
  return Refusal{plan, kernel.str(), scratch.getInt(), registers.getInt()};
}

FailureOr<std::vector<Refusal>> planning::refusalsOf(ModuleOp module, blas::TargetAttr target) {
  std::vector<Refusal> refusals;
  Attribute stated = module->getAttr(kRefusedName);
  if (!stated)
    return refusals;
  auto error = [&](Attribute what) {
    return module.emitError("attribute '")
           << kRefusedName << "' has " << what
           << ", expected an array of {plan = #blas.plan<...>, kernel = \"name\", scratch = bytes "
              "of a thread, registers = of a thread}";
  };
  auto list = dyn_cast<ArrayAttr>(stated);
  if (!list)
    return error(stated);
  for (Attribute each : list) {
    std::optional<Refusal> refusal = Refusal::of(each);
    if (!refusal)
      return error(each);
    refusal->registers = std::max(refusal->registers, registersLeft(*refusal->plan, target) + 1);
    refusals.push_back(*refusal);
  }
  return refusals;
}

Plan planning::kernelPlan(const Plan &plan) {
  Plan ofKernel = plan.withoutPacks().toInduced();
  return ofKernel.tail == blas::Tail::Split ? ofKernel.withTail(blas::Tail::Overlap) : ofKernel;
}

/// `plan` without what the registers of a thread do not depend on.
static Plan codeOf(Plan plan) {
  plan.raster = plan.residency = 1;
  plan.splits = std::min<int64_t>(plan.splits, 2);
  return kernelPlan(plan);
}

int64_t planning::refusedRegisters(const std::vector<Refusal> &refusals, const Plan &plan) {
  int64_t most = 0;
  for (const Refusal &refusal : refusals)
    if (codeOf(*refusal.plan) == codeOf(plan))
      most = std::max(most, refusal.registers);
  return most;
}
