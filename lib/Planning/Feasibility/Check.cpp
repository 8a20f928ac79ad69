//===- Check.cpp - Asking the rules of a plan -----------------------------===//

#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Space/Packing.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Rules about a plan alone that candidates may break.
static constexpr blas::PlanRule kOfCandidates[] = {blas::PlanRule::PlainTerms, blas::PlanRule::Runs,
                                                   blas::PlanRule::SharedFactors};

std::optional<Violation> planning::check(const Problem &stated, const Plan &plan,
                                         blas::TargetAttr target, int64_t registers) {
  if (isInduced(stated, plan))
    return check(toInduced(stated, plan), plan.toInduced(), target, registers);
  for (blas::PlanRule rule : kOfCandidates)
    if (auto violation = blas::checkAlone(rule, plan))
      return violation;
  Problem problem = packed(stated, plan);
  if (auto violation = blas::checkProduct(plan, problem, target))
    return violation;
  if (registers == 0)
    registers = leastRegisters(problem, plan, target->vendor);
  int64_t most = target->registersPerThread;
  int64_t blocks = registers > most ? 0 : occupancy(problem, plan, target, registers).blocks;
  return blas::checkResources(plan, target, {registers, blocks});
}

std::string planning::describe(const Violation &violation, blas::TargetAttr target) {
  return blas::describe(violation, target->chip);
}
