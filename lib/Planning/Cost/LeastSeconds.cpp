//===- LeastSeconds.cpp - Lower bounds of the time of plans ---------------===//
//
// The price of less of everything: steps without bank conflicts, with whole accesses as wide as the
// matrices allow, and kernels whose workgroups are all resident at once. One wave of all workgroups
// lasts no longer than several of some, since the 3-norm of sums is no more than the sum of the
// norms.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Cost/LeastSeconds.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace rooftile;
using namespace rooftile::planning;

/// Factor that lowers bounds: prices leave out terms that add less.
static constexpr double kBelow = 0.997;

LeastSeconds::LeastSeconds(const Problem &problem, const Plan &tile, blas::TargetAttr target,
                           const ChipRates &chip)
    : problem(problem), target(target), chip(chip) {
  threads = tile.threads() / tile.slicedK;
  bool bulk = blas::arrivesInBulk(tile.a.copy) && blas::arrivesInBulk(tile.b.copy);
  ofK.wide = !tile.instruction && tile.microN > tile.microM && !bulk ? 1 : 0;
  double products =
      threads * tile.microM * tile.microN * (problem.threeProducts ? 3 : problem.multiplyAdds);
  double unit = chip.units * chip.clocksPerSecond; // clocks of all units, a second
  // Runs of fragments, which packing depends on, are not chosen yet.
  double rate = tile.instruction ? multiplyAddsPerSecond(problem, tile, target)
                                 : fmaPerSecond(problem.realBytes, target);
  ofK.multiplyClocks = products * unit / rate;
  ofK.multiplies = products / productsOfInstruction(problem, tile, target);
  countOperand(tile, true);
  countOperand(tile, false);
  // Steps of one K element, which wait for nothing, and accumulators that are stored as they are.
  Plan plan = tile;
  plan.macroK = plan.slicedK = plan.splits = 1;
  plan.reduction = blas::Reduction::None, plan.c = blas::Via::Register;
  StepFacts step = ofK;
  step.subgroups = target->threadsPerBlock / target->subgroup;
  step.stages = std::numeric_limits<double>::infinity();
  double accesses = a.accesses + b.accesses;
  if (!bulk && barriersOf(tile) > 0)
    (chip.per.issueCopy < chip.per.issueStore ? step.asyncCopies : step.sharedStores) = accesses;
  double shared = ofShares(plan, step); // nothing is shorter where there are shares
  secondsOfTile = std::isinf(shared) ? of(plan, step) : shared;
}

void LeastSeconds::countOperand(const Plan &tile, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  const Path &path = isA ? tile.a : tile.b;
  int64_t extent = isA ? tile.macroM : tile.macroN, micro = isA ? tile.microM : tile.microN,
          lanes = isA ? tile.lanesM : tile.lanesN;
  double subgroup = target->subgroup, subgroups = threads / subgroup;
  // Reads: of vectors along K the widest, of others those of the plan.
  double elements = fragmentElements(tile, micro, lanes);
  int64_t widest = std::max<int64_t>(1, blas::kMaxAccessBytes / matrix.elementBytes);
  bool alongK = path.major == blas::Major::K && !tile.instruction;
  int64_t run = tile.instruction ? std::max(tile.vector, tile.instruction->runOfK) : tile.vector;
  int64_t vector = alongK ? widest : std::min(run, widest);
  if (path.via == blas::Via::Shared) {
    ofK.fragmentReads += tile.readsShared() ? 0 : subgroups * elements / vector;
    ofK.readClocks += subgroups * fragmentClocks(tile, isA, vector, matrix.elementBytes, target);
  }
  // Vectors without gaps may be all that is copied of a tile.
  bool flat = matrix.flat.length > 0 && (isTallSkinny(problem) || isTsmm(problem));
  OperandCounts &counts = isA ? a : b;
  double copied = flat ? std::min(extent, matrix.flat.length) : extent;
  counts.bytes = copied * matrix.elementBytes;
  counts.single = copied / subgroup;
  counts.accesses = counts.single / (flat ? widest : std::max<int64_t>(1, matrix.maxVector));
  ofK.cacheBytes += counts.bytes;
}

StepFacts LeastSeconds::stepOf(const Plan &plan) const {
  // Elements beyond K are not read, and of whole vectors not multiplied either.
  double length = isTsmm(problem) ? std::min(problem.k, plan.macroK) : plan.macroK;
  StepFacts step = ofK;
  step.subgroups = std::ceil(threads * plan.slicedK / target->subgroup);
  step.stages = plan.stages;
  step.barriers = barriersOf(plan);
  step.code = length * (ofK.multiplies + ofK.fragmentReads) / step.subgroups;
  for (bool isA : {true, false}) {
    const OperandCounts &counts = isA ? a : b;
    const Path &path = isA ? plan.a : plan.b;
    if (blas::arrivesInBulk(path.copy) || path.isDirect())
      continue;
    bool async = path.copy == blas::Copy::Async;
    bool transposed = isTransposed(isA ? problem.a : problem.b, path);
    (async ? step.asyncCopies : step.sharedStores) += transposed ? counts.single : counts.accesses;
    step.otherInstructions += async ? 0 : counts.accesses;
    (async ? step.copyClocks : step.storeClocks) += counts.bytes / target->sharedBytesPerClock;
    (async ? step.copyLines : step.loadLines) += counts.bytes / blas::kLineBytes;
  }
  for (double *each :
       {&step.multiplyClocks, &step.multiplies, &step.fragmentReads, &step.readClocks,
        &step.asyncCopies, &step.sharedStores, &step.otherInstructions, &step.copyClocks,
        &step.storeClocks, &step.copyLines, &step.loadLines, &step.cacheBytes})
    *each *= length;
  return step;
}

double LeastSeconds::of(const Plan &plan, const StepFacts &step) const {
  if (problem.flops() == 0)
    return 0;
  return kBelow * secondsOf(leastFactsOf(problem, plan, target, step), chip);
}

double LeastSeconds::ofShares(const Plan &plan, const StepFacts &step) const {
  Plan shared = plan;
  if (problem.slices > 1) {
    shared.splits = problem.slices, shared.reduction = blas::Reduction::Workspace;
    return of(shared, step);
  }
  double tiles = tilesOf(problem, plan);
  int64_t steps = llvm::divideCeil(problem.k, plan.macroK);
  int64_t resident =
      std::min<int64_t>(target->blocksPerUnit, target->threadsPerUnit / (threads * plan.slicedK));
  shared.splits = steps / kLeastSteps;
  if (shared.splits < 2 || chip.units * resident < 2 * tiles)
    return std::numeric_limits<double>::infinity();
  // As many shares as there can be, with which all units are as busy as any, and C for nothing.
  KernelFacts facts = leastFactsOf(problem, shared, target, step);
  WaveFacts &wave = facts.last;
  double even = tiles * steps / (facts.steps * chip.units);
  wave.scheduled = std::max(even, wave.scheduled / wave.blocks);
  wave.blocks = std::max(even, 1.0), wave.begun = 1;
  facts.workgroups = tiles; // there may be fewer shares
  facts.storedBytes = facts.readBytes = facts.storeLines = facts.exchangeClocks = 0;
  return kBelow * secondsOf(facts, chip);
}
