//===- StepInefficiency.cpp - Inefficiency of the form of a kernel --------===//
//
// Shares of the time of a step (C12) that measurements show and no count of the step explains: the
// order in which ptxas reads fragments, mostly.
//
//===----------------------------------------------------------------------===//

#include "StepInefficiency.h"
#include "Bulk.h"
#include "Copying.h"
#include "TileExtents.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Multiply-adds of a thread in a step of block vectors that is long, and the share that narrow
/// copies take of it (f32 on an H200, columns that begin anywhere: 48 0.524 ms, 56 0.584; by steps
/// through registers 0.407, 0.528).
static constexpr int64_t kLongStep = 1024;
static constexpr double kNarrowLoss = 0.35;

/// Share that micro tiles wider than tall lose.
static double wideLoss(const Problem &problem, const Plan &plan) {
  bool many = plan.microM * plan.microN >= constants::kWideAccumulators;
  if (plan.instruction || plan.microN <= plan.microM || (copiesWhole(plan) && many))
    return 0;
  bool transposed = problem.a.alongK() || problem.b.alongK();
  bool early = plan.prefetch && !transposed && many;
  return early ? -constants::kWideGain : constants::kWideLoss;
}

/// Share that multiply-adds of complex<f32> lose.
static double complexLoss(const Problem &problem, const Plan &plan) {
  bool complex = !plan.instruction && problem.multiplyAdds == 4 && problem.realBytes == 4;
  if (!complex || plan.stages == 1 || copiesWhole(plan))
    return 0;
  int64_t accumulators = plan.microM * plan.microN;
  bool free = accumulators < constants::kComplexFewAccumulators ||
              (plan.microM == plan.microN && accumulators == constants::kComplexManyAccumulators);
  if (isTallSkinny(problem) && plan.slicedK > 1 && copiesAsync(plan) && plan.vector > 1 && free)
    return 0;
  bool alone = plan.slicedK == 1 && plan.reduction != blas::Reduction::Cluster;
  if (plan.a.copy == blas::Copy::Async && alone)
    return plan.splits == 1 ? 0 : constants::kComplexShareLoss;
  return plan.prefetch ? constants::kComplexPrefetchLoss : constants::kComplexLoss;
}

/// Share that matrix instructions lose in several rows of them, of columns that fit a narrow N; and
/// in long rows or columns that fit.
static double unevenLoss(const Plan &plan) {
  if (!plan.instruction)
    return 0;
  bool rows = plan.microM * plan.lanesM > plan.instruction->m;
  bool uneven = rows && !llvm::isPowerOf2_64(plan.microN);
  bool isLong = std::max(plan.microM, plan.microN) > kMaxMicro;
  return uneven || isLong ? constants::kUnevenLoss : 0;
}

/// Share that long steps of real block vectors lose whose columns begin anywhere: a thread begins
/// all of its narrow copies before it multiplies, and others do not hide them.
static double narrowLoss(const Problem &problem, const Plan &plan) {
  bool real = !plan.instruction && problem.multiplyAdds == 1;
  if (!real || !isTallSkinny(problem) || !copiesAsync(plan))
    return 0;
  auto isNarrow = [](const Matrix &matrix, const Path &path) {
    int64_t vector = std::max(matrix.maxVector, storedVector(matrix, path));
    return matrix.alongK() && vector * matrix.elementBytes < kMaxAccessBytes;
  };
  bool narrow = isNarrow(problem.a, plan.a) || isNarrow(problem.b, plan.b);
  return narrow && plan.microM * plan.microN * plan.ownK() > kLongStep ? kNarrowLoss : 0;
}

double planning::stepInefficiency(const Problem &problem, const Plan &plan, int64_t blocks,
                                  blas::TargetAttr target) {
  bool lone = !plan.instruction && problem.multiplyAdds == 4 &&
              plan.microM * plan.microN >= constants::kLoneAccumulators &&
              blocks * plan.threads() <= target.getSchedulersPerUnit() * target.getSubgroup();
  bool tall = plan.instruction && plan.microM * plan.lanesM > plan.microN * plan.lanesN;
  return wideLoss(problem, plan) + complexLoss(problem, plan) + unevenLoss(plan) +
         narrowLoss(problem, plan) + (lone ? constants::kLoneLoss : 0) +
         (tall ? constants::kTallLoss : 0);
}
