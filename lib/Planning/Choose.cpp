//===- Choose.cpp - The best plan for an operation ------------------------===//

#include "rooftile/Planning/Choose.h"
#include "rooftile/Planning/Candidates.h"
#include "rooftile/Planning/Check.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

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

/// All candidates, and their K steps shared out in every way worth weighing.
static void forEachPlan(const Problem &problem, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> weigh) {
  forEachCandidate(problem, target, [&](const Plan &candidate) {
    int64_t blocks = occupancy(problem, candidate, target).blocks;
    forEachSplit(problem, candidate, target, target.getUnits() * blocks, weigh);
  });
}

/// A candidate with its raster, residency and price; nothing where it does not fit.
static std::optional<Ranked> price(const Problem &problem, const Plan &candidate,
                                   blas::TargetAttr target) {
  if (check(problem, candidate, target))
    return std::nullopt;
  Ranked ranked{candidate, {}};
  int64_t blocks = occupancy(problem, candidate, target).blocks;
  int64_t tiles = std::max<int64_t>(1, target.getUnits() * blocks / candidate.splits);
  ranked.plan.raster = chooseRaster(problem, candidate, tiles);
  ranked.estimate = estimate(problem, ranked.plan, target);
  // Room for more workgroups than a unit gets would cost registers for nothing.
  int64_t ofUnit = llvm::divideCeil(ranked.estimate.tiles, target.getUnits());
  ranked.plan.residency = std::clamp<int64_t>(ofUnit, 1, blocks);
  return ranked;
}

std::optional<Choice> planning::choose(const Problem &problem, blas::TargetAttr target) {
  Choice choice;
  forEachPlan(problem, target, [&](const Plan &candidate) {
    std::optional<Ranked> ranked = price(problem, candidate, target);
    if (!ranked) {
      ++choice.rejected;
      return;
    }
    rank(choice, *ranked);
    ++choice.weighed;
  });
  if (choice.weighed == 0)
    return std::nullopt;
  return choice;
}

std::vector<Ranked> planning::rankAll(const Problem &problem, blas::TargetAttr target) {
  std::vector<Ranked> all;
  forEachPlan(problem, target, [&](const Plan &candidate) {
    if (std::optional<Ranked> ranked = price(problem, candidate, target))
      all.push_back(*ranked);
  });
  // By seconds, then by place.
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t left, size_t right) {
    return std::pair(all[left].estimate.seconds, left) <
           std::pair(all[right].estimate.seconds, right);
  });
  std::vector<Ranked> ranked;
  for (size_t place : order)
    ranked.push_back(all[place]);
  return ranked;
}
