//===- Choose.cpp - The best plan for an operation ------------------------===//

#include "rooftile/Planning/Choose.h"
#include "rooftile/Planning/Candidates.h"
#include "rooftile/Planning/Check.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

static bool sameTiles(const Plan &left, const Plan &right) {
  return left.macroM == right.macroM && left.macroN == right.macroN &&
         left.microM == right.microM && left.microN == right.microN;
}

/// Keeps the best plan and the best one with other tiles.
static void rank(Choice &choice, const Ranked &candidate) {
  bool first = choice.weighed == 0;
  if (first || candidate.estimate.seconds < choice.best.estimate.seconds) {
    if (!first && !sameTiles(candidate.plan, choice.best.plan))
      choice.runnerUp = choice.best;
    choice.best = candidate;
    return;
  }
  if (sameTiles(candidate.plan, choice.best.plan))
    return;
  if (!choice.runnerUp || candidate.estimate.seconds < choice.runnerUp->estimate.seconds)
    choice.runnerUp = candidate;
}

std::optional<Choice> planning::choose(const Problem &problem, blas::TargetAttr target) {
  Choice choice;
  auto weigh = [&](const Plan &candidate) {
    if (check(problem, candidate, target)) {
      ++choice.rejected;
      return;
    }
    Ranked ranked{candidate, {}};
    int64_t blocks = occupancy(problem, candidate, target).blocks;
    int64_t tiles = std::max<int64_t>(1, target.getUnits() * blocks / candidate.splits);
    ranked.plan.raster = chooseRaster(problem, candidate, tiles);
    ranked.estimate = estimate(problem, ranked.plan, target);
    // Room for more workgroups than a unit gets would cost registers for nothing.
    int64_t ofUnit = llvm::divideCeil(ranked.estimate.tiles, target.getUnits());
    ranked.plan.residency = std::clamp<int64_t>(ofUnit, 1, blocks);
    rank(choice, ranked);
    ++choice.weighed;
  };
  forEachCandidate(problem, target, [&](const Plan &candidate) {
    int64_t blocks = occupancy(problem, candidate, target).blocks;
    forEachSplit(problem, candidate, target, target.getUnits() * blocks, weigh);
  });
  if (choice.weighed == 0)
    return std::nullopt;
  return choice;
}
