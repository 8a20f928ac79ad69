//===- Candidates.cpp - The plans that are evaluated ----------------------===//
//
// Powers of two in every direction: micro tiles 1 .. 16, workgroups of one subgroup to 512 threads,
// macro K 8 .. 64; and tiles that hold the whole of a side that a power of two would exceed by far,
// such as 112 or 104 rows for 100. What follows from these (lanes, widths, padding) is not
// searched. Tiles far larger than the matrix are left out; so are single-stage plans for more than
// two steps. Groups that share out each step are evaluated where tiles are too few to fill the chip
// with threads. Operands go one way: through registers, asynchronously, in bulk. Matrix
// instructions come last: of equals, multiply-adds are simpler. Of those for complex numbers one
// that copies asynchronously was among the fastest on an H200 for narrow products alone
// (KSteps.cpp).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Candidates.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Bulk.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/InstructionTiles.h"
#include "rooftile/Planning/Space/KSteps.h"
#include "rooftile/Planning/Space/NarrowTiles.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/TallSkinnyTiles.h"
#include "rooftile/Planning/Space/TileExtents.h"

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMaxMicroRatio = 4;
/// Rows of a transposed tile below which not every padding or swizzle is to be had.
static constexpr int64_t kNarrow = 16;
/// Times that a tile must be as wide as the other operand's for its bank conflicts to matter less.
static constexpr int64_t kSmallPart = 8;
/// Lines that a swizzle tells apart.
static constexpr int64_t kMostLines =
    tile::BufferType::kSwizzleLines * tile::BufferType::kSwizzleWays;

/// The arrangement of a subgroup that reads the fewest different elements:
/// lanes M * micro M + lanes N * micro N.
static void chooseLanes(Plan &plan, int64_t subgroup) {
  int64_t threadsM = plan.macroM / plan.microM, threadsN = plan.macroN / plan.microN;
  int64_t fewest = INT64_MAX;
  for (int64_t lanesM = 1; lanesM <= std::min(subgroup, threadsM); lanesM *= 2) {
    int64_t lanesN = subgroup / lanesM;
    int64_t read = lanesM * plan.microM + lanesN * plan.microN;
    if (lanesN > threadsN || read >= fewest)
      continue;
    fewest = read;
    plan.lanesM = lanesM;
    plan.lanesN = lanesN;
  }
}

bool planning::storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto meet = [&](const Matrix &matrix, const Path &path, int64_t extent, int64_t other) {
    bool matters = plan.instruction ? extent * kSmallPart > other
                                    : extent < kNarrow || plan.macroK > kMostLines;
    return matters && storeReplays({matrix, path, extent}, plan, target) > 1;
  };
  return meet(problem.a, plan.a, plan.macroM, plan.macroN) ||
         meet(problem.b, plan.b, plan.macroN, plan.macroM);
}

/// Tiles of multiply-adds of powers of two, and those that hold a whole side.
static void forEachPlainTile(const Problem &problem, blas::TargetAttr target,
                             llvm::function_ref<void(const Tile &)> visit) {
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  auto visitThreads = [&](int64_t threads, MicroExtent m, MicroExtent n) {
    for (int64_t threadsM = 1; threadsM <= threads; threadsM *= 2) {
      if (!m.takes(threadsM) || !n.takes(threads / threadsM))
        continue;
      plan.macroM = plan.microM * threadsM;
      plan.macroN = plan.microN * (threads / threadsM);
      if (!isOfUse(plan, problem))
        continue;
      chooseLanes(plan, subgroup);
      visit({plan, Steps::All});
      if (std::optional<Plan> bulk = bulkPlan(problem, plan, target))
        visit({*bulk, Steps::Stated});
    }
  };
  // Taller micro tiles first: where the model sees no difference, 16x8 was faster than 8x16.
  for (MicroExtent m : extentsOfM(problem, 1, 1, kMaxMicro))
    for (MicroExtent n : extentsOfN(problem, 1, 1, kMaxMicro)) {
      plan.microM = m.micro, plan.microN = n.micro;
      int64_t small = std::min(plan.microM, plan.microN),
              large = std::max(plan.microM, plan.microN);
      if (plan.microM * plan.microN > kMaxMicroElements || large / small > kMaxMicroRatio)
        continue;
      int64_t run = std::min(largestPower(m.micro), largestPower(n.micro));
      plan.vector = std::min(problem.widest(kMaxAccessBytes), run);
      for (int64_t threads = subgroup; threads <= kMaxThreads; threads *= 2)
        visitThreads(threads, m, n);
    }
}

void planning::forEachTile(const Problem &problem, blas::TargetAttr target,
                           llvm::function_ref<void(const Tile &)> visit) {
  auto visitLaid = [&](Tile tile) {
    if (tile.steps != Steps::Stated)
      chooseLines(problem, tile.plan, target);
    visit(tile);
  };
  forEachPlainTile(problem, target, visitLaid);
  forEachNarrowTile(problem, target, visitLaid);
  forEachTallSkinnyTile(problem, target, visitLaid);
  forEachInstructionTile(problem, target, visitLaid);
}

void planning::forEachInducedTile(const Problem &product, blas::TargetAttr target,
                                  llvm::function_ref<void(const Tile &)> visit) {
  if (!isTallSkinny(product))
    return;
  forEachInstructionTile(product, target, [&](Tile tile) {
    chooseLines(product, tile.plan, target);
    visit(tile);
  });
}

void planning::forEachStep(const Problem &problem, const Tile &tile, blas::TargetAttr target,
                           llvm::function_ref<void(const Plan &)> visit) {
  auto visitAll = [&](Plan plan) {
    if (problem.compensated)
      plan.summation = blas::Summation::Compensated;
    visit(plan);
    // On matrix units the sums of parts take longer than the products that they save: c128 4096^3
    // 13.5 ms, and 10.2 with four products.
    if (!problem.threeProducts || plan.instruction)
      return;
    plan.products = 3;
    visit(plan);
  };
  switch (tile.steps) {
  case Steps::All:
    forEachKStep(problem, tile.plan, target, visitAll);
    if (!tile.plan.instruction)
      return;
    forEachNarrowStep(problem, tile.plan, target, visitAll);
    return evaluateTallSkinny(problem, tile.plan, target, visitAll);
  case Steps::Grouped:
    return forEachSlicedK(problem, tile.plan, target, visitAll);
  case Steps::Short:
    return forEachSingleStep(problem, tile.plan, target, visitAll);
  case Steps::Whole:
    return evaluateSingleStep(problem, tile.plan, target, visitAll);
  case Steps::Stated:
    return visitAll(tile.plan);
  }
}

Plan planning::laidOut(const Problem &problem, Plan plan, blas::TargetAttr target) {
  Path a = choosePath(problem, true, plan, target), b = choosePath(problem, false, plan, target);
  plan.a = a, plan.b = b;
  chooseOutput(problem, plan, target);
  return plan;
}

void planning::forEachCandidate(const Problem &problem, blas::TargetAttr target,
                                llvm::function_ref<void(const Plan &)> evaluate) {
  forEachTile(problem, target, [&](const Tile &tile) {
    forEachStep(problem, tile, target,
                [&](const Plan &plan) { evaluate(laidOut(problem, plan, target)); });
  });
}
