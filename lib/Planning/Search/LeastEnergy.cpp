//===- LeastEnergy.cpp - Plans that need the least energy -----------------===//

#include "rooftile/Planning/Search/LeastEnergy.h"
#include "rooftile/Planning/Cost/Traffic.h"
#include "llvm/ADT/StringSwitch.h"

using namespace rooftile;
using namespace rooftile::planning;

std::optional<Objective> planning::parseObjective(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Objective>>(name)
      .Case("time", Objective::Time)
      .Case("energy", Objective::Energy)
      .Default(std::nullopt);
}

std::optional<PlanOffer> LeastEnergy::offer(const PlanRequest &request) const {
  if (!request.product || request.needsSet())
    return std::nullopt;
  const Problem &problem = *request.product;
  Choice choice;
  double least = 0;
  for (const Ranked &ranked : rankAll(problem, request.target)) {
    ++choice.evaluated;
    auto isOfPlan = [&](const Refusal &refusal) { return refusal.isOf(ranked.plan); };
    if (ranked.plan.packs() || llvm::any_of(refusals, isOfPlan))
      continue;
    double energy = energyOf(problem, ranked.plan, ranked.estimate, request.target).total();
    if (least > 0 && energy >= least)
      continue;
    least = energy;
    choice.best = ranked;
  }
  if (least == 0)
    return std::nullopt;
  PlanOffer offer;
  offer.from = kName.str();
  offer.choice = choice;
  return offer;
}
