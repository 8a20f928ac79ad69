//===- Limits.cpp - Plans that are left out -------------------------------===//

#include "rooftile/Planning/Space/Limits.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

bool planning::isMeasured(blas::TargetAttr target) {
  return target.getVendor() == blas::Vendor::Nvidia;
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

/// Share of the ceiling of all multipliers that an instruction reaches at least.
static constexpr double kWorthwhile = 0.75;
/// Bytes along K of a slice at most: fragments of longer ones take registers that more workgroups
/// need. At 4096 none measured on an H200 was among the fastest.
static constexpr int64_t kMostDepthBytes = 64;

/// Whether slices of `own` are short enough.
static bool isShallow(const tile::Instruction &own) {
  return own.depth() * own.factors.bytes <= kMostDepthBytes;
}

std::optional<Steps> planning::stepsOf(blas::InstructionRateAttr rate, const Problem &problem,
                                       blas::TargetAttr target) {
  const tile::Instruction *own = tile::findInstruction(rate.getName());
  if (!multiplies(*own, problem) || !isShallow(*own) ||
      rate.getGflops() * 1e9 < kWorthwhile * roofline(problem, target).flopsPerSecond)
    return std::nullopt;
  // Among instructions with the same rows and columns real products use the one with the longest K,
  // which waits less often (f64 4096 on an H200: 62.3 and 58.5 TFLOP/s in NN, 60.7 and 57.0 in TN);
  // complex ones the shortest, whose registers are moved less (c128 4096 in NN: 9.4 and 10.7 ms).
  bool real = problem.multiplyAdds == 1;
  bool isFirst = llvm::none_of(target.getInstructions(), [&](blas::InstructionRateAttr rate) {
    const tile::Instruction *other = tile::findInstruction(rate.getName());
    return other->m == own->m && other->n == own->n && multiplies(*other, problem) &&
           isShallow(*other) && (real ? other->k > own->k : other->k < own->k);
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

/// K up to which groups copy operands element by element: of f32 1023^3 they took 3 to 15 % longer.
static constexpr int64_t kMostNarrowK = 256;

bool planning::mayGroup(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  // A unit is known to get one tile at most.
  bool few = !problem.isUnbounded() && tilesOf(problem, plan) <= target.getUnits();
  bool narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  bool wide =
      !narrow || problem.a.elementBytes == blas::kMaxAccessBytes || problem.k <= kMostNarrowK;
  return isMeasured(target) && few && wide;
}

/// Whether complex products by matrix instructions wait for memory, for few rows or columns of C:
/// more of it is on its way asynchronously (c128 32 x 8192 x 8192 0.36 ms, 0.40 and more through
/// registers).
static bool waitsForMemory(const Problem &problem, blas::TargetAttr target) {
  static constexpr int64_t kMostExtent = 128;
  return problem.knownM && problem.knownN && std::min(problem.m, problem.n) <= kMostExtent &&
         problem.batch == 1 && !isCached(problem.bytesRead(), target);
}

/// M or N up to which these products get nothing else, and accumulators of a thread with which they
/// were fastest.
static constexpr int64_t kNarrow = 32, kMostAccumulators = 16;
/// Elements of tiles of C, and K, beyond which matrix instructions get real numbers asynchronously
/// alone, and steps that such a loop has at least: of 8192^2 x 64 others took 1.1 to 1.4 times as
/// long on an H200.
static constexpr int64_t kMostStagedTile = 2048, kMostStagedK = 32, kLeastStreamed = 4;

CopyWays planning::copyWaysOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  bool async = canCopyAsync(problem, plan, target) && problem.k > plan.macroK;
  if (!plan.instruction)
    return {true, async};
  if (!multipliesComplex(problem, plan)) {
    if (problem.k <= kMostStagedK)
      return {true, async};
    return {plan.macroM * plan.macroN <= kMostStagedTile,
            async && problem.k >= kLeastStreamed * plan.macroK};
  }
  if (!canCopyAsync(problem, plan, target) || !waitsForMemory(problem, target))
    return {true, false};
  if (std::min(problem.m, problem.n) <= kNarrow)
    return {false, async && plan.microM * plan.microN <= kMostAccumulators};
  return {true, async};
}

bool planning::mayReadSingly(const Plan &plan) {
  // Several workgroups with smaller tiles fit anyway.
  static constexpr int64_t kLeastTile = 64 * 64;
  return plan.microM * plan.microN >= kSingleAccumulators && plan.macroM * plan.macroN > kLeastTile;
}
