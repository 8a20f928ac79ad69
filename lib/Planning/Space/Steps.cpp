//===- Steps.cpp - K steps, copies, stages and sliced K of a tile ---------===//
//
// Groups of threads share out each K step where a tile has too few threads to fill a unit. Operands
// go one way: through registers, asynchronously, in bulk. Families of steps differ in the lengths
// of a step, its groups and its copies.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Steps.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Planning/Space/Limits.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

using Visit = llvm::function_ref<void(const Plan &)>;

namespace {
/// Copies and stages of a step.
enum class Copies {
  All,
  Stream, ///< Asynchronous ones in several stages, where possible.
  OneStep ///< In one stage, asynchronous where possible.
};

/// K steps of a tile, of all lengths and all group counts that keep to the limits.
struct StepFamily {
  Plan plan; ///< The tile.
  Copies copies;
  llvm::SmallVector<int64_t> slices; ///< Slices of a group in one step.
  int64_t mostOwnK = 32;             ///< K elements in them.
  Range macroK{};
  Range threads{};               ///< With all groups.
  int64_t mostBytes = INT64_MAX; ///< Bytes of both operands.
  Range products{}; ///< Multiply-adds of a thread; of the longest step fewer, of the shortest more.
};
} // namespace

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

/// Stages of a ring that is filled asynchronously: three tiles on their way, no more than steps.
static constexpr int64_t kAsyncStages = 4;

static void forEachCopy(const Problem &problem, Plan plan, Copies copies, blas::TargetAttr target,
                        Visit visit) {
  // One multiplication leaves nothing between two iterations of a K loop.
  bool single = plan.instruction && problem.multiplyAdds == 1 &&
                plan.microM * plan.lanesM == plan.instruction->m &&
                plan.microN * plan.lanesN == plan.instruction->n;
  auto evaluate = [&](blas::Copy copy, int64_t stages, int64_t prefetch) {
    plan.a.copy = plan.b.copy = copy;
    plan.stages = stages;
    plan.prefetch = single ? 0 : prefetch;
    visit(plan);
  };
  int64_t steps = llvm::divideCeil(problem.k, plan.macroK);
  int64_t ring = std::clamp<int64_t>(steps, 2, kAsyncStages);
  bool async = canCopyAsync(problem, plan, target);
  if (copies == Copies::OneStep)
    return evaluate(async ? blas::Copy::Async : blas::Copy::Register, 1, 0);
  if (copies == Copies::Stream && async)
    return evaluate(blas::Copy::Async, ring, plan.prefetch);
  // Measured at 4095: with narrow loads the first fragments of a step should be there before its
  // barrier, in most forms; with wide ones it depends on the form.
  bool narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  CopyWays ways = copyWaysOf(problem, plan, target);
  if (ways.registers)
    evaluate(blas::Copy::Register, 2, narrow ? 1 : 0);
  if (ways.registers && steps <= 2)
    evaluate(blas::Copy::Register, 1, 0);
  if (ways.async)
    evaluate(blas::Copy::Async, ring, 1);
}

static void forEachStepOf(const StepFamily &family, const Problem &problem, blas::TargetAttr target,
                          Visit visit) {
  Plan plan = family.plan;
  int64_t ofTile = plan.threads(), products = plan.microM * plan.microN * problem.multiplyAdds;
  int64_t bytes = std::min(plan.macroM, problem.m) * problem.a.elementBytes +
                  std::min(plan.macroN, problem.n) * problem.b.elementBytes;
  for (; plan.slicedK * ofTile <= family.threads.most; plan.slicedK *= 2) {
    bool idle = plan.slicedK > 1 && !isTallSkinny(problem) && !dividesExchange(plan);
    if (idle || !family.threads.holds(plan.threads()))
      continue;
    for (int64_t slices : family.slices) {
      int64_t ownK = slices * plan.sliceDepth(), ofThread = ownK * products;
      plan.macroK = plan.slicedK * ownK;
      bool isShortest = plan.macroK == family.macroK.least,
           isLongest = 2 * ownK > family.mostOwnK || 2 * plan.macroK * bytes > family.mostBytes;
      if (ownK <= family.mostOwnK && family.macroK.holds(plan.macroK) &&
          plan.macroK * bytes <= family.mostBytes &&
          (ofThread <= family.products.most || isShortest) &&
          (ofThread >= family.products.least || isLongest))
        forEachCopy(problem, plan, family.copies, target, visit);
    }
  }
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Steps of any tile: K elements of a step; groups, and threads with all groups, at most.
static StepFamily plainSteps(const Problem &problem, const Plan &tile, blas::TargetAttr target) {
  static constexpr int64_t kMostGroups = 8, kMostThreads = 512;
  // Bytes along K of an operand's row that matrix instructions read of a step.
  static constexpr int64_t kMostOwnBytes = 256;
  StepFamily family{tile, Copies::All, {1, 2, 4, 8, 16, 32}};
  if (tile.instruction)
    family.mostOwnK = kMostOwnBytes / tile.instruction->factors.bytes;
  family.macroK = {8, 64};
  // Steps of block vectors by matrix instructions are their own.
  bool grouped = mayGroup(problem, tile, target) && !(tile.instruction && isTallSkinny(problem));
  family.threads.most = tile.threads();
  if (grouped)
    family.threads.most = std::min(kMostGroups * tile.threads(), kMostThreads);
  if (!tile.instruction)
    family.products.most = target::calibrationOf(target).mostUnrolled;
  return family;
}

/// Bytes of both operands in one step of block vectors at most.
static constexpr int64_t kMostStepBytes = 48 * 1024;

/// Steps of block vectors by multiply-adds.
static StepFamily groupedSteps(const Plan &tile, blas::TargetAttr target) {
  static constexpr int64_t kManyAccumulators = 8;
  StepFamily family{tile, Copies::Stream, {1, 2, 4, 8, 16, 32}};
  family.threads = kGroupedThreads, family.mostBytes = kMostStepBytes;
  if (tile.microM * tile.microN >= kManyAccumulators)
    family.products.least = target::calibrationOf(target).leastGroupedStep;
  return family;
}

/// Steps of block vectors by matrix instructions, whose tile holds all of C.
static StepFamily streamSteps(const Plan &tile) {
  // One slice of a step is read while nothing is multiplied.
  static constexpr int64_t kMostMacroK = 128;
  StepFamily family{tile, Copies::Stream, {2, 3, 4, 6, 8, 12, 16, 24, 32}, kMostMacroK};
  family.plan.prefetch = 1;
  family.macroK.most = kMostMacroK;
  family.threads.most = kGroupedThreads.most;
  family.mostBytes = kMostStepBytes;
  return family;
}

/// streamSteps with many accumulators of a thread, which reads fragments as they are multiplied: no
/// set of registers waits.
static StepFamily shortSteps(const Plan &tile) {
  static constexpr int64_t kMostThreads = 384;
  StepFamily family{tile, Copies::Stream, {kSingleSlices}};
  family.threads.most = kMostThreads;
  return family;
}

/// Slices to be written out of a step that has all of K, with so many multiply-adds of a thread at
/// most.
static int64_t unrollOf(const Problem &problem, const Plan &plan, int64_t most) {
  int64_t ofSlice = plan.microM * plan.microN * problem.multiplyAdds * plan.depth;
  int64_t slices = plan.macroK / plan.depth;
  if (ofSlice * slices <= most)
    return 0;
  int64_t unroll = std::max<int64_t>(1, most / ofSlice);
  // LLVM joins the reads of two slices where each iteration of the loop begins at an even one.
  unroll -= unroll > 2 ? unroll % 2 : 0;
  // A last slice with elements beyond K comes after the loop, which else tests each of its own.
  while (plan.macroK > problem.k && unroll > 1 && unroll < slices && slices % unroll == 0)
    unroll += 2;
  return unroll < slices ? unroll : 0;
}

/// All of K, of block vectors times a small matrix.
static StepFamily wholeStep(const Problem &problem, Plan tile, blas::TargetAttr target) {
  int64_t most = target::calibrationOf(target).mostUnrolled;
  tile.macroK = llvm::alignTo(problem.k, tile.sliceDepth());
  tile.unroll = tile.instruction ? 0 : unrollOf(problem, tile, most);
  StepFamily family{tile, Copies::OneStep, {tile.macroK / tile.sliceDepth()}, tile.macroK};
  family.threads.most = tile.threads();
  return family;
}

/// Calls `visit` for the families of a tile.
static void forEachFamily(const Problem &problem, const Tile &tile, blas::TargetAttr target,
                          llvm::function_ref<void(const StepFamily &)> visit) {
  const Plan &plan = tile.plan;
  bool holdsC = isTallSkinny(problem) && tilesOf(problem, plan) == 1;
  switch (tile.steps) {
  case Steps::Grouped:
    return visit(groupedSteps(plan, target));
  case Steps::Whole:
    return visit(wholeStep(problem, plan, target));
  case Steps::Short:
    if (holdsC && mayReadSingly(plan))
      visit(shortSteps(plan));
    return;
  case Steps::All:
    visit(plainSteps(problem, plan, target));
    if (plan.instruction && holdsC)
      visit(streamSteps(plan));
    if (plan.instruction && isTsmm(problem) && kGroupedThreads.holds(plan.threads()))
      visit(wholeStep(problem, plan, target));
    return;
  case Steps::Stated:
  case Steps::Rings:
    return;
  }
}

/// Rings that are filled while products run: long ones hold what a unit receives in the time of an
/// access to memory, short ones leave room for other workgroups.
static void forEachRing(const Problem &problem, Plan plan, Visit visit) {
  static constexpr int64_t kRings[] = {1, 2, 3, 4, 5};
  int64_t steps = std::max<int64_t>(1, llvm::divideCeil(problem.k, plan.macroK));
  for (int64_t stages : kRings) {
    // One stage is for one step.
    if (stages > steps || (stages == 1) != (steps == 1))
      continue;
    plan.stages = stages;
    visit(plan);
  }
}

void planning::forEachStep(const Problem &problem, const Tile &tile, blas::TargetAttr target,
                           Visit visit) {
  auto visitAll = [&](Plan plan) {
    if (problem.compensated)
      plan.summation = blas::Summation::Compensated;
    if (problem.inParts) {
      plan.promote = blas::kPartBlocks * blas::kPartChunk / plan.macroK;
      if (!plan.instruction || plan.promote * plan.macroK != blas::kPartBlocks * blas::kPartChunk)
        return;
    }
    visit(plan);
    // On matrix units the additions of components last longer than the products that they save:
    // c128 4096^3 13.5 ms, and 10.2 with four products.
    if (!problem.threeProducts || plan.instruction)
      return;
    plan.products = 3;
    visit(plan);
  };
  if (tile.steps == Steps::Stated)
    visitAll(tile.plan);
  if (tile.steps == Steps::Rings)
    forEachRing(problem, tile.plan, visitAll);
  forEachFamily(problem, tile, target, [&](const StepFamily &family) {
    forEachStepOf(family, problem, target, visitAll);
  });
}
