//===- ResourceRules.cpp - The rules of plans for what a chip holds -------===//

#include "RuleInputs.h"
#include "RuleTable.h"

using namespace rooftile;
using namespace rooftile::blas;

static constexpr Row<ProductInput> kResourceRules[] = {
    {PlanRule::Spill, RuleLevel::Resources,
     "micro: {1} registers per thread would spill, {3} has {2}",
     [](const ProductInput &in) {
       int64_t most = in.target->registersPerThread;
       return when(in.resources.registers > most, {in.resources.registers, most});
     }},
    {PlanRule::RegisterFile, RuleLevel::Resources,
     "micro, macro: {1} registers of one workgroup, but a unit of {3} has {2}",
     [](const ProductInput &in) {
       return when(in.resources.blocks == 0,
                   {in.resources.registers * in.plan.threads(), in.target->registersPerUnit});
     }},
    {PlanRule::Residency, RuleLevel::Resources,
     "residency = {1}, but {2} workgroups fit on a unit of {3}",
     [](const ProductInput &in) {
       return when(in.plan.residency > in.resources.blocks,
                   {in.plan.residency, in.resources.blocks});
     }},
};

std::optional<Violation> blas::checkResources(const PlanData &plan, TargetAttr target,
                                              KernelResources resources) {
  return firstBroken<ProductInput>(kResourceRules, {plan, ProductFacts(), target, resources},
                                   RuleLevel::Resources);
}
