//===- Choose.cpp - The best plan for an operation ------------------------===//

#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Cost/KernelFacts.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Candidates.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Raster.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

/// Share of (C1) that an edge may lose for short code, and that packing may take.
static constexpr double kEdgeShare = 0.02, kMostPacking = 0.4;

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
/// What becomes of a candidate.
struct Evaluation {
  std::optional<Ranked> ranked; ///< Nothing where it does not fit, or is slow.
  bool isSlow = false;          ///< It takes longer than plans that matter, whatever its price.

  bool fits() const { return ranked || isSlow; }
};

/// What is done with candidates.
struct Visitor {
  llvm::function_ref<void(const Evaluation &)> visit;
  /// Seconds beyond which a plan does not matter, so far.
  llvm::function_ref<double()> limit;
  /// Tiles that are stored with bank conflicts, too.
  bool conflicts = false;
};

/// Prices a candidate with its K steps shared out in one way or another.
class Pricing {
public:
  Pricing(const Problem &problem, const Plan &candidate, blas::TargetAttr target)
      : problem(problem), target(target), candidate(candidate),
        registers(registersPerThread(problem, candidate, target.getVendor())) {}

  /// Workgroups that a unit holds of the candidate as it is.
  int64_t blocks() const { return occupancy(problem, candidate, target, registers).blocks; }
  /// `plan` with its raster, residency and price.
  Evaluation price(const Plan &plan);

private:
  const Problem &problem;
  blas::TargetAttr target;
  const Plan &candidate;
  int64_t registers;
  std::optional<StepFacts> step; ///< As soon as something fits; the same for all shares of K.
};
} // namespace

Evaluation Pricing::price(const Plan &plan) {
  int64_t needed =
      plan.splits == 1 ? registers : registersPerThread(problem, plan, target.getVendor());
  if (check(problem, plan, target, needed) || !surelyFits(needed, target) ||
      !surelyExchanges(problem, plan, target))
    return {};
  if (!step)
    step = stepFactsOf(packed(problem, plan), plan, target);
  Ranked ranked{plan, {}};
  Occupancy resident = occupancy(problem, plan, target, needed);
  int64_t tiles = std::max<int64_t>(1, target.getUnits() * resident.blocks / plan.splits);
  ranked.plan.raster = chooseRaster(problem, plan, tiles, target);
  ranked.estimate = estimate(problem, ranked.plan, target, resident, &*step);
  // Room for more workgroups than a unit gets would cost registers for nothing.
  int64_t ofUnit = llvm::divideCeil(ranked.estimate.tiles, target.getUnits());
  int64_t surely = surelyResident(problem, plan, target, resident);
  ranked.plan.residency = std::clamp<int64_t>(ofUnit, 1, surely);
  return {ranked};
}

/// Prices a candidate, and its K steps shared out in every way worth evaluating.
static void priceSplits(const Problem &problem, const Plan &candidate, blas::TargetAttr target,
                        Visitor visitor) {
  LeastSeconds least(problem, candidate, target);
  if (least.anyExceeds(visitor.limit()))
    return visitor.visit({std::nullopt, true});
  if (!visitor.conflicts && storesMeet(problem, candidate, target))
    return;
  Pricing pricing(problem, candidate, target);
  forEachSplit(problem, candidate, target, target.getUnits() * pricing.blocks(),
               [&](const Plan &plan) {
                 bool isSlow = least.of(plan) > visitor.limit();
                 visitor.visit(isSlow ? Evaluation{std::nullopt, true} : pricing.price(plan));
               });
}

/// The same where C may pass through shared memory, or not.
static void priceAll(const Problem &problem, const Plan &candidate, blas::TargetAttr target,
                     Visitor visitor) {
  priceSplits(problem, candidate, target, visitor);
  if (candidate.c != blas::Via::Shared || candidate.flat)
    return;
  Plan direct = candidate;
  direct.c = blas::Via::Register;
  priceSplits(problem, direct, target, visitor);
}

/// Prices all candidates for complex operands as the real numbers that they consist of.
static void forEachInducedPlan(const Problem &problem, blas::TargetAttr target, Visitor visitor) {
  if (!problem.canBeInduced)
    return;
  Problem product = toInduced(problem);
  auto visit = [&](Evaluation evaluation) {
    std::optional<Ranked> &ranked = evaluation.ranked;
    if (ranked && ranked->plan.reduction != blas::Reduction::Workspace)
      return; // its sums are no elements of C
    if (ranked) {
      ranked->plan.complex = blas::ComplexMethod::Induced;
      ranked->estimate = estimate(problem, ranked->plan, target, ranked->estimate.occupancy);
    }
    visitor.visit(evaluation);
  };
  forEachInducedCandidate(product, target, [&](const Plan &plan) {
    priceAll(product, plan, target, {visit, visitor.limit, visitor.conflicts});
  });
}

/// Prices all candidates for operands as they are; those that are stored with bank conflicts only
/// where no other fits.
static void forEachPlan(const Problem &problem, blas::TargetAttr target, Visitor visitor) {
  bool any = false;
  auto visit = [&](const Evaluation &evaluation) {
    any |= evaluation.fits();
    visitor.visit(evaluation);
  };
  for (bool conflicts : {false, true}) {
    if (any)
      return;
    Visitor noting{visit, visitor.limit, conflicts};
    forEachCandidate(problem, target,
                     [&](const Plan &plan) { priceAll(problem, plan, target, noting); });
    forEachInducedPlan(problem, target, noting);
  }
}

/// Prices all candidates for packed operands.
static void forEachPackedPlan(const Problem &problem, blas::TargetAttr target, Visitor visitor) {
  double most = kMostPacking * roofline(problem, target).seconds();
  forEachPacking(problem, [&](const Plan &packing) {
    if (packSeconds(problem, packing, target) > most)
      return;
    Problem seen = packed(problem, packing);
    forEachCandidate(seen, target, [&](Plan plan) {
      plan.a.pack = packing.a.pack, plan.b.pack = packing.b.pack;
      if (isWorthPacking(problem, plan, target))
        priceAll(seen, plan, target, visitor);
    });
  });
}

double planning::edgeSlack(const Problem &problem, blas::TargetAttr target) {
  if (!problem.isEdge())
    return 0;
  Problem whole = problem;
  whole.m = std::max(problem.m, problem.wholeM);
  whole.n = std::max(problem.n, problem.wholeN);
  return std::max(target.getLaunchNs() * 1e-9, kEdgeShare * roofline(whole, target).seconds());
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

/// The best plan with packed operands comes first where it is faster.
static void evaluatePacked(Choice &choice, const Problem &problem, blas::TargetAttr target) {
  Ranked rival = choice.best;
  forEachPackedPlan(problem, target,
                    {[&](const Evaluation &evaluation) {
                       const std::optional<Ranked> &ranked = evaluation.ranked;
                       ++(evaluation.fits() ? choice.evaluated : choice.rejected);
                       if (ranked && ranked->estimate.seconds < choice.best.estimate.seconds)
                         choice.best = *ranked;
                     },
                     [&] { return choice.best.estimate.seconds; }});
  if (choice.best.plan.packs())
    choice.runnerUp = rival;
}

std::optional<Choice> planning::choose(const Problem &problem, blas::TargetAttr target) {
  Choice choice;
  double slack = edgeSlack(problem, target);
  std::vector<Ranked> near;
  auto limit = [&] {
    double known = choice.runnerUp ? choice.runnerUp->estimate.seconds
                                   : std::numeric_limits<double>::infinity();
    return std::max(known, choice.best.estimate.seconds + slack);
  };
  auto visit = [&](const Evaluation &evaluation) {
    const std::optional<Ranked> &ranked = evaluation.ranked;
    if (ranked)
      rank(choice, *ranked);
    ++(evaluation.fits() ? choice.evaluated : choice.rejected);
    if (ranked && slack > 0 && ranked->estimate.seconds <= choice.best.estimate.seconds + slack)
      near.push_back(*ranked);
  };
  forEachPlan(problem, target, {visit, limit});
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
  double fastest = std::numeric_limits<double>::infinity();
  auto into = [&fastest](std::vector<Ranked> &plans) {
    return [&fastest, &plans](const Evaluation &evaluation) {
      if (evaluation.ranked && evaluation.ranked->estimate.seconds < fastest)
        plans.push_back(*evaluation.ranked);
    };
  };
  auto visit = into(all), visitPacked = into(packed);
  auto limit = [&fastest] { return fastest; };
  forEachPlan(problem, target, {visit, limit});
  if (all.empty())
    return all;
  all = sorted(all);
  fastest = all.front().estimate.seconds;
  forEachPackedPlan(problem, target, {visitPacked, limit});
  packed = sorted(packed);
  packed.insert(packed.end(), all.begin(), all.end());
  return packed;
}
