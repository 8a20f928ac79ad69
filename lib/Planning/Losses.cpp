//===- Losses.cpp - What kernels lose for their form ----------------------===//
//
// Shares of the time of a step (C12) that measurements show and no count of the step explains: the
// order in which ptxas reads fragments, mostly.
//
//===----------------------------------------------------------------------===//

#include "Losses.h"
#include "Bulk.h"
#include "rooftile/Planning/Constants.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Share that micro tiles wider than tall lose.
static double wideLoss(const Problem &problem, const Plan &plan) {
  bool many = plan.microM * plan.microN >= constants::kWideSums;
  if (plan.instruction || plan.microN <= plan.microM || (copiesWhole(plan) && many))
    return 0;
  bool turned = problem.a.alongK() || problem.b.alongK();
  bool early = plan.ahead && !turned && many;
  return early ? -constants::kWideGain : constants::kWideLoss;
}

/// Share that multiply-adds of complex numbers lose.
static double complexLoss(const Problem &problem, const Plan &plan) {
  bool alone = plan.groups == 1 && plan.reduction != blas::Reduction::Cluster;
  bool best = copiesWhole(plan) || (plan.a.copy == blas::Copy::Async && alone);
  bool complex = !plan.instruction && problem.multiplyAdds == 4 && problem.realBytes == 4;
  return complex && plan.stages > 1 && !best ? constants::kComplexLoss : 0;
}

double planning::lossOf(const Problem &problem, const Plan &plan, int64_t blocks,
                        blas::TargetAttr target) {
  bool lone = !plan.instruction && problem.multiplyAdds == 4 &&
              plan.microM * plan.microN >= constants::kLoneSums &&
              blocks * plan.threads() <= target.getSchedulersPerUnit() * target.getSubgroup();
  bool tall = plan.instruction && plan.microM * plan.lanesM > plan.microN * plan.lanesN;
  return wideLoss(problem, plan) + complexLoss(problem, plan) + (lone ? constants::kLoneLoss : 0) +
         (tall ? constants::kTallLoss : 0);
}
