//===- LeastSeconds.cpp - What plans take at least ------------------------===//
//
// The price of Price.cpp with less of everything: no bank conflicts, whole accesses as wide as the
// matrices allow, memory that is read once. Waves are joined, which the p-norm allows: of sums it
// is no more than the sum of the norms.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Cost/LeastSeconds.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Fragments.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

/// What bounds are lowered by: prices leave out terms that add less.
static constexpr double kBelow = 0.997;

LeastSeconds::LeastSeconds(const Problem &problem, const Plan &tile, blas::TargetAttr target,
                           const ChipRates &chip)
    : problem(problem), target(target), per(target::calibrationOf(target)), chip(chip) {
  tiles = tilesOf(problem, tile);
  threads = tile.threads() / tile.slicedK;
  dram = problem.bytesOfOperands() / chip.readBytes;
  bool bulk = blas::arrivesInBulk(tile.a.copy) && blas::arrivesInBulk(tile.b.copy);
  double wide = !tile.instruction && tile.microN > tile.microM && !bulk ? per.multiplyWide : 0;
  double products =
      threads * tile.microM * tile.microN * (problem.threeProducts ? 3 : problem.multiplyAdds);
  double unit = chip.units * chip.clocksPerSecond; // clocks of all units, a second
  work.multiply = per.multiply * (1 + wide) * products * unit /
                  multiplyAddsPerSecond(problem, tile.instruction, target);
  instructions = products / productsOfInstruction(problem, tile, target);
  work.issue = per.issueMultiply * instructions / chip.schedulersPerUnit;
  countOperand(tile, true);
  countOperand(tile, false);
  secondsOfTile = boundTile(tile);
}

void LeastSeconds::countOperand(const Plan &tile, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  const Path &path = isA ? tile.a : tile.b;
  int64_t extent = isA ? tile.macroM : tile.macroN, micro = isA ? tile.microM : tile.microN,
          lanes = isA ? tile.lanesM : tile.lanesN;
  double subgroup = target.getSubgroup(), subgroups = threads / subgroup;
  // Reads: of lines along K the widest, of others those of the plan.
  double elements = fragmentElements(tile, micro, lanes);
  int64_t widest = std::max<int64_t>(1, blas::kMaxAccessBytes / matrix.elementBytes);
  bool alongK = path.major == blas::Major::K && !tile.instruction;
  int64_t vector = alongK ? widest : std::min(tile.vector, widest);
  double reads = subgroups * elements / vector;
  instructions += reads;
  work.issue += per.issueRead * reads / chip.schedulersPerUnit;
  work.shared += subgroups * fragmentClocks(tile, isA, vector, matrix.elementBytes, target);
  // Lines without gaps may be all that is copied of a tile.
  bool flat = matrix.flat.length > 0 && (isTallSkinny(problem) || isTsmm(problem));
  OperandCounts &counts = isA ? a : b;
  double copied = flat ? std::min(extent, matrix.flat.length) : extent;
  counts.bytes = copied * matrix.elementBytes;
  counts.single = copied / subgroup;
  counts.accesses = counts.single / (flat ? widest : std::max<int64_t>(1, matrix.maxVector));
}

double LeastSeconds::Work::of(double blocks, double ofScheduler) const {
  // Schedulers are filled with whole subgroups.
  double full = std::ceil(blocks * ofScheduler) / (blocks * ofScheduler);
  return blocks * std::max(full * std::max(multiply, issue), shared);
}

LeastSeconds::Work LeastSeconds::workOf(const Plan &plan) const {
  Work all = work;
  // What lies beyond K is not read: a share of K elements, and the more the more shares there are.
  int64_t whole = llvm::alignTo(std::max<int64_t>(1, problem.k), plan.macroK * problem.slices);
  double read = problem.k / (whole * (1 + 1.0 / kLeastSteps));
  for (bool isA : {true, false}) {
    const OperandCounts &counts = isA ? a : b;
    const Path &path = isA ? plan.a : plan.b;
    if (blas::arrivesInBulk(path.copy))
      continue;
    bool async = path.copy == blas::Copy::Async;
    bool transposed = isTransposed(isA ? problem.a : problem.b, path);
    double stored = transposed ? counts.single : counts.accesses;
    double slots = async ? per.issueCopy * stored : counts.accesses + per.issueStore * stored;
    all.issue += slots / chip.schedulersPerUnit;
    all.shared += (async ? per.copyPort : 1) * counts.bytes / target.getSharedBytesPerClock() +
                  (async ? per.copyLine : per.loadLine) * read * counts.bytes / blas::kLineBytes;
  }
  return all;
}

double LeastSeconds::launched(double kernel, double others, Join join) const {
  double clocks = join({kernel + per.startup * chip.launch, chip.launch}) + others;
  return kBelow * clocks / chip.clocksPerSecond;
}

double LeastSeconds::joined(llvm::function_ref<double(Join)> bound, double limit) const {
  double quick = bound([](std::initializer_list<double> times) { return std::max(times); });
  if (quick > limit)
    return quick;
  return bound([&](std::initializer_list<double> times) { return overlapped(per.overlap, times); });
}

/// Clocks in which so many bytes are written.
static double writing(double bytes, const ChipRates &chip, const blas::CalibrationData &per) {
  return bytes * std::max(per.write / std::max(chip.copyBytes, chip.writeBytes),
                          per.writeLine / chip.cacheBytes);
}

double LeastSeconds::outputOf(const Plan &plan, double workgroups) const {
  if (plan.reduction == blas::Reduction::Atomic)
    return 0;
  bool partial = plan.reduction == blas::Reduction::Workspace;
  double bytes = partial ? workspaceBytes(problem, plan) : problem.bytesOfC();
  // Workgroups of one wave hide nothing of it; fewer are one wave for sure.
  double seen = workgroups <= chip.units / 2 ? 1 : 1 - per.concurrent;
  return seen * writing(bytes, chip, per);
}

double LeastSeconds::othersOf(const Plan &plan) const {
  double launches = (plan.a.pack ? 1 : 0) + (plan.b.pack ? 1 : 0), moved = 0;
  bool allocates = plan.packs();
  if (plan.packs())
    moved += packedBytes(problem, plan) / chip.copyBytes;
  if (plan.reduction == blas::Reduction::Workspace && problem.slices == 1) {
    launches += 1, allocates = true;
    moved += workspaceBytes(problem, plan) / chip.cacheBytes + problem.bytesOfC() / chip.copyBytes;
  }
  if (plan.reduction == blas::Reduction::Atomic && !problem.adds)
    launches += 1, moved += 2 * problem.bytesOfC() / chip.copyBytes;
  double allocated = allocates && !problem.hasWorkspace ? per.allocation : 0;
  return moved + (per.nextLaunch * launches + allocated) * 1e-9 * chip.clocksPerSecond;
}

bool LeastSeconds::mayShare(int64_t threads) const {
  int64_t blocks = std::min(target.getBlocksPerUnit(), target.getThreadsPerUnit() / threads);
  return problem.slices > 1 || chip.units * blocks >= 2 * tiles;
}

double LeastSeconds::boundTile(const Plan &tile) const {
  if (problem.flops() == 0)
    return 0;
  bool shares = mayShare(threads);
  Work least = work;
  if (!blas::arrivesInBulk(tile.a.copy))
    least.issue += std::min(per.issueCopy, per.issueStore) * (a.accesses + b.accesses) /
                   chip.schedulersPerUnit;
  double ofUnit = shares ? tiles / chip.units : std::ceil(tiles / chip.units), k = problem.k;
  double cache = k * tiles * (a.bytes + b.bytes) / chip.cacheBytes;
  double output = shares ? 0 : outputOf(tile, tiles);
  return joined([&](Join join) {
    double kernel = join({k * ofUnit * least.longest(), cache, dram}) + output;
    return launched(kernel, othersOf(tile), join);
  });
}

LeastSeconds::Step LeastSeconds::stepOf(const Plan &plan) const {
  Step step{workOf(plan)};
  double subgroups = threads * plan.slicedK / target.getSubgroup();
  step.ofScheduler = subgroups / chip.schedulersPerUnit;
  // What lies beyond K is not read, and of whole lines not multiplied either.
  step.length = isTsmm(problem) ? std::min(problem.k, plan.macroK) : plan.macroK;
  step.barriers =
      (plan.stages > 1 ? 1 : 2) * (per.step + per.barrier * std::max(0.0, 1 - 1 / subgroups));
  step.alone = step.length * step.work.of(1, step.ofScheduler) / std::max(1.0, step.ofScheduler);
  double latency = per.loadLatency * std::min(chip.cacheLatency, chip.dramLatency);
  step.chain = plan.stages > 1 ? latency / (plan.stages - 1) : latency + step.alone + step.barriers;
  step.fetching =
      per.instruction * 1e-9 * chip.clocksPerSecond * step.length * instructions / subgroups;
  return step;
}

bool LeastSeconds::allExceed(double limit, const Plan &plan, const Step &step) const {
  double steps = llvm::divideCeil(problem.k, plan.macroK), meeting = 0;
  if (problem.flops() == 0)
    return false;
  if (problem.slices == 1) {
    if (of(plan, step, limit) <= limit)
      return false;
    if (!mayShare(threads * plan.slicedK) || steps < 2 * kLeastSteps)
      return true;
    // A cluster meets, or another kernel adds up.
    double launch = per.nextLaunch + (problem.hasWorkspace ? 0 : per.allocation);
    if (!problem.anyOrder)
      meeting = std::min(per.exchange * exchangesOf(plan) + 2 * per.cluster,
                         launch * 1e-9 * chip.clocksPerSecond);
  }
  double own = problem.slices == 1 ? kLeastSteps : 1; // steps of a share
  double computed = steps * step.length * tiles / chip.units * step.work.longest();
  double cache = problem.k * tiles * (a.bytes + b.bytes) / chip.cacheBytes;
  auto bound = [&](Join join) {
    double busy = join({std::max(computed, own * step.alone), own * step.alone});
    double kernel = join({busy + own * step.barriers, cache, dram, own * step.chain});
    return launched(kernel + meeting + step.fetching + per.workgroup, 0, join);
  };
  return joined(bound, limit) > limit;
}

double LeastSeconds::of(const Plan &plan, const Step &step, double limit) const {
  if (problem.flops() == 0)
    return 0;
  double workgroups = tiles * plan.splits, ofUnit = std::ceil(workgroups / chip.units);
  double steps = llvm::divideCeil(llvm::divideCeil(problem.k, plan.macroK), plan.splits);
  double read = problem.k / (steps * plan.splits); // K elements of a step that there are
  double cache =
      workgroups * read * (a.bytes + b.bytes) /
      std::min(chip.cacheBytes, std::min(workgroups, chip.units) * chip.cacheBytesOfUnit);
  double working = step.length * step.work.of(ofUnit, step.ofScheduler);
  double rest = outputOf(plan, workgroups) + per.workgroup * ofUnit + step.fetching;
  if (plan.reducesInShared())
    rest += per.exchange * exchangesOf(plan) + per.cluster * (plan.ranks() > 1 ? plan.ranks() : 0);
  return joined(
      [&](Join join) {
        double computed = join({working, step.alone}) + step.barriers;
        double kernel = steps * join({computed, cache, dram / steps, step.chain}) + rest;
        return launched(kernel, othersOf(plan), join);
      },
      limit);
}
