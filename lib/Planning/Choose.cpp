//===- Choose.cpp - The best plan for an operation ------------------------===//

#include "rooftile/Planning/Choose.h"
#include "Step.h"
#include "rooftile/Planning/Candidates.h"
#include "rooftile/Planning/Check.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Induced.h"
#include "rooftile/Planning/Packing.h"
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
  bool first = choice.evaluated == 0;
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

namespace {
/// Prices a candidate with its K steps shared out in one way or another.
class Pricing {
public:
  Pricing(const Problem &problem, const Plan &candidate, blas::TargetAttr target)
      : problem(problem), target(target), candidate(candidate),
        registers(registersPerThread(problem, candidate, target.getVendor())) {}

  /// Workgroups that a unit holds of the candidate as it is.
  int64_t blocks() const { return occupancy(problem, candidate, target, registers).blocks; }
  /// `plan` with its raster, residency and price; nothing where it does not fit.
  std::optional<Ranked> price(const Plan &plan);

private:
  const Problem &problem;
  blas::TargetAttr target;
  const Plan &candidate;
  int64_t registers;
  std::optional<Step> step; ///< As soon as something fits; the same for all shares of K.
};
} // namespace

std::optional<Ranked> Pricing::price(const Plan &plan) {
  int64_t needed =
      plan.splits == 1 ? registers : registersPerThread(problem, plan, target.getVendor());
  if (check(problem, plan, target, needed) || !surelyFits(needed, target))
    return std::nullopt;
  if (!step)
    step = stepOf(problem, plan, target);
  Ranked ranked{plan, {}};
  Occupancy resident = occupancy(problem, plan, target, needed);
  int64_t tiles = std::max<int64_t>(1, target.getUnits() * resident.blocks / plan.splits);
  ranked.plan.raster = chooseRaster(problem, plan, tiles, target);
  ranked.estimate = estimate(problem, ranked.plan, target, resident, *step);
  // Room for more workgroups than a unit gets would cost registers for nothing.
  int64_t ofUnit = llvm::divideCeil(ranked.estimate.tiles, target.getUnits());
  int64_t surely = surelyResident(problem, plan, target, resident);
  ranked.plan.residency = std::clamp<int64_t>(ofUnit, 1, surely);
  return ranked;
}

using Evaluate = llvm::function_ref<void(const std::optional<Ranked> &)>;

/// Prices a candidate, and its K steps shared out in every way worth evaluating; nothing where one
/// does not fit.
static void priceAll(const Problem &problem, const Plan &candidate, blas::TargetAttr target,
                     Evaluate evaluate) {
  Pricing pricing(problem, candidate, target);
  forEachSplit(problem, candidate, target, target.getUnits() * pricing.blocks(),
               [&](const Plan &plan) { evaluate(pricing.price(plan)); });
}

/// Prices all candidates for complex operands as the real numbers that they consist of.
static void forEachInducedPlan(const Problem &problem, blas::TargetAttr target, Evaluate evaluate) {
  if (!problem.canBeInduced)
    return;
  Problem product = toInduced(problem);
  auto evaluateInduced = [&](std::optional<Ranked> ranked) {
    if (ranked && ranked->plan.reduction != blas::Reduction::Workspace)
      return; // its sums are no elements of C
    if (ranked) {
      ranked->plan.complex = blas::ComplexMethod::Induced;
      addInducedCost(ranked->estimate);
    }
    evaluate(ranked);
  };
  forEachInducedCandidate(
      product, target, [&](const Plan &plan) { priceAll(product, plan, target, evaluateInduced); });
}

/// Prices all candidates for operands as they are.
static void forEachPlan(const Problem &problem, blas::TargetAttr target, Evaluate evaluate) {
  forEachCandidate(problem, target,
                   [&](const Plan &plan) { priceAll(problem, plan, target, evaluate); });
  forEachInducedPlan(problem, target, evaluate);
}

/// Prices all candidates for packed operands.
static void forEachPackedPlan(const Problem &problem, blas::TargetAttr target, Evaluate evaluate) {
  forEachPacking(problem, target, [&](const Plan &packing) {
    Problem seen = packed(problem, packing);
    forEachCandidate(seen, target, [&](Plan plan) {
      plan.a.pack = packing.a.pack, plan.b.pack = packing.b.pack;
      if (isWorthPacking(problem, plan, target))
        priceAll(seen, plan, target, evaluate);
    });
  });
}

double planning::edgeSlack(const Problem &problem, blas::TargetAttr target) {
  if (!problem.isEdge())
    return 0;
  Problem whole = problem;
  whole.m = std::max(problem.m, problem.wholeM);
  whole.n = std::max(problem.n, problem.wholeN);
  return std::max(target.getLaunchNs() * 1e-9,
                  constants::kEdgeShare * roofline(whole, target).seconds());
}

/// (C23) The plan with the shortest code of those that lose no more than the slack.
static void takeShortest(Choice &choice, llvm::ArrayRef<Ranked> near, const Problem &problem,
                         blas::TargetAttr target) {
  double limit = choice.best.estimate.seconds + edgeSlack(problem, target);
  const Ranked *shortest = &choice.best;
  auto cost = [&](const Ranked &ranked) {
    return std::pair(codeOf(problem, ranked.plan, target), ranked.estimate.seconds);
  };
  auto least = cost(*shortest);
  for (const Ranked &each : near)
    if (auto own = cost(each); each.estimate.seconds <= limit && own < least)
      least = own, shortest = &each;
  if (!sameTiles(shortest->plan, choice.best.plan))
    choice.runnerUp = choice.best;
  choice.best = *shortest;
}

/// (C25) `rival`, the best plan for operands as they are, with what it surely takes.
static Ranked asItIs(const Problem &problem, const Ranked &rival, blas::TargetAttr target) {
  Ranked result = rival;
  result.estimate.seconds += transposingSeconds(problem, rival, target);
  return result;
}

/// True where a plan with packed operands is surely faster than `rival`.
static bool beats(const std::optional<Ranked> &packed, const Ranked &rival) {
  return packed && packed->estimate.seconds * constants::kPackMargin < rival.estimate.seconds;
}

/// The best plan with packed operands comes first where it is surely faster.
static void evaluatePacked(Choice &choice, const Problem &problem, blas::TargetAttr target) {
  Ranked rival = asItIs(problem, choice.best, target);
  std::optional<Ranked> best;
  forEachPackedPlan(problem, target, [&](const std::optional<Ranked> &ranked) {
    ++(ranked ? choice.evaluated : choice.rejected);
    if (beats(ranked, rival) && (!best || ranked->estimate.seconds < best->estimate.seconds))
      best = ranked;
  });
  if (!best)
    return;
  choice.best = *best;
  choice.runnerUp = rival;
}

std::optional<Choice> planning::choose(const Problem &problem, blas::TargetAttr target) {
  Choice choice;
  double slack = edgeSlack(problem, target);
  std::vector<Ranked> near;
  forEachPlan(problem, target, [&](const std::optional<Ranked> &ranked) {
    if (!ranked) {
      ++choice.rejected;
      return;
    }
    rank(choice, *ranked);
    ++choice.evaluated;
    if (slack > 0 && ranked->estimate.seconds <= choice.best.estimate.seconds + slack)
      near.push_back(*ranked);
  });
  if (choice.evaluated == 0)
    return std::nullopt;
  if (problem.isEdge())
    takeShortest(choice, near, problem, target);
  evaluatePacked(choice, problem, target);
  return choice;
}

/// By seconds, then by place.
static std::vector<Ranked> sorted(const std::vector<Ranked> &all) {
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

std::vector<Ranked> planning::rankAll(const Problem &problem, blas::TargetAttr target) {
  std::vector<Ranked> all, packed;
  forEachPlan(problem, target, [&](const std::optional<Ranked> &ranked) {
    if (ranked)
      all.push_back(*ranked);
  });
  if (all.empty())
    return all;
  all = sorted(all);
  Ranked rival = asItIs(problem, all.front(), target);
  forEachPackedPlan(problem, target, [&](const std::optional<Ranked> &ranked) {
    if (beats(ranked, rival))
      packed.push_back(*ranked);
  });
  packed = sorted(packed);
  packed.insert(packed.end(), all.begin(), all.end());
  return packed;
}
