//===- Choose.cpp - The best plan for an operation ------------------------===//

#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Planning/Cost/KernelFacts.h"
#include "rooftile/Planning/Cost/LeastSeconds.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/ChoiceTable.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Raster.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "rooftile/Planning/Space/Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <deque>
#include <limits>
#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

/// Share of (C1) that an edge may lose for short code.
static constexpr double kEdgeShare = 0.02;

/// Plans that differ otherwise are no alternatives: they are one row of a table of plans.
static bool sameTiles(const Plan &left, const Plan &right) {
  return left.macroM == right.macroM && left.macroN == right.macroN &&
         left.microM == right.microM && left.microN == right.microN &&
         left.instruction == right.instruction;
}

/// Whether `left` is faster, or as fast and comes first.
static bool isBetter(const Ranked &left, const Ranked &right) {
  return std::pair(left.estimate.seconds, left.place) <
         std::pair(right.estimate.seconds, right.place);
}

/// Keeps the best plan and the best one with other tiles.
static void rank(Choice &choice, const Ranked &candidate) {
  bool first = choice.evaluated == 0;
  if (first || isBetter(candidate, choice.best)) {
    if (!first && !sameTiles(candidate.plan, choice.best.plan))
      choice.runnerUp = choice.best;
    choice.best = candidate;
    return;
  }
  if (sameTiles(candidate.plan, choice.best.plan))
    return;
  if (!choice.runnerUp || isBetter(candidate, *choice.runnerUp))
    choice.runnerUp = candidate;
}

namespace {
/// Outcome for a candidate, or for all of a tile.
struct Evaluation {
  std::optional<Ranked> ranked; ///< Nothing where it does not fit, or is slow.
  bool isSlow = false;          ///< It is slower than plans that matter, whatever its price.
};

/// Receiver of candidates.
struct Visitor {
  llvm::function_ref<void(const Evaluation &)> visit;
  /// Seconds beyond which a plan with the tiles of the argument does not matter, so far.
  llvm::function_ref<double(const Plan &)> limit;
};

/// A tile, and a lower bound of the time of its plans.
struct BoundedTile {
  Tile tile;
  LeastSeconds least;
  int64_t place; ///< In the order of the space.
};

/// Prices the plans of one tile.
class TilePricing {
public:
  TilePricing(const Problem &problem, blas::TargetAttr target, const ChipRates &chip,
              const BoundedTile &tile, Visitor visitor)
      : problem(problem), target(target), chip(chip), tile(tile), visitor(visitor) {}

  /// Prices the plans with the K step of `step`, unless they are slow in all ways to share it out.
  void priceStep(const Plan &step);

private:
  /// Prices `candidate`, and its K steps shared out in every way worth evaluating. `whole`: what it
  /// needs at least where they are not.
  void priceShares(const Plan &candidate, const StepFacts &least, double whole);
  /// `plan` with its raster, residency and price. `step`: its counts, as soon as something fits.
  Evaluation price(const Plan &plan, int64_t registers, std::optional<StepFacts> &step);
  void visit(Evaluation evaluation) {
    if (evaluation.ranked)
      evaluation.ranked->place = tile.place;
    visitor.visit(evaluation);
  }

  const Problem &problem;
  blas::TargetAttr target;
  const ChipRates &chip;
  const BoundedTile &tile;
  Visitor visitor;
};
} // namespace

Evaluation TilePricing::price(const Plan &plan, int64_t registers, std::optional<StepFacts> &step) {
  if (check(problem, plan, target, registers) || !surelyFits(registers, target) ||
      !surelyExchanges(problem, plan, target))
    return {};
  if (!step)
    step = stepFactsOf(packed(problem, plan), plan, target);
  Occupancy resident = occupancy(problem, plan, target, registers);
  int64_t tiles = std::max<int64_t>(1, target->units * resident.blocks / plan.splits);
  std::optional<Ranked> best;
  for (int64_t raster : rasters(problem, plan, tiles, target)) {
    Ranked walked{plan, {}};
    walked.plan.raster = raster;
    KernelFacts facts = factsOf(problem, walked.plan, target, resident, &*step);
    walked.estimate = planning::price(facts, chip, resident);
    if (!best || walked.estimate.seconds < best->estimate.seconds)
      best = walked;
  }
  // Room for more workgroups than a unit gets would cost registers for nothing.
  int64_t ofUnit = llvm::divideCeil(best->estimate.tiles, target->units);
  int64_t surely = surelyResident(problem, plan, target, resident);
  best->plan.residency = std::clamp<int64_t>(ofUnit, 1, surely);
  best->plan.loadsC = loadsOfC(problem, best->plan, target);
  return {best};
}

void TilePricing::priceShares(const Plan &candidate, const StepFacts &least, double whole) {
  std::optional<StepFacts> step; // the same for all shares of K
  int64_t registers = heldRegisters(problem, candidate, target->vendor);
  int64_t blocks = occupancy(problem, candidate, target, registers).blocks;
  forEachSplit(problem, candidate, target, target->units * blocks, [&](const Plan &plan) {
    bool isWhole = plan.splits == 1;
    if ((isWhole ? whole : tile.least.of(plan, least)) > visitor.limit(plan))
      return visit({std::nullopt, true});
    int64_t needed = isWhole ? registers : heldRegisters(problem, plan, target->vendor);
    visit(price(plan, needed, step));
  });
}

void TilePricing::priceStep(const Plan &step) {
  StepFacts least = tile.least.stepOf(step);
  double limit = visitor.limit(step), whole = tile.least.of(step, least);
  if (whole > limit && tile.least.ofShares(step, least) > limit)
    return visit({std::nullopt, true});
  Plan candidate = laidOut(problem, step, target);
  priceShares(candidate, least, whole);
  // C may pass through shared memory or not.
  if (candidate.c != blas::Via::Shared || candidate.flat)
    return;
  candidate.c = blas::Via::Register;
  priceShares(candidate, least, whole);
}

static void count(Choice &choice, const Evaluation &evaluation) {
  if (!evaluation.isSlow)
    ++(evaluation.ranked ? choice.evaluated : choice.rejected);
}

namespace {
/// The tiles of a problem, the most promising first, so that the first plans that are priced rule
/// out most others.
class TileQueue {
public:
  /// The tiles come after `before` others.
  TileQueue(const Problem &problem, blas::TargetAttr target, int64_t before = 0)
      : problem(problem), target(target), chip(target), before(before) {}

  int64_t size() const { return tiles.size(); }

  void add(const Tile &tile) {
    tiles.push_back({tile, LeastSeconds(problem, tile.plan, target, chip), before + size()});
  }
  /// Prices the plans of all tiles, except those that are too slow for certain.
  void price(Visitor visitor);

private:
  const Problem &problem;
  blas::TargetAttr target;
  ChipRates chip;
  int64_t before;
  std::deque<BoundedTile> tiles;
};
} // namespace

void TileQueue::price(Visitor visitor) {
  std::vector<const BoundedTile *> order;
  for (const BoundedTile &each : tiles)
    order.push_back(&each);
  llvm::sort(order, [](const BoundedTile *left, const BoundedTile *right) {
    return std::pair(left->least.ofTile(), left->place) <
           std::pair(right->least.ofTile(), right->place);
  });
  for (const BoundedTile *each : order) {
    if (each->least.ofTile() > visitor.limit(each->tile.plan)) {
      visitor.visit({std::nullopt, true});
      continue;
    }
    TilePricing pricing(problem, target, chip, *each, visitor);
    forEachStep(problem, each->tile, target, [&](const Plan &step) { pricing.priceStep(step); });
  }
}

/// `ranked`, a plan of the real elements of complex operands, as one of `problem`.
static void priceAsInduced(Ranked &ranked, const Problem &problem, blas::TargetAttr target,
                           const ChipRates &chip) {
  ranked.plan.complex = blas::ComplexMethod::Induced;
  Occupancy resident = residentOf(problem, ranked.plan, target);
  ranked.estimate = price(factsOf(problem, ranked.plan, target, resident), chip, resident);
}

/// Prices all candidates for complex operands as real elements.
static void forEachInducedPlan(const Problem &problem, blas::TargetAttr target, int64_t before,
                               Visitor visitor) {
  if (!problem.canBeInduced)
    return;
  Problem product = toInduced(problem, Plan());
  ChipRates chip(target);
  auto visit = [&](Evaluation evaluation) {
    std::optional<Ranked> &ranked = evaluation.ranked;
    if (ranked && ranked->plan.reduction != blas::Reduction::Workspace)
      return; // its accumulators are no elements of C
    if (ranked)
      priceAsInduced(*ranked, problem, target, chip);
    visitor.visit(evaluation);
  };
  TileQueue tiles(product, target, before);
  forEachInducedTile(product, target, [&](const Tile &tile) { tiles.add(tile); });
  tiles.price({visit, visitor.limit});
}

/// Prices all candidates for operands as they are.
static void forEachPlan(const Problem &problem, blas::TargetAttr target, Visitor visitor) {
  TileQueue tiles(problem, target);
  forEachTile(problem, target, [&](const Tile &tile) { tiles.add(tile); });
  tiles.price(visitor);
  forEachInducedPlan(problem, target, tiles.size(), visitor);
}

/// Prices all candidates for complex operands whose real elements are copied in parts: the slices
/// of a workspace are what they write.
static void forEachPlanOfRealParts(const Problem &problem, blas::TargetAttr target,
                                   Visitor visitor) {
  if (!problem.canBeInducedInParts)
    return;
  Plan parts;
  parts.products = blas::kPartBlocks;
  Problem product = toInduced(problem, parts);
  ChipRates chip(target);
  auto visit = [&](Evaluation evaluation) {
    std::optional<Ranked> &ranked = evaluation.ranked;
    if (ranked) {
      Plan &plan = ranked->plan;
      if (plan.reduction == blas::Reduction::None)
        plan.reduction = blas::Reduction::Workspace;
      if (plan.reduction != blas::Reduction::Workspace)
        return;
      priceAsInduced(*ranked, problem, target, chip);
    }
    visitor.visit(evaluation);
  };
  for (const Plan &packing : packingsOf(product, target)) {
    if (packing.products != blas::kPartBlocks)
      continue;
    Problem seen = packed(product, packing);
    TileQueue tiles(seen, target);
    forEachTile(seen, target, [&](Tile tile) {
      tile.plan.a.pack = tile.plan.b.pack = 1;
      tile.plan.products = packing.products;
      tiles.add(tile);
    });
    tiles.price({visit, visitor.limit});
  }
}

/// Prices all candidates for packed operands, unless the copies alone leave too little time.
static void forEachPackedPlan(const Problem &problem, blas::TargetAttr target, Visitor visitor) {
  for (const Plan &packing : packingsOf(problem, target)) {
    double least = packSeconds(problem, packing, target) + roofline(problem, target).seconds();
    if (least > visitor.limit(packing))
      continue;
    Problem seen = packed(problem, packing);
    TileQueue tiles(seen, target);
    forEachTile(seen, target, [&](Tile tile) {
      tile.plan.a.pack = packing.a.pack, tile.plan.b.pack = packing.b.pack;
      tile.plan.products = packing.products;
      // A copy has the rows of the tile.
      auto agrees = [](const Path &path, const Matrix &copy) {
        return !path.pack || copy.alongK() == (path.major == blas::Major::K);
      };
      bool agree = agrees(tile.plan.a, seen.a) && agrees(tile.plan.b, seen.b);
      if (agree && isWorthPacking(problem, tile.plan, target))
        tiles.add(tile);
    });
    tiles.price(visitor);
  }
  forEachPlanOfRealParts(problem, target, visitor);
}

double planning::edgeSlack(const Problem &problem, blas::TargetAttr target) {
  if (!problem.isEdge())
    return 0;
  Problem whole = problem;
  whole.m = std::max(problem.m, problem.wholeM);
  whole.n = std::max(problem.n, problem.wholeN);
  return std::max(target->launchNs * 1e-9, kEdgeShare * roofline(whole, target).seconds());
}

/// (C23) The plan with the shortest code of those that lose no more than the slack.
static void takeShortest(Choice &choice, llvm::ArrayRef<Ranked> near, const Problem &problem,
                         blas::TargetAttr target) {
  double limit = choice.best.estimate.seconds + edgeSlack(problem, target);
  const Ranked *shortest = &choice.best;
  auto cost = [&](const Ranked &ranked) {
    return std::tuple(codeOf(problem, ranked.plan, target), ranked.estimate.seconds, ranked.place);
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
  auto visit = [&](const Evaluation &evaluation) {
    const std::optional<Ranked> &ranked = evaluation.ranked;
    count(choice, evaluation);
    Ranked known = choice.best;
    known.place = known.plan.packs() ? known.place : -1; // of equals the first
    if (ranked && isBetter(*ranked, known))
      choice.best = *ranked;
  };
  auto limit = [&](const Plan &) { return choice.best.estimate.seconds; };
  forEachPackedPlan(problem, target, {visit, limit});
  if (choice.best.plan.packs())
    choice.runnerUp = rival;
}

std::optional<Choice> planning::search(const Problem &problem, blas::TargetAttr target) {
  Choice choice;
  double slack = edgeSlack(problem, target);
  std::vector<Ranked> near;
  auto limit = [&](const Plan &tile) {
    double near = choice.best.estimate.seconds + slack;
    if (choice.evaluated > 0 && sameTiles(tile, choice.best.plan))
      return near;
    return std::max(near, choice.runnerUp ? choice.runnerUp->estimate.seconds
                                          : std::numeric_limits<double>::infinity());
  };
  auto visit = [&](const Evaluation &evaluation) {
    const std::optional<Ranked> &ranked = evaluation.ranked;
    if (ranked)
      rank(choice, *ranked);
    count(choice, evaluation);
    if (ranked && slack > 0 && ranked->estimate.seconds <= choice.best.estimate.seconds + slack)
      near.push_back(*ranked);
  };
  forEachPlan(problem, target, {visit, limit});
  if (choice.evaluated == 0)
    return std::nullopt;
  if (problem.isEdge())
    takeShortest(choice, near, problem, target);
  evaluatePacked(choice, problem, target);
  choice.best.estimate = notBelowRoofline(choice.best.estimate, problem, target);
  if (choice.runnerUp)
    choice.runnerUp->estimate = notBelowRoofline(choice.runnerUp->estimate, problem, target);
  return choice;
}

std::optional<Choice> planning::choose(const Problem &problem, blas::TargetAttr target) {
  static ChoiceTable &table = *new ChoiceTable; // Never destroyed: programs may plan after main.
  if (problem.refusals && !problem.refusals->empty())
    return search(problem, target);
  return table.find({problem, target}, [&] { return search(problem, target); });
}

/// The fastest first; of equals, the first.
static std::vector<Ranked> sorted(const std::vector<Ranked> &all) {
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t left, size_t right) {
    bool isFirst = isBetter(all[left], all[right]);
    return isFirst || (!isBetter(all[right], all[left]) && left < right);
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
  auto limit = [&fastest](const Plan &) { return fastest; };
  forEachPlan(problem, target, {visit, limit});
  if (all.empty())
    return all;
  all = sorted(all);
  fastest = all.front().estimate.seconds;
  forEachPackedPlan(problem, target, {visitPacked, limit});
  packed = sorted(packed);
  packed.insert(packed.end(), all.begin(), all.end());
  for (Ranked &ranked : packed)
    ranked.estimate = notBelowRoofline(ranked.estimate, problem, target);
  return packed;
}
