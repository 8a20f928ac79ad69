//===- Price.cpp - The time of a kernel from its counts -------------------===//
//
// Counts times coefficients give the clocks that each resource is busy. What runs at the same time
// is joined by one rule: the p-norm of the times, which is the longest of them where the others are
// short, and more where several are as long.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"

#include <algorithm>
#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

ChipRates::ChipRates(blas::TargetAttr target) {
  clocksPerSecond = target.getClockMHz() * 1e6;
  units = target.getUnits();
  schedulersPerUnit = target.getSchedulersPerUnit();
  auto perClock = [&](double gigabytes) { return gigabytes * 1e9 / clocksPerSecond; };
  cacheBytes = perClock(target.getL2GBps());
  cacheBytesOfUnit = target.getL2BytesPerClock();
  readBytes = perClock(target.getDramReadGBps());
  copyBytes = perClock(target.getDramCopyGBps());
  writeBytes = perClock(target.getDramWriteGBps());
  cacheLatency = target.getL2LatencyCycles();
  dramLatency = target.getDramLatencyCycles();
  launch = target.getLaunchNs() * 1e-9 * clocksPerSecond;
}

/// Terms below this share of the longest time add less than a thousandth.
static constexpr double kNegligible = 0.1;

double planning::overlapped(double exponent, std::initializer_list<double> times) {
  double longest = std::max(times), sum = 0;
  if (longest <= 0)
    return 0;
  for (double time : times)
    if (time >= kNegligible * longest)
      sum += time == longest ? 1 : std::pow(float(time / longest), float(exponent));
  return sum == 1 ? longest : longest * std::pow(float(sum), float(1 / exponent));
}

namespace {
/// Clocks that a unit is busy with a step of one workgroup, as if its schedulers were always full.
struct StepWork {
  double multiply, issue, shared;

  StepWork(const StepFacts &facts, const ChipRates &chip, const blas::CalibrationData &per);
};

/// Clocks of one kernel.
class Pricing {
public:
  Pricing(const KernelFacts &facts, const ChipRates &chip, const blas::CalibrationData &per,
          Estimate &estimate);

  void price();

private:
  double overlapped(std::initializer_list<double> times) const {
    return planning::overlapped(per.overlap, times);
  }
  /// Clocks of one unit for `work` of `blocks` workgroups on its schedulers: the fullest rules.
  double scheduled(double work, double blocks) const;
  double multiplying(double blocks) const { return scheduled(work.multiply, blocks); }
  double issuing(double blocks) const { return scheduled(work.issue, blocks); }
  double sharing(double blocks) const { return blocks * work.shared; }
  /// Clocks of a step of all workgroups of a wave.
  double stepOf(const WaveFacts &wave);
  /// Clocks from the last step of a wave to C.
  double outputOf(const WaveFacts &wave) const;
  double waves(const WaveFacts &wave, bool followed);
  /// Clocks of the launches, and of what they do beside the kernel.
  double others() const;

  const KernelFacts &facts;
  const ChipRates &chip;
  const blas::CalibrationData &per;
  Estimate &estimate;
  StepWork work;
  double barriers; ///< Clocks around those of a step.
  double alone;    ///< A step of one subgroup of a scheduler.
};
} // namespace

StepWork::StepWork(const StepFacts &facts, const ChipRates &chip,
                   const blas::CalibrationData &per) {
  multiply = per.multiply * (1 + per.multiplyWide * facts.wide) * facts.multiplyClocks;
  double slots = per.issueMultiply * facts.multiplies + per.issueRead * facts.fragmentReads +
                 per.issueStore * facts.sharedStores + per.issueCopy * facts.asyncCopies +
                 facts.otherInstructions;
  issue = slots / chip.schedulersPerUnit;
  shared = facts.readClocks + facts.storeClocks + per.copyPort * facts.copyClocks +
           per.loadLine * facts.loadLines + per.copyLine * facts.copyLines +
           per.scatter * facts.scatters;
}

/// (C11) Clocks around the barriers of a step.
static double barriersOf(const StepFacts &facts, const blas::CalibrationData &per) {
  return facts.barriers * (per.step + per.barrier * (1 - 1 / facts.subgroups));
}

Pricing::Pricing(const KernelFacts &facts, const ChipRates &chip, const blas::CalibrationData &per,
                 Estimate &estimate)
    : facts(facts), chip(chip), per(per), estimate(estimate), work(facts, chip, per) {
  barriers = barriersOf(facts, per);
  alone = overlapped({multiplying(1), issuing(1), sharing(1)}) /
          std::max(1.0, facts.subgroups / chip.schedulersPerUnit);
}

double Pricing::scheduled(double clocks, double blocks) const {
  double ofScheduler = blocks * facts.subgroups / chip.schedulersPerUnit;
  return blocks * clocks * std::ceil(ofScheduler) / ofScheduler;
}

double Pricing::stepOf(const WaveFacts &wave) {
  double busy = std::min(wave.active, chip.units);
  double moved = facts.cacheBytes * wave.active;
  double cache = moved / std::min(chip.cacheBytes, busy * chip.cacheBytesOfUnit);
  double dram = (wave.dramBytesA * (1 + per.readRun / facts.runA) +
                 wave.dramBytesB * (1 + per.readRun / facts.runB)) /
                chip.readBytes;
  double missed = moved > 0 ? std::min(1.0, (wave.dramBytesA + wave.dramBytesB) / moved) : 0;
  double latency = per.loadLatency * ((1 - missed) * chip.cacheLatency + missed * chip.dramLatency);
  // With several stages the loads of later tiles are on their way meanwhile.
  double chain = facts.stages > 1 ? latency / (facts.stages - 1) : latency + alone + barriers;
  double clocks[kBounds] = {
      multiplying(wave.blocks), issuing(wave.blocks), sharing(wave.blocks), cache, dram,
      std::max(chain, barriers)};
  // (C12) The norm of norms is the norm of all.
  double computed = overlapped({clocks[0], clocks[1], clocks[2], alone}) + barriers;
  for (int bound = 0; bound < kBounds; ++bound)
    estimate.stepSeconds[bound] += wave.count * facts.steps * clocks[bound] / chip.clocksPerSecond;
  estimate.dramBytes += wave.count * facts.steps * (wave.dramBytesA + wave.dramBytesB);
  estimate.l2HitRate = std::max(estimate.l2HitRate, 1 - missed);
  return overlapped({computed, cache, dram, chain});
}

double Pricing::outputOf(const WaveFacts &wave) const {
  double stored = facts.storedBytes + facts.readBytes;
  double dram =
      per.write * stored * wave.active / (facts.readBytes > 0 ? chip.copyBytes : chip.writeBytes);
  double cache =
      (per.writeLine * blas::kLineBytes * facts.storeLines + per.atomic * facts.atomicBytes) *
      wave.active / chip.cacheBytes;
  double exchanged = per.exchange * facts.exchanges + per.cluster * facts.ranks +
                     per.peer * facts.peerBytes * wave.blocks / chip.cacheBytesOfUnit;
  return overlapped({dram, cache}) + exchanged;
}

double Pricing::waves(const WaveFacts &wave, bool followed) {
  if (wave.count == 0)
    return 0;
  double stored = outputOf(wave) + facts.pointers * chip.cacheLatency;
  double each = facts.steps * stepOf(wave) + stored + per.workgroup * wave.blocks;
  estimate.epilogueSeconds += wave.count * stored / chip.clocksPerSecond;
  // Other workgroups of a unit multiply while one stores, all but the last.
  double hidden = per.concurrent * (1 - 1 / wave.blocks) * stored;
  return wave.count * each - (wave.count - (followed ? 0 : 1)) * hidden;
}

double Pricing::others() const {
  double moved = facts.otherBytes / chip.copyBytes + facts.otherCached / chip.cacheBytes;
  double nanoseconds = per.nextLaunch * facts.launches + per.allocation * facts.allocations;
  return moved + nanoseconds * 1e-9 * chip.clocksPerSecond;
}

void Pricing::price() {
  double kernel = waves(facts.full, facts.last.count > 0) + waves(facts.last, false) +
                  per.instruction * 1e-9 * chip.clocksPerSecond * facts.code;
  // A stream of kernels takes as long as launches do, at least.
  double launched = overlapped({kernel + per.startup * chip.launch, chip.launch});
  double clocks = launched + others();
  estimate.seconds = clocks / chip.clocksPerSecond;
  estimate.launchSeconds = (chip.launch + others()) / chip.clocksPerSecond;
  estimate.bound =
      static_cast<Bound>(std::max_element(estimate.stepSeconds, estimate.stepSeconds + kBounds) -
                         estimate.stepSeconds);
}

void planning::price(const KernelFacts &facts, const ChipRates &chip,
                     const blas::CalibrationData &calibration, Estimate &estimate) {
  Pricing(facts, chip, calibration, estimate).price();
}
