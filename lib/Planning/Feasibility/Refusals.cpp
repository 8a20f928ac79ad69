//===- Refusals.cpp - Kernels that an assembler refused -------------------===//

#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

std::vector<Refusal> planning::refusalsOf(ModuleOp module, blas::TargetAttr target) {
  std::vector<Refusal> refusals;
  auto list = module->getAttrOfType<ArrayAttr>(blas::BlasDialect::kRefusedName);
  if (!list)
    return refusals;
  for (auto each : list.getAsRange<blas::RefusalAttr>()) {
    blas::PlanAttr plan = each.getPlan();
    int64_t least = plan ? registersLeft(*plan, target) + 1 : 0;
    refusals.push_back({each, std::max(each.getRegisters(), least)});
  }
  return refusals;
}

bool Refusal::isOf(const Plan &chosen) const {
  return stated.getPlan() && *stated.getPlan() == planning::kernelPlan(chosen);
}

Plan planning::kernelPlan(const Plan &plan) {
  Plan ofKernel = plan.withoutPacks().toInduced();
  return ofKernel.tail == blas::Tail::Split ? ofKernel.withTail(blas::Tail::Overlap) : ofKernel;
}

/// `plan` without what the registers of a thread do not depend on, and without `loadsC`, which is
/// chosen after them, for those that are left.
static Plan codeOf(Plan plan) {
  plan.raster = plan.residency = 1;
  plan.loadsC = 0;
  plan.splits = std::min<int64_t>(plan.splits, 2);
  return kernelPlan(plan);
}

int64_t planning::refusedRegisters(const std::vector<Refusal> &refusals, const Plan &plan) {
  int64_t most = 0;
  for (const Refusal &refusal : refusals)
    if (blas::PlanAttr refused = refusal.stated.getPlan();
        refused && codeOf(*refused) == codeOf(plan))
      most = std::max(most, refusal.registers);
  return most;
}
