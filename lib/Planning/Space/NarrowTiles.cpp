//===- NarrowTiles.cpp - Tiles of a few rows and columns ------------------===//
//
// C = A^T B with M and N of a few numbers and a long K (Ernst et al., section 3): C gives work to a
// few threads, K to as many as there are. A thread has 1 x 1 to 16 x 8 accumulators, a few
// neighbours, a subgroup at most, make up the tile, and groups of these take neighbouring elements
// of K. All of M and N lies in one tile, whose extents need be no powers of two.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/NarrowTiles.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/Fragments.h"
#include "rooftile/Planning/Space/KSteps.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/TileExtents.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

/// Elements of a thread along a side at most, threads of a tile along it, and the side that is
/// evaluated.
static constexpr int64_t kMostMicro = 16, kMostThreads = 8, kMostExtent = 64;
/// Threads of a workgroup, and K elements of each in one step.
static constexpr int64_t kWorkgroups[] = {64, 128, 256}, kMostOwnK = 32,
                         kOwnK[] = {1, 2, 4, 8, 16, kMostOwnK};
/// Sums of a thread that are few; and many, whose steps have so many multiply-adds of a thread at
/// least where they are not too long: shorter ones have more barriers than products (f32 on an
/// H200, % of the bandwidth: 7 columns 81 -> 95, 20 79 -> 92, 40 86 -> 94).
static constexpr int64_t kFewAccumulators = 4, kManyAccumulators = 8, kLeastProducts = 512;
/// Bytes of both operands in one step at most.
static constexpr int64_t kMostStepBytes = 48 * 1024;
/// K elements of a step, groups, and threads with them, of matrix instructions; and bytes of a step
/// at least: shorter ones have more barriers than copies.
static constexpr int64_t kMacroK[] = {8, 16, 24, 32, 48, 64, 96, 128}, kMostSlicedK = 8,
                         kMostGroupedThreads = 256, kLeastStepBytes = 6 * 1024;
/// Threads of a workgroup at most that reads fragments as they are multiplied, for which no set of
/// registers waits, and elements of its tile: of smaller ones several workgroups fit anyway.
static constexpr int64_t kMostSingleThreads = 384, kLeastSingleTile = 64 * 64;

/// Elements of one thread, and threads, for each number of threads along a side of `size`.
static llvm::SmallVector<MicroExtent> narrowExtents(int64_t size) {
  llvm::SmallVector<MicroExtent> extents;
  for (int64_t threads = 1; threads <= std::min(size, kMostThreads); threads *= 2)
    if (int64_t micro = llvm::divideCeil(size, threads); micro <= kMostMicro)
      extents.push_back({micro, threads});
  return extents;
}

/// K elements of a slice: 1, and of lines along K (columns of column-major block vectors)
/// as many as an access has, which are copied and read as they lie.
static llvm::SmallVector<int64_t> depthsOf(const Problem &problem) {
  int64_t run = problem.widest(kMaxAccessBytes);
  if (run == 1 || !problem.a.alongK() || !problem.b.alongK())
    return {1};
  return {1, run};
}

void planning::forEachSlicedK(const Problem &problem, Plan plan, blas::TargetAttr target,
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
      bool isLongest = own == kMostOwnK || 2 * plan.macroK * bytesOfK > kMostStepBytes;
      if (plan.macroK * bytesOfK <= kMostStepBytes && (!isShort || isLongest))
        forEachStream(problem, plan, target, evaluate);
    }
}

void planning::forEachNarrowTile(const Problem &problem, blas::TargetAttr target,
                                 llvm::function_ref<void(const Tile &)> visit) {
  // What groups take of registers, and save, is not known on other chips.
  if (target.getVendor() != blas::Vendor::Nvidia || !isTallSkinny(problem) ||
      std::max(problem.m, problem.n) > kMostExtent)
    return;
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  plan.prefetch = 1;
  for (MicroExtent m : narrowExtents(problem.m))
    for (MicroExtent n : narrowExtents(problem.n)) {
      plan.microM = m.micro, plan.microN = n.micro;
      if (m.threads * n.threads > subgroup || m.micro * n.micro > kMaxMicroElements)
        continue;
      // Where the groups' sums are added up a thread has no more of them than before.
      blas::ExchangeShare share = blas::exchangeShare(m.micro * m.threads, n.micro * n.threads,
                                                      kWorkgroups[0], /*vector=*/1);
      if (m.micro * m.threads * n.micro * n.threads / share.threads >
          std::max<int64_t>(m.micro * n.micro, kFewAccumulators))
        continue;
      plan.lanesM = m.threads, plan.lanesN = n.threads;
      plan.macroM = m.micro * m.threads, plan.macroN = n.micro * n.threads;
      // Lines without gaps begin anywhere: runs divide them.
      int64_t run = std::gcd(std::gcd(m.micro, n.micro), std::gcd(problem.m, problem.n));
      plan.vector = std::min(problem.widest(kMaxAccessBytes), largestPower(run));
      for (int64_t depth : depthsOf(problem)) {
        plan.depth = depth;
        visit({plan, Steps::Grouped});
      }
    }
}

void planning::forEachNarrowStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                                 llvm::function_ref<void(const Plan &)> evaluate) {
  if (!isTallSkinny(problem) || tilesOf(problem, plan) > 1 || !canCopyAsync(problem, target))
    return;
  int64_t ofOne = plan.threads();
  double bytesOfK = problem.m * problem.a.elementBytes + problem.n * problem.b.elementBytes;
  plan.prefetch = 1;
  for (plan.slicedK = 1; plan.slicedK <= kMostSlicedK; plan.slicedK *= 2) {
    if (plan.slicedK * ofOne > kMostGroupedThreads || !dividesExchange(plan))
      continue;
    for (int64_t macroK : kMacroK) {
      plan.macroK = macroK;
      // One slice of a step is read while nothing is multiplied.
      int64_t slices = macroK / (plan.slicedK * plan.sliceDepth());
      bool divides = macroK % (plan.slicedK * plan.sliceDepth()) == 0 && slices > 1;
      if (divides && macroK * bytesOfK >= kLeastStepBytes && macroK * bytesOfK <= kMostStepBytes)
        forEachStream(problem, plan, target, evaluate);
    }
  }
}

void planning::forEachSingleStep(const Problem &problem, Plan plan, blas::TargetAttr target,
                                 llvm::function_ref<void(const Plan &)> evaluate) {
  if (tilesOf(problem, plan) > 1 || !canCopyAsync(problem, target) ||
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
