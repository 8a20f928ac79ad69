//===- Price.cpp - The time of a kernel from its counts -------------------===//
//
// Counts times coefficients give the clocks that each resource is busy. What runs at the same time
// is joined by one rule: the 3-norm of the times, which is the longest of them where the others are
// short, and more where several are as long.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

ChipRates::ChipRates(blas::TargetAttr target) : per(target::calibrationOf(target)) {
  clocksPerSecond = target->clockMHz * 1e6;
  units = target->units;
  schedulersPerUnit = target->schedulersPerUnit;
  auto perClock = [&](double gigabytes) { return gigabytes * 1e9 / clocksPerSecond; };
  cacheBytes = perClock(target->l2GBps);
  cacheBytesOfUnit = target->l2BytesPerClock;
  repeatedBytes = perClock(std::max(target->l2SharedGBps, target->l2GBps));
  readBytes = perClock(target->dramReadGBps);
  copyBytes = perClock(target->dramCopyGBps);
  writeBytes = perClock(target->dramWriteGBps);
  cacheLatency = target->l2LatencyCycles;
  dramLatency = target->dramLatencyCycles;
  launch = target->launchNs * 1e-9 * clocksPerSecond;
  workgroup = target->workgroupPs * 1e-12 * clocksPerSecond;
}

/// To the last bits, in a third of the time of std::cbrt, and the same with every C
/// library: from a third of the exponent two steps of Halley's method, each of which triples the
/// digits.
static double cubeRoot(double number) {
  double root = llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(number) / 3 + 0x2a9f7893782da1ce);
  for (int step = 0; step < 2; ++step) {
    double cube = root * root * root;
    root *= (cube + 2 * number) / (2 * cube + number);
  }
  return root;
}

/// Times below this share of the longest add less than a thousandth: plans that differ in nothing
/// else are equal.
static constexpr double kNegligible = 0.1;

double planning::overlapped(std::initializer_list<double> times) {
  double longest = std::max(times), sum = 0;
  for (double time : times)
    sum += time >= kNegligible * longest ? time * time * time : 0;
  return sum > 0 ? cubeRoot(sum) : 0;
}

namespace {
/// Clocks of a step of all workgroups of a wave.
struct StepClocks {
  double ofResource[kBounds]; ///< As if each were the only one.
  double all;
};

/// Clocks of one kernel.
class Pricing {
public:
  Pricing(const KernelFacts &facts, const ChipRates &chip);

  double clocks() const;
  /// Clocks of the kernel, and of its start.
  double kernel() const;
  /// Clocks of the other kernels, and of what they do beside it.
  double others() const;
  /// Clocks of the last wave (C22). `followed`: other workgroups multiply while one stores.
  WaveClocks ofLast(bool followed) const;
  /// Fills the resources of `estimate`.
  void explain(Estimate &estimate) const;

private:
  StepClocks stepOf(const WaveFacts &wave) const;
  /// Clocks from the last step of a wave to C.
  double outputOf(const WaveFacts &wave) const;
  double waves(const WaveFacts &wave) const;

  const KernelFacts &facts;
  const ChipRates &chip;
  const blas::CalibrationData &per;
  // Clocks that a unit is busy with a step of one workgroup, as if its schedulers were always full.
  double multiply, issue, shared;
  double barriers; ///< Clocks around those of a step.
  double alone;    ///< A step of one subgroup of a scheduler.
};
} // namespace

Pricing::Pricing(const KernelFacts &facts, const ChipRates &chip)
    : facts(facts), chip(chip), per(chip.per) {
  multiply = per.multiply * (1 + per.multiplyWide * facts.wide) * facts.multiplyClocks;
  double slots = per.issueMultiply * facts.multiplies + per.issueRead * facts.fragmentReads +
                 per.issueStore * facts.sharedStores + per.issueCopy * facts.asyncCopies +
                 facts.otherInstructions;
  issue = slots / chip.schedulersPerUnit;
  shared = facts.readClocks + facts.storeClocks + per.copyPort * facts.copyClocks +
           per.loadLine * facts.loadLines + per.copyLine * facts.copyLines +
           per.scatter * facts.scatters;
  // (C11)
  barriers = facts.barriers * (per.step + per.barrier * (1 - 1 / facts.subgroups));
  // (C12)
  double ofScheduler = facts.subgroups / chip.schedulersPerUnit;
  double full = std::ceil(ofScheduler) / ofScheduler;
  alone = overlapped({multiply * full, issue * full, shared}) / std::max(1.0, ofScheduler) +
          facts.scalarWaits * chip.cacheLatency;
}

StepClocks Pricing::stepOf(const WaveFacts &wave) const {
  double busy = std::min(wave.active, chip.units);
  double read = facts.cacheBytes * wave.active, once = std::min(read, wave.differentBytes);
  double cache = std::max(once / chip.cacheBytes + (read - once) / chip.repeatedBytes,
                          read / (busy * chip.cacheBytesOfUnit));
  double dram = (wave.dramBytes + per.readRun * wave.dramRuns) / chip.readBytes;
  double latency =
      per.loadLatency * ((1 - wave.missed) * chip.cacheLatency + wave.missed * chip.dramLatency);
  // A tile is there when its last byte is. With several stages the loads of later tiles are on
  // their way meanwhile.
  double arrival = latency + facts.cacheBytes / chip.cacheBytesOfUnit;
  double chain = arrival / std::max(1.0, facts.stages - 1);
  double multiplying = wave.scheduled * multiply, issuing = wave.scheduled * issue,
         sharing = wave.blocks * shared;
  // (C12) The norm of norms is the norm of all.
  double computed = overlapped({multiplying, issuing, sharing, alone}) + barriers;
  return {{multiplying, issuing, sharing, cache, dram, std::max(chain, barriers)},
          overlapped({computed, cache, dram, chain})};
}

double Pricing::outputOf(const WaveFacts &wave) const {
  double stored = facts.storedBytes + facts.readBytes;
  double dram =
      per.write * stored * wave.active / (facts.readBytes > 0 ? chip.copyBytes : chip.writeBytes);
  double cache =
      (per.writeLine * blas::kLineBytes * facts.storeLines + per.atomic * facts.atomicBytes) *
      wave.active / chip.cacheBytes;
  double exchanged = per.exchange * facts.exchangeClocks * wave.blocks + per.cluster * facts.ranks +
                     per.peer * facts.peerBytes * wave.blocks / chip.cacheBytesOfUnit;
  return overlapped({dram, cache}) + exchanged + facts.pointers * chip.cacheLatency;
}

double Pricing::waves(const WaveFacts &wave) const {
  if (wave.count == 0)
    return 0;
  double stored = outputOf(wave);
  double each = facts.steps * stepOf(wave).all + stored + per.workgroup * wave.begun;
  // Other workgroups of a unit multiply while one stores, all but the last.
  double hidden = per.concurrent * (1 - 1 / wave.blocks) * stored;
  return wave.count * each - wave.followed * hidden;
}

double Pricing::others() const {
  double moved = facts.otherBytes / chip.copyBytes + facts.otherCached / chip.cacheBytes;
  double nanoseconds = per.nextLaunch * facts.launches + per.allocation * facts.allocations;
  return moved + nanoseconds * 1e-9 * chip.clocksPerSecond;
}

double Pricing::kernel() const {
  // Units that are done with theirs wait for the next workgroup to begin.
  double worked = facts.share * (waves(facts.full) + waves(facts.last));
  return std::max(worked, chip.workgroup * facts.workgroups) +
         per.instruction * 1e-9 * chip.clocksPerSecond * facts.code + per.startup * chip.launch +
         facts.descriptors * chip.dramLatency;
}

double Pricing::clocks() const {
  // A stream of kernels lasts at least as long as its launches.
  return overlapped({kernel(), chip.launch}) + others();
}

void Pricing::explain(Estimate &estimate) const {
  for (const WaveFacts *wave : {&facts.full, &facts.last}) {
    if (wave->count == 0)
      continue;
    double steps = wave->count * facts.steps;
    StepClocks step = stepOf(*wave);
    for (int bound = 0; bound < kBounds; ++bound)
      estimate.stepSeconds[bound] += steps * step.ofResource[bound] / chip.clocksPerSecond;
    estimate.epilogueSeconds += wave->count * outputOf(*wave) / chip.clocksPerSecond;
    estimate.dramBytes += steps * wave->dramBytes;
    estimate.l2HitRate = std::max(estimate.l2HitRate, 1 - wave->missed);
  }
  estimate.beginSeconds = chip.workgroup * facts.workgroups / chip.clocksPerSecond;
  estimate.launchSeconds = (chip.launch + others()) / chip.clocksPerSecond;
  estimate.bound =
      static_cast<Bound>(std::max_element(estimate.stepSeconds, estimate.stepSeconds + kBounds) -
                         estimate.stepSeconds);
}

WaveClocks Pricing::ofLast(bool followed) const {
  const WaveFacts &wave = facts.last;
  double stored = outputOf(wave), hidden = per.concurrent * (1 - 1 / wave.blocks) * stored;
  return {stepOf(wave).all, stored + per.workgroup * wave.begun - (followed ? hidden : 0),
          per.instruction * 1e-9 * chip.clocksPerSecond * facts.code};
}

WaveClocks planning::waveClocks(const KernelFacts &facts, const ChipRates &chip, bool followed) {
  return Pricing(facts, chip).ofLast(followed);
}

double planning::secondsOf(const KernelFacts &facts, const ChipRates &chip) {
  return Pricing(facts, chip).clocks() / chip.clocksPerSecond;
}

Estimate planning::price(const KernelFacts &facts, const ChipRates &chip,
                         const Occupancy &occupancy) {
  Estimate estimate;
  estimate.occupancy = occupancy;
  estimate.tiles = facts.workgroups;
  estimate.waves = facts.workgroups / (chip.units * occupancy.blocks);
  Pricing pricing(facts, chip);
  estimate.seconds = pricing.clocks() / chip.clocksPerSecond;
  estimate.deviceSeconds = (pricing.kernel() + pricing.others()) / chip.clocksPerSecond;
  pricing.explain(estimate);
  return estimate;
}
