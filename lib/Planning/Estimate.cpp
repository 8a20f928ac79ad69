//===- Estimate.cpp - Waves of workgroups, priced -------------------------===//

#include "rooftile/Planning/Estimate.h"
#include "Bulk.h"
#include "Copying.h"
#include "Dram.h"
#include "Epilogue.h"
#include "Step.h"
#include "StepInefficiency.h"
#include "TallSkinnyTiles.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Induced.h"
#include "rooftile/Planning/Packing.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// A chain of latencies longer than the work of a unit by this factor is what limits.
static constexpr double kWaiting = 1.25;
/// Steps of groups that begin before loads of the first ones have spread out.
static constexpr int64_t kFewSteps = 16;

llvm::StringRef planning::toString(Bound bound) {
  static constexpr llvm::StringLiteral names[kBounds] = {"the FMA units",           "issue slots",
                                                         "shared memory bandwidth", "L2 bandwidth",
                                                         "DRAM bandwidth",          "latency"};
  return names[static_cast<int>(bound)];
}

Roofline planning::roofline(const Problem &problem, blas::TargetAttr target) {
  Roofline result;
  result.flopsPerSecond = 2 * fmaPerSecond(problem.realBytes, target);
  for (blas::InstructionRateAttr rate : target.getInstructions())
    if (multiplies(*tile::findInstruction(rate.getName()), problem))
      result.flopsPerSecond = std::max(result.flopsPerSecond, 1e9 * rate.getGflops());
  result.computeSeconds = problem.flops() / result.flopsPerSecond;
  double read = problem.bytesRead(), written = problem.bytesWritten();
  result.memorySeconds = (read + written) / dramRate(read, written, target);
  return result;
}

/// (C21) Units that workgroups of the plan can fill at a time.
static int64_t clusteredUnits(const Plan &plan, blas::TargetAttr target) {
  bool few = plan.reduction != blas::Reduction::Cluster || plan.splits <= 2;
  return few ? target.getUnits() : std::floor(target.getUnits() * constants::kClusterUnits);
}

namespace {
/// Prices the waves of one plan.
class Waves {
public:
  Waves(const Problem &problem, const Plan &plan, blas::TargetAttr target, const Step &step,
        Estimate &result)
      : problem(problem), plan(plan), target(target), result(result), step(step),
        clock(target.getClockMHz() * 1e6), tilesM(llvm::divideCeil(problem.m, plan.macroM)),
        tilesN(llvm::divideCeil(problem.n, plan.macroN)), units(clusteredUnits(plan, target)),
        steps(llvm::divideCeil(llvm::divideCeil(problem.k, plan.macroK), plan.splits)) {}

  void price();

private:
  /// Adds `count` waves of `blocks` workgroups a unit, `active` in all (C13); another one follows.
  void add(int64_t count, int64_t blocks, int64_t active, bool followed);
  /// Subgroups of `blocks` workgroups that share one scheduler.
  double perScheduler(int64_t blocks) const;
  /// (C10) What `active` workgroups get from DRAM in one step.
  DramReads missed(int64_t active) const;
  /// (C12) Clocks for `blocks` workgroups on one unit to get `clocks` of work each
  /// through its schedulers.
  double scheduled(double clocks, int64_t blocks) const;
  /// (C11) Clocks of a step that a unit with `blocks` workgroups idles.
  double stalls(int64_t blocks) const;
  /// (C12) Clocks for `blocks` workgroups on one unit to multiply their tiles.
  double compute(int64_t blocks) const;
  /// (C12) The same where memory is busy for `dram` seconds: it leaves time to hide waits.
  double computeBeside(double dram, int64_t blocks) const;
  /// (C12) Seconds that `work` of `blocks` workgroups on one unit, `l2` and `dram` take from each
  /// other.
  double unhidden(double work, double l2, double dram, int64_t blocks) const;
  /// (C11) Seconds from loading a tile, which takes DRAM `transfer` seconds, to having multiplied
  /// it, for one workgroup alone.
  double chain(double hitRate, double transfer) const;

  const Problem &problem;
  const Plan &plan;
  blas::TargetAttr target;
  Estimate &result;
  const Step &step;
  double clock;
  int64_t tilesM, tilesN, units, steps;
};
} // namespace

double Waves::perScheduler(int64_t blocks) const {
  double subgroups = blocks * std::ceil(double(plan.threads()) / target.getSubgroup());
  return subgroups / target.getSchedulersPerUnit();
}

double Waves::scheduled(double clocks, int64_t blocks) const {
  double ofOne = perScheduler(blocks);
  return blocks * clocks * std::ceil(ofOne) / ofOne;
}

double Waves::stalls(int64_t blocks) const {
  double ofScheduler = std::max(1.0, perScheduler(blocks));
  bool alone = step.hides ? ofScheduler <= 1 : blocks == 1;
  double always = step.stalls + blocks * step.copying;
  // Groups of block vectors that copy asynchronously wait for nothing else: other subgroups read
  // their fragments meanwhile.
  if (isTallSkinny(problem) && plan.slicedK > 1 && !plan.instruction && copiesAsync(plan))
    always -= step.fragments * (1 - 1 / ofScheduler);
  return always * (ofScheduler > 1 ? step.exposed : 1) + (alone ? step.alone : 0) +
         step.others * (blocks - 1) +
         ((ofScheduler > 1 ? step.copies : 0) - step.saved) / ofScheduler;
}

double Waves::compute(int64_t blocks) const {
  double work = std::max(scheduled(step.fma, blocks), scheduled(step.issue, blocks));
  double shared = blocks * step.shared;
  double most = std::max(work, shared), least = std::min(work, shared);
  double loss = 1 + stepInefficiency(problem, plan, blocks, target);
  return loss * (most + constants::kSharedLoss * least * least / most) + stalls(blocks);
}

double Waves::computeBeside(double dram, int64_t blocks) const {
  double clocks = compute(blocks);
  if (plan.instruction)
    return clocks;
  double busy = clocks - stalls(blocks), share = std::min(1.0, dram * clock / busy);
  double hidden = std::min(step.fragments, busy * (1 - 1 / std::max(1.0, perScheduler(blocks))));
  return clocks + share * share * (constants::kBesideMemory * scheduled(step.fma, blocks) - hidden);
}

double Waves::unhidden(double work, double l2, double dram, int64_t blocks) const {
  double least = std::min(work, dram), share = least / std::max(work, dram);
  double falling = dram > work ? share : std::pow(share, 5);
  double apart = plan.instruction
                     ? constants::kUnhiddenByMatrix / std::max<int64_t>(1, plan.stages - 1)
                     : constants::kUnhidden / std::max(1.0, perScheduler(blocks));
  // What streams from DRAM passes the cache beside what stays there.
  bool passes = plan.instruction && dram > l2;
  double beside = passes ? constants::kUnhiddenL2 * l2 * std::pow(l2 / dram, 3) : 0;
  return apart * least * falling + beside;
}

double Waves::chain(double hitRate, double transfer) const {
  double latency =
      hitRate * target.getL2LatencyCycles() + (1 - hitRate) * target.getDramLatencyCycles();
  if (multipliesComplex(problem, plan))
    latency *= constants::kLoadedLatency;
  bool staged = plan.a.copy == blas::Copy::Register;
  if (plan.slicedK > 1 && staged && steps <= kFewSteps && !multipliesComplex(problem, plan))
    latency += constants::kGroupedLatency;
  // Leap-frog: the loads of the next tiles fly while this one is multiplied.
  latency += transfer * clock;
  double clocks =
      plan.stages > 1 ? std::max(latency / (plan.stages - 1), compute(1)) : latency + compute(1);
  return clocks / clock;
}

DramReads Waves::missed(int64_t active) const {
  DramReads reads = dramReads(problem, plan, target, result.tiles, active);
  reads.bytes = std::min(reads.bytes, step.l2Bytes * active);
  double operands = problem.bytesOfOperands();
  // What the cache holds on to is fetched once for all waves.
  double ofStep = operands * active / (double(result.tiles) * std::max<int64_t>(1, steps));
  if (isCached(operands, target))
    reads.bytes = std::min(reads.bytes, ofStep);
  return reads;
}

void Waves::add(int64_t count, int64_t blocks, int64_t active, bool followed) {
  double times = double(count) * steps, busy = std::min(active, units);
  double l2Bytes = step.l2Bytes * active;
  auto [fromDram, slower] = missed(active);
  double hitRate = 1 - fromDram / l2Bytes;
  double l2Rate = std::min(target.getL2GBps() * 1e9, busy * constants::kUnitBytesPerClock * clock);
  double l2 = l2Bytes / l2Rate, dram = slower * fromDram / dramRate(1, 0, target);
  double chained = chain(hitRate, dram / blocks);
  double fma = scheduled(step.fma, blocks), issue = scheduled(step.issue, blocks);
  double costs[kBounds] = {fma / clock, issue / clock, blocks * step.shared / clock,
                           l2,          dram,          chained};
  // (C12) Loads from L2 and DRAM overlap with the rest.
  double work = computeBeside(dram, blocks) / clock;
  double both = std::max(work, dram) + unhidden(work, l2, dram, blocks);
  double stepSeconds = std::max({both, l2, chained});
  // A chain hardly longer than the work in it is no wait: only its stalls count as latency.
  if (chained < kWaiting * work)
    costs[static_cast<int>(Bound::Latency)] = stalls(blocks) / clock;
  for (int bound = 0; bound < kBounds; ++bound)
    result.stepSeconds[bound] += times * costs[bound];
  // (C13) Filling the pipeline, behind the addresses of matrices anywhere, then C.
  auto [behind, stored] = epilogueSeconds(problem, plan, target, blocks, active);
  double pointerLatency = problem.readsPointers() ? target.getL2LatencyCycles() : 0;
  // A single stage is filled within the first step.
  double fill = plan.stages > 1 ? target.getDramLatencyCycles() : 0;
  double alone = steps * stepSeconds + behind + (fill + pointerLatency) / clock;
  // Other workgroups of the unit multiply while one fills its pipeline or stores.
  double busyOnly = std::max(steps * std::max({work, l2, dram}), stored);
  double others = std::max(busyOnly, alone / blocks);
  bool many = blocks > 4 && !plan.instruction && plan.stages == 1;
  double share = constants::kOverlap[(blocks > 2) + many];
  double overlapped = alone - share * std::max(0.0, alone - others);
  int64_t last = followed ? 0 : 1;
  result.epilogueSeconds += count * behind;
  if (isTsmm(problem) && plan.splits == 1)
    alone = overlapped =
        tsmmSeconds(problem, plan, step, blocks, active, steps * fromDram, overlapped, target);
  result.seconds += last * alone + (count - last) * overlapped;
  result.dramBytes += times * fromDram;
  result.l2HitRate = std::max(result.l2HitRate, hitRate);
}

void Waves::price() {
  result.launchSeconds = target.getLaunchNs() * 1e-9;
  result.launchSeconds +=
      extraLaunchSeconds(problem, plan, target) + packSeconds(problem, plan, target);
  result.seconds = result.launchSeconds;
  auto product = llvm::SaturatingMultiply<uint64_t>(tilesM, tilesN);
  product = llvm::SaturatingMultiply<uint64_t>(product, problem.batch);
  product = llvm::SaturatingMultiply<uint64_t>(product, plan.splits);
  result.tiles = std::min<uint64_t>(product, INT64_MAX);
  int64_t resident = units * result.occupancy.blocks;
  result.waves = double(result.tiles) / resident;
  int64_t full = result.tiles / resident, rest = result.tiles % resident;
  if (full > 0)
    add(full, result.occupancy.blocks, resident, rest > 0);
  // (C5) The last wave has its own workgroups per unit and its own bandwidth.
  if (rest > 0)
    add(1, llvm::divideCeil(rest, units), rest, false);
  result.bound = static_cast<Bound>(
      std::max_element(result.stepSeconds, result.stepSeconds + kBounds) - result.stepSeconds);
}

Estimate planning::estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                            const Occupancy &occupancy, const Step &step) {
  Estimate result;
  result.occupancy = tsmmOccupancy(problem, plan, target, occupancy);
  if (occupancy.blocks > 0)
    Waves(problem, plan, target, step, result).price();
  return result;
}

Estimate planning::estimate(const Problem &stated, const Plan &plan, blas::TargetAttr target) {
  if (plan.isInduced()) {
    Estimate result = estimate(toInduced(stated), plan.toInduced(), target);
    addInducedCost(result);
    return result;
  }
  Problem problem = packed(stated, plan);
  return estimate(problem, plan, target, occupancy(problem, plan, target),
                  stepOf(problem, plan, target));
}
