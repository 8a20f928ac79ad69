//===- Limits.cpp - Plans that are left out -------------------------------===//

#include "rooftile/Planning/Space/Limits.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

bool planning::isMeasured(blas::TargetAttr target) {
  return target->vendor == blas::Vendor::Nvidia;
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

/// Share of the ceiling of all multipliers that an instruction reaches at least.
static constexpr double kWorthwhile = 0.75;

/// Whether slices of `own` are short enough: fragments of longer ones need registers that more
/// workgroups need.
static bool isShallow(const tile::Instruction &own, blas::TargetAttr target) {
  return own.depth() * own.factors.bytes <= target::calibrationOf(target).mostDepthBytes;
}

std::optional<Steps> planning::stepsOf(const blas::InstructionRate &rate, const Problem &problem,
                                       blas::TargetAttr target) {
  const tile::Instruction *own = rate.instruction;
  if (!multiplies(*own, problem) || !isShallow(*own, target) ||
      rate.gflops * 1e9 < kWorthwhile * roofline(problem, target).flopsPerSecond)
    return std::nullopt;
  // Among instructions with the same rows and columns real products use the one with the longest K,
  // which waits less often (f64 4096 on an H200: 62.3 and 58.5 TFLOP/s in NN, 60.7 and 57.0 in TN);
  // complex ones the shortest, whose registers are moved less (c128 4096 in NN: 9.4 and 10.7 ms).
  bool real = problem.multiplyAdds == 1;
  bool isFirst = llvm::none_of(target->instructions, [&](const blas::InstructionRate &rate) {
    const tile::Instruction *other = rate.instruction;
    return other->m == own->m && other->n == own->n && multiplies(*other, problem) &&
           isShallow(*other, target) && (real ? other->k > own->k : other->k < own->k);
  });
  if (isFirst)
    return Steps::All;
  return real && isTallSkinny(problem) ? std::optional(Steps::Short) : std::nullopt;
}

bool planning::isWorthExchanging(const tile::Instruction &own, const Problem &problem) {
  static constexpr int64_t kMostExchanged = 256; // rows of a tile
  bool better = llvm::alignTo(problem.m, own.m) < llvm::alignTo(problem.m, own.n);
  return !own.isExchanged() || (problem.knownM && problem.m <= kMostExchanged && better);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool planning::mayGroup(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  // A unit is known to get one tile at most.
  bool few = !problem.isUnbounded() && tilesOf(problem, plan) <= target->units;
  bool narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  bool wide = !narrow || problem.a.elementBytes == blas::kMaxAccessBytes ||
              problem.k <= target::calibrationOf(target).mostNarrowK;
  return isMeasured(target) && few && wide;
}

/// Whether complex products by matrix instructions wait for memory, for few rows or columns of C:
/// more of it is on its way asynchronously.
static bool waitsForMemory(const Problem &problem, blas::TargetAttr target) {
  return problem.knownM && problem.knownN &&
         std::min(problem.m, problem.n) <= target::calibrationOf(target).mostWaitingExtent &&
         problem.batch == 1 && !isCached(problem.bytesRead(), target);
}

CopyWays planning::copyWaysOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  bool async = canCopyAsync(problem, plan, target) && problem.k > plan.macroK;
  if (!plan.instruction || target->asyncCopyBytes == 0)
    return {true, async};
  const blas::CalibrationData &bounds = target::calibrationOf(target);
  if (!multipliesComplex(problem, plan)) {
    if (problem.k <= bounds.mostStagedK)
      return {true, async};
    return {plan.macroM * plan.macroN <= bounds.mostStagedTile,
            async && problem.k >= bounds.leastStreamedSteps * plan.macroK};
  }
  if (!canCopyAsync(problem, plan, target) || !waitsForMemory(problem, target))
    return {true, false};
  if (std::min(problem.m, problem.n) <= bounds.mostAsyncExtent)
    return {false, async && plan.microM * plan.microN <= bounds.mostAsyncAccumulators};
  return {true, async};
}

bool planning::mayReadSingly(const Plan &plan) {
  // Several workgroups with smaller tiles fit anyway.
  static constexpr int64_t kLeastTile = 64 * 64;
  return plan.microM * plan.microN >= kSingleAccumulators && plan.macroM * plan.macroN > kLeastTile;
}
