//===- TallSkinnyTiles.cpp - Tiles of TSMM, block vectors times a small matrix -===//
//
// C = A B with many rows, and N and K of a few numbers (Ernst et al., section 4): all is read, and
// written, once, and K is one step. Rows of A are copied as they lie in memory, read in runs along
// K, and C leaves in whole rows. So a workgroup waits for its copies once, and others of its unit
// multiply and store meanwhile. The transpose of it has many columns instead.
//
//===----------------------------------------------------------------------===//

#include "TallSkinnyTiles.h"
#include "Copying.h"
#include "Dram.h"
#include "KSteps.h"
#include "TileExtents.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

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
/// Bytes of a column that a subgroup writes at once, below which sectors are written in pieces.
static constexpr int64_t kShortRunBytes = 64;

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
                             llvm::function_ref<void(const Plan &)> evaluate) {
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
    evaluateSingleStep(problem, plan, target, evaluate);
  }
}

void planning::forEachTallSkinnyTile(const Problem &problem, blas::TargetAttr target,
                                     llvm::function_ref<void(const Plan &)> evaluate) {
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
        forEachWorkgroup(problem, plan, rows, {narrow, threads}, target, evaluate);
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

/// The way of the block vectors, not of the small matrix.
static const Path &vectorsOf(const Problem &problem, const Plan &plan) {
  return problem.m >= problem.n ? plan.a : plan.b;
}

/// (C28) Copies of less than 16 bytes a lane, of the block vectors or else of the small matrix.
static double lossOfCopies(const Problem &problem, const Plan &plan) {
  auto isNarrow = [&](const Path &path) {
    const Matrix &matrix = &path == &plan.a ? problem.a : problem.b;
    return !path.flat && path.vector * matrix.elementBytes < kMaxAccessBytes;
  };
  const Path &vectors = vectorsOf(problem, plan);
  if (isNarrow(vectors))
    return constants::kTsmmNarrow[0];
  bool small = !plan.instruction && isNarrow(&vectors == &plan.a ? plan.b : plan.a);
  return small ? constants::kTsmmNarrow[1] : 0;
}

/// (C28) What multipliers take beyond what a step counts: micro tiles wider than tall, whose sums
/// ptxas moves; many accumulators; complex products; narrow copies, and lines as one through
/// registers; complex products by matrix instructions where few subgroups share a scheduler.
static double lossOfWork(const Problem &problem, const Plan &plan, int64_t blocks,
                         blas::TargetAttr target) {
  double loss = lossOfCopies(problem, plan);
  if (plan.instruction) {
    double schedulers = double(target.getSchedulersPerUnit()) * target.getSubgroup();
    double share = schedulers / (double(blocks) * plan.threads());
    return loss + (multipliesComplex(problem, plan) ? constants::kTsmmParts * share * share : 0);
  }
  const Path &vectors = vectorsOf(problem, plan);
  bool complex = problem.multiplyAdds > 1;
  bool wide = complex ? plan.microN >= 2 * plan.microM : plan.microN > plan.microM;
  double accumulators = double(plan.microM) * plan.microN * problem.registersPerElement();
  loss += constants::kTsmmMany * std::max(0.0, accumulators - constants::kTsmmFewAccumulators);
  loss += wide ? constants::kTsmmWide : 0;
  loss += complex ? constants::kTsmmComplex[vectors.major == blas::Major::K] : 0;
  bool staged = vectors.flat && vectors.copy == blas::Copy::Register;
  return loss + (staged ? constants::kTsmmStaged : 0);
}

Occupancy planning::tsmmOccupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                                  const Occupancy &modelled) {
  bool fitted = target.getVendor() == blas::Vendor::Nvidia && !plan.instruction &&
                problem.multiplyAdds == 1 && isOneStep(problem, plan);
  if (!fitted || modelled.blocks == 0)
    return modelled;
  int64_t accumulators = plan.microM * plan.microN * problem.registersPerElement();
  auto [each, more] = constants::kTsmmRegisters[plan.depth > 1];
  int64_t expected = each * accumulators + more;
  return expected < modelled.registers ? occupancy(problem, plan, target, expected) : modelled;
}

/// (C28) What a subgroup writes in pieces of sectors, of columns of C that begin anywhere in 16
/// bytes, as a multiple.
static double shortStores(const Problem &problem, const Plan &plan) {
  int64_t lanes = problem.m >= problem.n ? plan.lanesM : plan.lanesN,
          bytes = problem.c.elementBytes;
  bool isShort = !plan.exchangesC() && lanes * plan.vector * bytes < kShortRunBytes;
  bool anywhere = problem.c.maxVector * bytes < kMaxAccessBytes;
  return isShort && anywhere ? constants::kTsmmShortStores : 1;
}

/// (C28) What several steps take; `columns`: multiply-adds of column-major operands.
static constants::TsmmSteps lossesOfSteps(const Problem &problem, const Plan &plan, bool columns) {
  bool async = copiesAsync(plan);
  if (plan.exchangesC())
    return columns ? constants::kTsmmColumnsExchange[async] : constants::kTsmmExchange;
  if (!columns)
    return constants::kTsmmSteps;
  return async ? constants::kTsmmColumns[problem.multiplyAdds > 1] : constants::kTsmmColumnsStaged;
}

/// (C28) Seconds of several steps by what memory takes, and by what other products would.
static double severalSteps(const Problem &problem, const Plan &plan, double dram, double several,
                           bool columns) {
  auto [ofMemory, ofStep] = lossesOfSteps(problem, plan, columns);
  double pieces = columns ? shortStores(problem, plan) : 1;
  return pieces * std::max(ofMemory * dram, ofStep * several);
}

/// (C28) What short runs of memory add to one step of multiply-adds of column-major
/// operands: a tile begins in as many places as there are columns.
static double lossOfRuns(double runBytes) {
  return constants::kTsmmRun * std::max(0.0, std::log2(constants::kTsmmRunBytes / runBytes));
}

double planning::tsmmSeconds(const Problem &problem, const Plan &plan, const Step &step,
                             int64_t blocks, int64_t active, double fromDram, double several,
                             blas::TargetAttr target) {
  bool rows = problem.m >= problem.n;
  const Matrix &vectors = rows ? problem.a : problem.b;
  int64_t narrow = std::min(problem.m, problem.n), macroNarrow = rows ? plan.macroN : plan.macroM;
  // Of each K, which is a run of memory where operands are column-major.
  double run = double(rows ? plan.macroM : plan.macroN) * vectors.elementBytes;
  bool columns = !plan.instruction && !vectors.alongK();
  double read = run * problem.k;
  double written = double(plan.macroM) * plan.macroN * problem.c.elementBytes;
  written *= double(narrow) / macroNarrow * (problem.readsC ? 2 : 1);
  // Tiles side by side read the same vectors, one of them from memory.
  double inSteps = run * llvm::alignTo(problem.k, plan.macroK);
  if (macroNarrow < narrow)
    read /= std::max(1.0, double(active) * inSteps / fromDram);
  // All workgroups read the small matrix, which stays in the cache.
  double l2 = active * (step.l2Bytes + written) / (1e9 * target.getL2GBps());
  double dram = std::max(l2, active * (read + written) / dramRate(read, written, target));
  if (!isOneStep(problem, plan))
    return severalSteps(problem, plan, dram, several, columns);
  auto [clocks, alonePart, power, ofBlocks] = constants::kTsmmOverlap[plan.instruction == nullptr];
  double clock = target.getClockMHz() * 1e6;
  double work = std::max({step.fma, step.issue, step.shared}) * blocks / clock;
  work *= 1 + lossOfWork(problem, plan, blocks, target);
  double alone = clocks + alonePart * (step.fma + step.issue + step.shared);
  power += ofBlocks * std::log(std::min(double(blocks), constants::kTsmmMostBlocks) / 4);
  double sum = std::pow(dram, power) + std::pow(work, power) + std::pow(alone / clock, power);
  double seconds = std::pow(sum, 1 / power);
  return columns ? seconds * (1 + lossOfRuns(run)) : seconds;
}
