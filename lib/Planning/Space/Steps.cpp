//===- Steps.cpp - K steps, copies, stages and sliced K of a tile ---------===//
//
// Macro K 8 .. 64; single-stage plans for two steps at most. Groups that share out each step are
// enumerated where tiles are too few to fill the chip with threads. Operands go one way: through
// registers, asynchronously, in bulk. Of matrix instructions for complex numbers one that copies
// asynchronously was among the fastest on an H200 for narrow products alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Steps.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/Fragments.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMacroK[] = {8, 16, 32, 64};
/// Of each group at most: elements that multiply-adds take, and bytes along K of an operand's row
/// that matrix instructions do.
static constexpr int64_t kMostOwnK = 32, kMostOwnBytes = 256;
/// Groups of a workgroup, and its threads with them, at most.
static constexpr int64_t kMostSlicedK = 8, kMostGroupedThreads = 512;
/// M or N up to which complex products by matrix instructions wait for memory, and accumulators of
/// a thread with which these were fastest; and the side up to which they may copy asynchronously.
static constexpr int64_t kNarrowExtent = 32, kStreamedAccumulators = 16, kAsyncExtent = 128;
/// K up to which groups copy operands element by element: of f32 1023^3 they took 3 to 15 % longer.
static constexpr int64_t kMostNarrowK = 256;
/// Multiplications of a thread in one unrolled step: 16 KiB of code. The fastest
/// kernels measured on an H200 keep to it; longer ones take up to a second to assemble.
static constexpr int64_t kMaxUnrolled = 1024;
/// Elements of tiles of C, and K, beyond which matrix instructions get real numbers asynchronously
/// alone, and steps that such a loop has at least: of 8192^2 x 64 others took 1.1 to 1.4 times as
/// long on an H200.
static constexpr int64_t kMostStagedTile = 2048, kMostStagedK = 32, kLeastStreamed = 4;

/// Whether groups may be worth it: where a unit is known to get one tile at most. (What they take
/// of registers, and save, is not known on other chips.)
static bool canSliceK(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  bool narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  bool wide = !narrow || problem.a.elementBytes == kMaxAccessBytes || problem.k <= kMostNarrowK;
  bool few = problem.knownM && problem.knownN && tilesOf(problem, plan) <= target.getUnits();
  return target.getVendor() == blas::Vendor::Nvidia && few && wide;
}

/// Whether operands of complex products by matrix instructions come from memory for few rows or
/// columns of C: more of them is on its way asynchronously (c128 32 x 8192 x 8192 0.36 ms,
/// 0.40 and more through registers).
static bool mayStream(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  bool narrow = problem.knownM && problem.knownN && std::min(problem.m, problem.n) <= kAsyncExtent;
  return multipliesComplex(problem, plan) && narrow && problem.batch == 1 &&
         !isCached(problem.bytesRead(), target) && canCopyAsync(problem, plan, target);
}

namespace {
/// Enumerates K steps, copies and stages of one tile.
class StepCandidates {
public:
  StepCandidates(const Problem &problem, const Plan &tile, blas::TargetAttr target,
                 llvm::function_ref<void(const Plan &)> evaluate);

  /// All copies and stages for the K step of the plan.
  void forEachCopy();
  void evaluateWith(blas::Copy copy, int64_t stages, int64_t prefetch);
  Plan plan;

private:
  const Problem &problem;
  blas::TargetAttr target;
  llvm::function_ref<void(const Plan &)> evaluate;
  bool narrow, single;
  bool streams;  ///< May copy asynchronously, though complex products by matrix instructions.
  bool streamed; ///< No other way is evaluated for these.
};
} // namespace

StepCandidates::StepCandidates(const Problem &problem, const Plan &tile, blas::TargetAttr target,
                               llvm::function_ref<void(const Plan &)> evaluate)
    : plan(tile), problem(problem), target(target), evaluate(evaluate) {
  // Measured at 4095: with narrow loads, and with complex<f64> everywhere, the first fragments of a
  // step should be there before its barrier, in most forms; with wide ones it depends on the form.
  narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  // Of one product nothing stands between two iterations of a K loop.
  single = plan.instruction && problem.multiplyAdds == 1 &&
           plan.microM * plan.lanesM == plan.instruction->m &&
           plan.microN * plan.lanesN == plan.instruction->n;
  streams = mayStream(problem, plan, target);
  streamed = streams && std::min(problem.m, problem.n) <= kNarrowExtent;
  streams &= !streamed || plan.microM * plan.microN <= kStreamedAccumulators;
  // Lines along K arrive as they lie: c128 36 columns through registers 0.44 ms of 1 GiB.
  streamed |= streams && isColumnMajorTallSkinny(problem);
}

void StepCandidates::evaluateWith(blas::Copy copy, int64_t stages, int64_t prefetch) {
  plan.a.copy = plan.b.copy = copy;
  plan.stages = stages;
  plan.prefetch = single ? 0 : prefetch;
  evaluate(plan);
}

void StepCandidates::forEachCopy() {
  int64_t macroK = plan.macroK;
  bool complex = multipliesComplex(problem, plan);
  bool async = canCopyAsync(problem, plan, target) && problem.k > macroK && (!complex || streams);
  bool staged = !plan.instruction || complex || problem.k <= kMostStagedK ||
                plan.macroM * plan.macroN <= kMostStagedTile;
  staged &= !streamed;
  if (plan.instruction && problem.k > kMostStagedK)
    async &= problem.k >= kLeastStreamed * macroK;
  if (staged)
    evaluateWith(blas::Copy::Register, 2, narrow ? 1 : 0);
  if (staged && problem.k <= 2 * macroK)
    evaluateWith(blas::Copy::Register, 1, 0);
  if (async)
    evaluateWith(blas::Copy::Async, asyncStages(problem.k, macroK), 1);
}

/// All K steps, copies and stages for the groups that `plan` has.
static void forEachMacroK(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                          llvm::function_ref<void(const Plan &)> evaluate) {
  StepCandidates steps(problem, plan, target, evaluate);
  int64_t depth = plan.instruction ? plan.instruction->depth() : 1;
  int64_t mostOwnK = plan.instruction ? kMostOwnBytes / plan.instruction->factors.bytes : kMostOwnK;
  for (int64_t macroK : kMacroK) {
    steps.plan.macroK = macroK;
    int64_t ownK = steps.plan.ownK(),
            accumulators = plan.microM * plan.microN * problem.multiplyAdds;
    bool isLong = !plan.instruction && macroK > kMacroK[0] && ownK * accumulators > kMaxUnrolled;
    if (ownK > mostOwnK || isLong)
      break;
    if (macroK % (plan.slicedK * depth) == 0)
      steps.forEachCopy();
  }
}

/// The asynchronous copy of a plan whose macro K, sliced K and prefetch are stated; all copies
/// where there is none.
static void forEachStream(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                          llvm::function_ref<void(const Plan &)> evaluate) {
  StepCandidates steps(problem, plan, target, evaluate);
  if (canCopyAsync(problem, plan, target))
    return steps.evaluateWith(blas::Copy::Async, asyncStages(problem.k, plan.macroK),
                              plan.prefetch);
  steps.forEachCopy();
}

/// A tile whose only K step is that of `plan`, in one stage.
static void evaluateWhole(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                          llvm::function_ref<void(const Plan &)> evaluate) {
  StepCandidates steps(problem, plan, target, evaluate);
  if (canCopyAsync(problem, plan, target))
    steps.evaluateWith(blas::Copy::Async, 1, 0);
  steps.evaluateWith(blas::Copy::Register, 1, 0);
}

/// All K steps, copies and stages by one group, and by several where a unit would get few threads.
static void forEachKStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                         llvm::function_ref<void(const Plan &)> evaluate) {
  forEachMacroK(problem, plan, target, evaluate);
  int64_t ofOne = plan.threads();
  if (!canSliceK(problem, plan, target) || (plan.instruction && isTallSkinny(problem)))
    return; // these have steps of their own
  for (plan.slicedK = 2; plan.slicedK <= kMostSlicedK; plan.slicedK *= 2)
    if (plan.slicedK * ofOne <= kMostGroupedThreads && dividesExchange(plan))
      forEachMacroK(problem, plan, target, evaluate);
}

//===----------------------------------------------------------------------===//
// Block vectors
//===----------------------------------------------------------------------===//

/// K elements of each group in one step of a narrow tile.
static constexpr int64_t kLongestOwnK = 32, kOwnK[] = {1, 2, 4, 8, 16, kLongestOwnK};
/// Sums of a thread that are many, whose steps have so many multiply-adds of a thread at least
/// where they are not too long: shorter ones have more barriers than products (f32 on an H200, % of
/// the bandwidth: 7 columns 81 -> 95, 20 79 -> 92, 40 86 -> 94).
static constexpr int64_t kManyAccumulators = 8, kLeastProducts = 512;
/// Bytes of both operands in one step at most; and at least by matrix instructions: shorter ones
/// have more barriers than copies.
static constexpr int64_t kMostStepBytes = 48 * 1024, kLeastStepBytes = 6 * 1024;
/// K elements of such a step, and threads with all groups.
static constexpr int64_t kNarrowMacroK[] = {8, 16, 24, 32, 48, 64, 96, 128}, kNarrowThreads = 256;
/// Threads of a workgroup at most that reads fragments as they are multiplied, for which no set of
/// registers waits, and elements of its tile: of smaller ones several workgroups fit anyway.
static constexpr int64_t kMostSingleThreads = 384, kLeastSingleTile = 64 * 64;

/// All workgroups and K steps of a narrow tile of multiply-adds.
static void forEachGrouped(const Problem &problem, Plan plan, blas::TargetAttr target,
                           llvm::function_ref<void(const Plan &)> evaluate) {
  int64_t ofTile = plan.lanesM * plan.lanesN;
  double bytesOfK = plan.macroM * problem.a.elementBytes + plan.macroN * problem.b.elementBytes;
  for (int64_t threads : kWorkgroups)
    for (int64_t own : kOwnK) {
      plan.slicedK = threads / ofTile;
      plan.macroK = plan.slicedK * own;
      if (own % plan.depth != 0)
        continue;
      int64_t accumulators = plan.microM * plan.microN;
      bool isShort = accumulators >= kManyAccumulators &&
                     own * accumulators * problem.multiplyAdds < kLeastProducts;
      bool isLongest = own == kLongestOwnK || 2 * plan.macroK * bytesOfK > kMostStepBytes;
      if (plan.macroK * bytesOfK <= kMostStepBytes && (!isShort || isLongest))
        forEachStream(problem, plan, target, evaluate);
    }
}

/// All groups, K steps and stages of a tile of matrix instructions that holds all of a narrow C.
static void forEachNarrowStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                              llvm::function_ref<void(const Plan &)> evaluate) {
  if (!isTallSkinny(problem) || tilesOf(problem, plan) > 1 || !canCopyAsync(problem, plan, target))
    return;
  int64_t ofOne = plan.threads();
  double bytesOfK = problem.m * problem.a.elementBytes + problem.n * problem.b.elementBytes;
  plan.prefetch = 1;
  for (plan.slicedK = 1; plan.slicedK <= kMostSlicedK; plan.slicedK *= 2) {
    if (plan.slicedK * ofOne > kNarrowThreads || !dividesExchange(plan))
      continue;
    for (int64_t macroK : kNarrowMacroK) {
      plan.macroK = macroK;
      // One slice of a step is read while nothing is multiplied.
      int64_t slices = macroK / (plan.slicedK * plan.sliceDepth());
      bool divides = macroK % (plan.slicedK * plan.sliceDepth()) == 0 && slices > 1;
      if (divides && macroK * bytesOfK >= kLeastStepBytes && macroK * bytesOfK <= kMostStepBytes)
        forEachStream(problem, plan, target, evaluate);
    }
  }
}

/// The steps of a tile of block vectors with many accumulators of a thread that read fragments as
/// they are multiplied, by the shorter of two matrix instructions.
static void forEachShort(const Problem &problem, Plan plan, blas::TargetAttr target,
                         llvm::function_ref<void(const Plan &)> evaluate) {
  if (tilesOf(problem, plan) > 1 || !canCopyAsync(problem, plan, target) ||
      plan.microM * plan.microN < kSingleAccumulators ||
      plan.macroM * plan.macroN <= kLeastSingleTile)
    return;
  int64_t ofOne = plan.threads();
  for (plan.slicedK = 1; plan.slicedK * ofOne <= kMostSingleThreads; plan.slicedK *= 2) {
    plan.macroK = kSingleSlices * plan.slicedK * plan.sliceDepth();
    if (dividesExchange(plan))
      forEachStream(problem, plan, target, evaluate);
  }
}

/// All of K as one step of a tile of matrix instructions, for block vectors times a small matrix.
static void evaluateTallSkinny(const Problem &problem, Plan plan, blas::TargetAttr target,
                               llvm::function_ref<void(const Plan &)> evaluate) {
  int64_t small = problem.m >= problem.n ? plan.macroN : plan.macroM;
  if (!isTsmm(problem) || small < std::min(problem.m, problem.n) || plan.threads() < kWorkgroups[0])
    return;
  plan.macroK = llvm::alignTo(problem.k, plan.sliceDepth());
  evaluateWhole(problem, plan, target, evaluate);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

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
    return forEachGrouped(problem, tile.plan, target, visitAll);
  case Steps::Short:
    return forEachShort(problem, tile.plan, target, visitAll);
  case Steps::Whole:
    return evaluateWhole(problem, tile.plan, target, visitAll);
  case Steps::Stated:
    return visitAll(tile.plan);
  }
}
