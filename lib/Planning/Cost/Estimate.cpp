//===- Estimate.cpp - How long a plan takes -------------------------------===//

#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

/// Instructions that compile as long as an empty kernel.
static constexpr double kKernelCode = 250;

llvm::StringRef planning::toString(Bound bound) {
  static constexpr llvm::StringLiteral names[kBounds] = {"the FMA units",           "issue slots",
                                                         "shared memory bandwidth", "L2 bandwidth",
                                                         "DRAM bandwidth",          "latency"};
  return names[static_cast<int>(bound)];
}

Occupancy planning::residentOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  if (plan.isInduced())
    return occupancy(toInduced(problem), plan.toInduced(), target);
  return occupancy(packed(problem, plan), plan, target);
}

Estimate planning::estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                            const Occupancy &occupancy, const StepFacts *step) {
  Estimate result;
  result.occupancy = occupancy;
  if (occupancy.blocks < 1)
    return result;
  KernelFacts facts = factsOf(problem, plan, target, occupancy, step);
  result.tiles = facts.workgroups;
  result.waves = facts.workgroups / (double(target.getUnits()) * occupancy.blocks);
  price(facts, ChipRates(target), target::calibrationOf(target), result);
  return result;
}

Estimate planning::estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  return estimate(problem, plan, target, residentOf(problem, plan, target));
}

/// What bounds are lowered by: prices leave out terms that add less.
static constexpr double kBelow = 0.997;

/// Clocks in which the sums of a workgroup are exchanged at least.
static double exchangeClocks(const Plan &plan, const blas::CalibrationData &per) {
  double meeting = plan.reduction == blas::Reduction::Cluster ? per.cluster * plan.splits : 0;
  return per.exchange * exchangesOf(plan) + meeting;
}

LeastSeconds::LeastSeconds(const Problem &problem, const Plan &plan, blas::TargetAttr target)
    : problem(problem), target(target) {
  ChipRates chip(target);
  StepFacts facts = multiplyFactsOf(packed(problem, plan), plan, target);
  LeastStep step = leastStep(facts, chip, target::calibrationOf(target));
  tiles = tilesOf(problem, plan);
  steps = llvm::divideCeil(problem.k, plan.macroK);
  units = chip.units;
  multiply = step.multiply / chip.clocksPerSecond;
  issue = step.issue / chip.clocksPerSecond;
  shared = step.shared / chip.clocksPerSecond;
  waiting = step.waiting / chip.clocksPerSecond;
  barriers = step.barriers / chip.clocksPerSecond;
  const blas::CalibrationData &per = target::calibrationOf(target);
  working = overlapped(per.overlap, {multiply, issue, shared});
  fetching = per.instruction * 1e-9 * (facts.multiplies + facts.fragmentReads) / facts.subgroups;
  // What lies beyond K is not read.
  double inside = problem.k > 0 ? problem.k / (steps * plan.macroK) : 1;
  cache = inside * facts.cacheBytes / chip.cacheBytes / chip.clocksPerSecond;
}

bool LeastSeconds::anyExceeds(double limit) const {
  double all = kBelow * tiles * steps;
  // The longest alone tells in most cases.
  if (all * std::max({multiply / units, issue / units, shared / units, cache}) > limit)
    return true;
  double exponent = target::calibrationOf(target).overlap;
  return all * overlapped(exponent, {working / units, cache}) > limit;
}

double LeastSeconds::of(const Plan &plan) const {
  const blas::CalibrationData &per = target::calibrationOf(target);
  double workgroups = tiles * plan.splits, busiest = std::ceil(workgroups / units);
  double step =
      overlapped(per.overlap, {busiest * working + barriers, workgroups * cache, waiting});
  // The cache sees the steps that there are, the unit those of the longest share.
  double kernel = step * steps / plan.splits + fetching;
  if (plan.exchangesC())
    kernel += exchangeClocks(plan, per) / (target.getClockMHz() * 1e6);
  double launch = target.getLaunchNs() * 1e-9, others = 0;
  if (plan.reduction == blas::Reduction::Workspace && problem.slices == 1)
    others = 1e-9 * (per.nextLaunch + (problem.hasWorkspace ? 0 : per.allocation));
  return kBelow * (overlapped(per.overlap, {kernel + per.startup * launch, launch}) + others);
}

double planning::packSeconds(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  const blas::CalibrationData &per = target::calibrationOf(target);
  double bytes = 2 * packedBytes(problem, plan);
  double launches = (plan.a.pack ? 1 : 0) + (plan.b.pack ? 1 : 0);
  double allocated = plan.packs() && !problem.hasWorkspace ? per.allocation : 0;
  return 1e-9 * (bytes / target.getDramCopyGBps() + per.nextLaunch * launches + allocated);
}

double planning::codeOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  KernelFacts facts = factsOf(problem, plan, target, residentOf(problem, plan, target));
  return facts.code + kKernelCode * facts.launches;
}
