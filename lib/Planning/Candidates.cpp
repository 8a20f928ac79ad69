//===- Candidates.cpp - The plans that are weighed ------------------------===//
//
// Powers of two in every direction: micro tiles 1 .. 16, workgroups of one subgroup to 512 threads,
// macro K 8 .. 64; and tiles that hold the whole of a side that a power of two would exceed by far,
// such as 112 or 104 rows for 100. What follows from these (lanes, widths, padding) is not
// searched. Tiles far larger than the matrix are left out; so are single-slot plans for more than
// two steps. Groups that share out each step are weighed where tiles are too few to fill the chip
// with threads. Operands go one way: through registers, asynchronously, in bulk. Matrix
// instructions come last: of equals, multiply-adds are simpler. Of those for complex numbers none
// that has two slots for one or two steps was among the fastest on an H200, and one that copies
// asynchronously for narrow products alone (Depths.cpp).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Candidates.h"
#include "Copying.h"
#include "Depths.h"
#include "InstructionTiles.h"
#include "NarrowTiles.h"
#include "Sides.h"
#include "TallTiles.h"
#include "rooftile/Planning/Estimate.h"
#include "rooftile/Planning/Reduction.h"

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMaxMicroRatio = 4;
/// Rows of a turned tile below which not every padding or swizzle is to be had.
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

/// Whether a narrow tile, or one of a matrix instruction that is no small part of what it reads, is
/// stored with a bank conflict.
static bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto meet = [&](const Matrix &matrix, const Path &path, int64_t extent, int64_t other) {
    bool matters = plan.instruction ? extent * kSmallPart > other
                                    : extent < kNarrow || plan.macroK > kMostLines;
    return matters && storeReplays({matrix, path, extent}, plan, target) > 1;
  };
  return meet(problem.a, plan.a, plan.macroM, plan.macroN) ||
         meet(problem.b, plan.b, plan.macroN, plan.macroM);
}

/// All tiles of all multipliers.
static void forEachTile(const Problem &problem, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> weigh) {
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  auto weighThreads = [&](int64_t threads, Side m, Side n) {
    for (int64_t threadsM = 1; threadsM <= threads; threadsM *= 2) {
      if (!m.takes(threadsM) || !n.takes(threads / threadsM))
        continue;
      plan.macroM = plan.microM * threadsM;
      plan.macroN = plan.microN * (threads / threadsM);
      if (!isOfUse(plan, problem))
        continue;
      chooseLanes(plan, subgroup);
      forEachDepth(problem, plan, target, weigh);
    }
  };
  // Taller micro tiles first: where the model sees no difference, 16x8 was faster than 8x16.
  for (Side m : sidesOfM(problem, 1, 1, kMaxMicro))
    for (Side n : sidesOfN(problem, 1, 1, kMaxMicro)) {
      plan.microM = m.micro, plan.microN = n.micro;
      int64_t small = std::min(plan.microM, plan.microN),
              large = std::max(plan.microM, plan.microN);
      if (plan.microM * plan.microN > kMaxMicroElements || large / small > kMaxMicroRatio)
        continue;
      int64_t run = std::min(largestPower(m.micro), largestPower(n.micro));
      plan.vector = std::min(problem.widest(kMaxAccessBytes), run);
      for (int64_t threads = subgroup; threads <= kMaxThreads; threads *= 2)
        weighThreads(threads, m, n);
    }
  forEachNarrowTile(problem, target, weigh);
  forEachTallTile(problem, target, weigh);
  forEachInstruction(problem, target, weigh);
}

/// A plan as it is weighed: with the sums that are asked for; nothing where it is not worth it.
static std::optional<Plan> readied(const Problem &problem, Plan plan, blas::TargetAttr target) {
  if (storesMeet(problem, plan, target))
    return std::nullopt;
  if (problem.compensated)
    plan.sums = blas::Sums::Compensated;
  return plan;
}

void planning::forEachCandidate(const Problem &problem, blas::TargetAttr target,
                                llvm::function_ref<void(const Plan &)> weigh) {
  bool any = false;
  forEachTile(problem, target, [&](const Plan &tiles) {
    std::optional<Plan> plan = readied(problem, tiles, target);
    if (!plan)
      return;
    any = true;
    weigh(*plan);
    // On matrix units the sums of parts take longer than the products that they save: c128 4096^3
    // 13.5 ms, and 10.2 with four products.
    if (!problem.threeProducts || plan->instruction)
      return;
    plan->products = 3;
    weigh(*plan);
  });
  // Eight columns of two bytes, say, turned by subgroups of 64.
  if (!any && !problem.compensated)
    forEachTile(problem, target, weigh);
}

void planning::forEachRealCandidate(const Problem &reals, blas::TargetAttr target,
                                    llvm::function_ref<void(const Plan &)> weigh) {
  if (!isTallSkinny(reals))
    return;
  forEachInstruction(reals, target, [&](const Plan &tiles) {
    if (std::optional<Plan> plan = readied(reals, tiles, target))
      weigh(*plan);
  });
}
