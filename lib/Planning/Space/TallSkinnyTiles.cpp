//===- TallSkinnyTiles.cpp - Tiles of TSMM, block vectors times a small matrix -===//
//
// C = A B with many rows, and N and K of a few numbers (Ernst et al., section 4): all is read, and
// written, once, and K is one step. Rows of A are copied as they lie in memory, read in runs along
// K, and C leaves in whole rows. So a workgroup waits for its copies once, and others of its unit
// multiply and store meanwhile. The transpose of it has many columns instead.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/TallSkinnyTiles.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/KSteps.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/TileExtents.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Threads of a workgroup, a half more where they are a multiple of 3, and of them along the narrow
/// side; rows of a thread.
static constexpr int64_t kWorkgroups[] = {64, 128, 256}, kNarrowThreads[] = {1, 2, 3, 4, 6, 8},
                         kRows[] = {1, 2, 4, 8, 16};
/// Real numbers of a run along K at most: longer ones save reads, but ptxas then moves sums about.
static constexpr int64_t kLongestRun = 2;
/// Elements of a thread along the narrow side, and in all, in registers; and fewer than so many
/// only where there are no more to have.
static constexpr int64_t kMostMicro = 32, kMostRegisters = 72, kFewAccumulators = 4;
/// Rows of a tile at most: as many as a ring of a few numbers each takes.
static constexpr int64_t kMostRows = 1024;
/// Multiplications of a thread that are written out: beyond, slices are a loop.
static constexpr int64_t kMostUnrolled = 1024;

/// Slices to be written out, of a step of so many multiply-adds.
static int64_t unrollOf(const Problem &problem, const Plan &plan) {
  int64_t ofSlice = plan.microM * plan.microN * problem.multiplyAdds * plan.depth;
  int64_t slices = plan.macroK / plan.depth;
  if (ofSlice * slices <= kMostUnrolled)
    return 0;
  int64_t unroll = std::max<int64_t>(1, kMostUnrolled / ofSlice);
  // LLVM joins the reads of two slices where each iteration of the loop begins at an even one.
  unroll -= unroll > 2 ? unroll % 2 : 0;
  // A last slice with elements beyond K comes behind the loop, which else tests each of its own.
  while (plan.macroK > problem.k && unroll > 1 && unroll < slices && slices % unroll == 0)
    unroll += 2;
  return unroll < slices ? unroll : 0;
}

/// All tiles of one micro tile; the extents are those of the long and of the narrow dimension.
static void forEachWorkgroup(const Problem &problem, Plan plan, bool rows, MicroExtent narrow,
                             blas::TargetAttr target,
                             llvm::function_ref<void(const Tile &)> visit) {
  int64_t lanes = std::min(largestPower(narrow.threads), target.getSubgroup());
  for (int64_t threads : kWorkgroups) {
    int64_t longThreads = (narrow.threads % 3 ? threads : threads / 2 * 3) / narrow.threads;
    (rows ? plan.lanesM : plan.lanesN) = target.getSubgroup() / lanes;
    (rows ? plan.lanesN : plan.lanesM) = lanes;
    plan.macroM = plan.microM * (rows ? longThreads : narrow.threads);
    plan.macroN = plan.microN * (rows ? narrow.threads : longThreads);
    if (std::max(plan.macroM, plan.macroN) > kMostRows)
      continue;
    plan.unroll = unrollOf(problem, plan);
    visit({plan, Steps::Whole});
  }
}

void planning::forEachTallSkinnyTile(const Problem &problem, blas::TargetAttr target,
                                     llvm::function_ref<void(const Tile &)> visit) {
  if (target.getVendor() != blas::Vendor::Nvidia || !isTsmm(problem))
    return;
  bool rows = problem.m >= problem.n;
  const Matrix &vectors = rows ? problem.a : problem.b;
  int64_t size = rows ? problem.n : problem.m;
  Plan plan;
  int64_t ofAccess = std::max<int64_t>(1, kMaxAccessBytes / vectors.elementBytes);
  plan.depth = vectors.alongK() ? std::min(kLongestRun / vectors.components, ofAccess) : 1;
  plan.macroK = llvm::alignTo(problem.k, plan.depth);
  for (int64_t threads : kNarrowThreads)
    for (int64_t run : {1, 2, 4})
      for (int64_t micro : kRows) {
        int64_t narrow = llvm::alignTo(llvm::divideCeil(size, threads), run);
        int64_t registers = micro * narrow * problem.registersPerElement();
        bool few = micro * narrow < kFewAccumulators && size > kFewAccumulators;
        if (threads > size || narrow > kMostMicro || registers > kMostRegisters || few)
          continue;
        plan.microM = rows ? micro : narrow, plan.microN = rows ? narrow : micro;
        int64_t both = std::min(largestPower(plan.microM), largestPower(plan.microN));
        plan.vector = std::min(problem.widest(kMaxAccessBytes), both);
        forEachWorkgroup(problem, plan, rows, {narrow, threads}, target, visit);
      }
}

void planning::evaluateTallSkinny(const Problem &problem, Plan plan, blas::TargetAttr target,
                                  llvm::function_ref<void(const Plan &)> evaluate) {
  int64_t small = problem.m >= problem.n ? plan.macroN : plan.macroM;
  if (!isTsmm(problem) || small < std::min(problem.m, problem.n) || plan.threads() < kWorkgroups[0])
    return;
  plan.macroK = llvm::alignTo(problem.k, plan.sliceDepth());
  evaluateSingleStep(problem, plan, target, evaluate);
}
