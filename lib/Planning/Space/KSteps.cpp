//===- KSteps.cpp - K steps, copies, stages and sliced K of a tile --------===//

#include "rooftile/Planning/Space/KSteps.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMacroK[] = {8, 16, 32, 64};
/// Of each group at most.
static constexpr int64_t kMostOwnK = 32;
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

void planning::chooseLines(const Problem &problem, Plan &plan, blas::TargetAttr target) {
  // Lanes of a matrix instruction read lines along K as well, and so do multiply-adds in runs of a
  // depth, or of all of K: nothing is transposed.
  bool oneStep = target.getVendor() == blas::Vendor::Nvidia && holdsAllOfK(problem, plan);
  // Elements of 16 bytes have no wider runs along M or N.
  bool wide = isColumnMajorTallSkinny(problem, target) &&
              problem.a.elementBytes == kMaxAccessBytes &&
              problem.b.elementBytes == kMaxAccessBytes;
  bool lines = plan.instruction || plan.depth > 1 || oneStep || wide;
  plan.a.major = lines && problem.a.alongK() ? blas::Major::K : blas::Major::MN;
  plan.b.major = lines && problem.b.alongK() ? blas::Major::K : blas::Major::MN;
}

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
  return target.getVendor() == blas::Vendor::Nvidia && multipliesComplex(problem, plan) && narrow &&
         problem.batch == 1 && !isCached(problem.bytesRead(), target) &&
         canCopyAsync(problem, target);
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
  streamed |= streams && isColumnMajorTallSkinny(problem, target);
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
  bool async = canCopyAsync(problem, target) && problem.k > macroK && (!complex || streams);
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
static void forEachStep(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> evaluate) {
  StepCandidates steps(problem, plan, target, evaluate);
  int64_t depth = plan.instruction ? plan.instruction->depth() : 1;
  for (int64_t macroK : kMacroK) {
    steps.plan.macroK = macroK;
    int64_t ownK = steps.plan.ownK(),
            accumulators = plan.microM * plan.microN * problem.multiplyAdds;
    bool isLong = !plan.instruction && macroK > kMacroK[0] && ownK * accumulators > kMaxUnrolled;
    if (ownK > kMostOwnK || isLong)
      break;
    if (macroK % (plan.slicedK * depth) == 0)
      steps.forEachCopy();
  }
}

void planning::forEachStream(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                             llvm::function_ref<void(const Plan &)> evaluate) {
  StepCandidates steps(problem, plan, target, evaluate);
  if (canCopyAsync(problem, target))
    return steps.evaluateWith(blas::Copy::Async, asyncStages(problem.k, plan.macroK),
                              plan.prefetch);
  steps.forEachCopy();
}

void planning::evaluateSingleStep(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                                  llvm::function_ref<void(const Plan &)> evaluate) {
  StepCandidates steps(problem, plan, target, evaluate);
  if (canCopyAsync(problem, target))
    steps.evaluateWith(blas::Copy::Async, 1, 0);
  steps.evaluateWith(blas::Copy::Register, 1, 0);
}

void planning::forEachKStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                            llvm::function_ref<void(const Plan &)> evaluate) {
  forEachStep(problem, plan, target, evaluate);
  int64_t ofOne = plan.threads();
  if (!canSliceK(problem, plan, target) || (plan.instruction && isTallSkinny(problem)))
    return; // these have steps of their own
  for (plan.slicedK = 2; plan.slicedK <= kMostSlicedK; plan.slicedK *= 2)
    if (plan.slicedK * ofOne <= kMostGroupedThreads && dividesExchange(plan))
      forEachStep(problem, plan, target, evaluate);
}
