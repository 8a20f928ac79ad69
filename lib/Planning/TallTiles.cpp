//===- TallTiles.cpp - Tiles of block vectors times a small matrix --------===//
//
// C = A B with many rows, and N and K of a few numbers (Ernst et al., section 4): all is read, and
// written, once, and K is one step. Rows of A are copied as they lie in memory, read in runs along
// K, and C leaves in whole rows. So a workgroup waits for its copies once, and others of its unit
// multiply and store meanwhile. The transpose of it has many columns instead.
//
//===----------------------------------------------------------------------===//

#include "TallTiles.h"
#include "Copying.h"
#include "Depths.h"
#include "Dram.h"
#include "Sides.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

/// Threads of a workgroup, and of them along the narrow side at most; rows of a thread.
static constexpr int64_t kWorkgroups[] = {64, 128, 256}, kMostThreads = 8,
                         kRows[] = {1, 2, 4, 8, 16};
/// Elements of a thread along the narrow side, and in all, in registers; and fewer than so many
/// only where there are no more to have.
static constexpr int64_t kMostMicro = 32, kMostRegisters = 72, kFewSums = 4;
/// Rows of a tile at most: as many as a ring of a few numbers each takes.
static constexpr int64_t kMostRows = 1024;
/// Multiplications of a thread that are written out: beyond, slices are a loop.
static constexpr int64_t kMostUnrolled = 1024;

/// Slices to be written out, of a step of so many multiply-adds.
static int64_t unrollOf(const Problem &problem, const Plan &plan) {
  int64_t ofSlice = plan.microM * plan.microN * problem.multiplyAdds * plan.depth;
  if (ofSlice * (plan.macroK / plan.depth) <= kMostUnrolled)
    return 0;
  return std::max<int64_t>(1, kMostUnrolled / ofSlice);
}

/// All tiles of one micro tile; the sides are those of the long and of the narrow dimension.
static void forEachWorkgroup(const Problem &problem, Plan plan, bool rows, Side narrow,
                             blas::TargetAttr target,
                             llvm::function_ref<void(const Plan &)> weigh) {
  int64_t lanes = std::min(narrow.threads, target.getSubgroup());
  for (int64_t threads : kWorkgroups) {
    int64_t longThreads = threads / narrow.threads;
    (rows ? plan.lanesM : plan.lanesN) = target.getSubgroup() / lanes;
    (rows ? plan.lanesN : plan.lanesM) = lanes;
    plan.macroM = plan.microM * (rows ? longThreads : narrow.threads);
    plan.macroN = plan.microN * (rows ? narrow.threads : longThreads);
    if (std::max(plan.macroM, plan.macroN) > kMostRows)
      continue;
    plan.unroll = unrollOf(problem, plan);
    weighOnce(problem, plan, target, weigh);
  }
}

void planning::forEachTallTile(const Problem &problem, blas::TargetAttr target,
                               llvm::function_ref<void(const Plan &)> weigh) {
  if (target.getVendor() != blas::Vendor::Nvidia || !isTall(problem))
    return;
  bool rows = problem.m >= problem.n;
  const Matrix &vectors = rows ? problem.a : problem.b;
  int64_t size = rows ? problem.n : problem.m;
  Plan plan;
  plan.depth = vectors.alongK() ? std::max<int64_t>(1, kMaxAccessBytes / vectors.elementBytes) : 1;
  plan.macroK = llvm::alignTo(problem.k, plan.depth);
  for (int64_t threads = 1; threads <= std::min(size, kMostThreads); threads *= 2)
    for (int64_t run : {1, 2, 4})
      for (int64_t micro : kRows) {
        int64_t narrow = llvm::alignTo(llvm::divideCeil(size, threads), run);
        int64_t registers = micro * narrow * problem.registersPerElement();
        bool few = micro * narrow < kFewSums && size > kFewSums;
        if (narrow > kMostMicro || registers > kMostRegisters || few)
          continue;
        plan.microM = rows ? micro : narrow, plan.microN = rows ? narrow : micro;
        int64_t both = std::min(largestPower(plan.microM), largestPower(plan.microN));
        plan.vector = std::min(problem.widest(kMaxAccessBytes), both);
        forEachWorkgroup(problem, plan, rows, {narrow, threads}, target, weigh);
      }
}

void planning::weighTall(const Problem &problem, Plan plan, blas::TargetAttr target,
                         llvm::function_ref<void(const Plan &)> weigh) {
  int64_t small = problem.m >= problem.n ? plan.macroN : plan.macroM;
  if (!isTall(problem) || small < std::min(problem.m, problem.n) || plan.threads() < kWorkgroups[0])
    return;
  plan.macroK = llvm::alignTo(problem.k, plan.sliceDepth());
  weighOnce(problem, plan, target, weigh);
}

/// The way of the block vectors, not of the small matrix.
static const Path &vectorsOf(const Problem &problem, const Plan &plan) {
  return problem.m >= problem.n ? plan.a : plan.b;
}

/// Whether threads multiply and add real numbers.
static bool addsReals(const Problem &problem, const Plan &plan) {
  return !plan.instruction && problem.multiplyAdds == 1;
}

/// (C28) What multipliers take beyond what a step counts: of complex multiply-adds that read runs
/// along K, whose registers meet in the same banks; of real multiply-adds, and complex products by
/// matrix instructions, where few subgroups share a scheduler.
static double lossOfWork(const Problem &problem, const Plan &plan, int64_t blocks,
                         blas::TargetAttr target) {
  bool alongK = vectorsOf(problem, plan).major == blas::Major::K;
  double ofComplex = problem.multiplyAdds == 4 && alongK ? constants::kTallComplex : 0;
  double schedulers = double(target.getSchedulersPerUnit()) * target.getSubgroup();
  double share = schedulers / (double(blocks) * plan.threads());
  if (!plan.instruction)
    return ofComplex + (plan.microN > plan.microM ? constants::kTallWide : 0) +
           (addsReals(problem, plan) ? constants::kTallFew * share * share : 0);
  return multipliesParts(problem, plan) ? constants::kTallParts * share * share : 0;
}

/// All of K at once: no workgroup multiplies while it copies.
static bool isOneStep(const Problem &problem, const Plan &plan) {
  return plan.stages == 1 && plan.macroK >= problem.k;
}

Occupancy planning::tallOccupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                                  const Occupancy &modelled) {
  bool fitted = target.getVendor() == blas::Vendor::Nvidia && isTall(problem) &&
                addsReals(problem, plan) && isOneStep(problem, plan);
  if (!fitted || modelled.blocks == 0)
    return modelled;
  int64_t sums = plan.microM * plan.microN * problem.registersPerElement();
  auto [each, more] = constants::kTallRegisters[plan.depth > 1];
  int64_t expected = each * sums + more;
  return expected < modelled.registers ? occupancy(problem, plan, target, expected) : modelled;
}

double planning::tallSeconds(const Problem &problem, const Plan &plan, const Step &step,
                             int64_t blocks, int64_t active, double several,
                             blas::TargetAttr target) {
  bool rows = problem.m >= problem.n;
  double read = rows ? problem.a.elementBytes * plan.macroM : problem.b.elementBytes * plan.macroN;
  double written = double(plan.macroM) * plan.macroN * problem.c.elementBytes;
  written *= double(std::min(problem.m, problem.n)) / (rows ? plan.macroN : plan.macroM);
  read *= problem.k, written *= problem.readsC ? 2 : 1;
  // All workgroups read the small matrix, which stays in the cache.
  double l2 = active * (step.l2Bytes + written) / (1e9 * target.getL2GBps());
  double dram = std::max(l2, active * (read + written) / dramRate(read, written, target));
  if (!isOneStep(problem, plan))
    return (plan.exchangesC() ? constants::kTallExchange : constants::kTallSteps) *
           std::max(dram, several);
  const Path &vectors = vectorsOf(problem, plan);
  double clock = target.getClockMHz() * 1e6;
  double work = std::max({step.fma, step.issue, step.shared}) * blocks / clock;
  work *= 1 + lossOfWork(problem, plan, blocks, target);
  if (addsReals(problem, plan) && vectors.flat && vectors.copy == blas::Copy::Register)
    work *= constants::kTallStaged;
  double alone =
      constants::kTallClocks + constants::kTallAlone * (step.fma + step.issue + step.shared);
  double power = constants::kTallPower;
  double sum = std::pow(dram, power) + std::pow(work, power) + std::pow(alone / clock, power);
  return std::pow(sum, 1 / power);
}
