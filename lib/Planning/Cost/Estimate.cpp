//===- Estimate.cpp - Predicted time of a plan ----------------------------===//

#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Planning/Problem/Roofline.h"
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
  auto [seen, own] = ofKernel(problem, plan);
  return occupancy(seen, own, target);
}

Occupancy planning::surelyHeld(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  Occupancy modelled = residentOf(problem, plan, target);
  Occupancy least = occupancy(problem, plan, target, registersLeft(plan, target));
  return least.blocks < modelled.blocks ? least : modelled;
}

Estimate planning::notBelowRoofline(Estimate modelled, const Problem &problem,
                                    blas::TargetAttr target) {
  double least = roofline(problem, target).seconds();
  modelled.seconds = std::max(modelled.seconds, least);
  modelled.deviceSeconds = std::max(modelled.deviceSeconds, least);
  return modelled;
}

Estimate planning::estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  return estimate(problem, plan, target, residentOf(problem, plan, target));
}

Estimate planning::estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                            const Occupancy &resident) {
  if (resident.blocks < 1) {
    Estimate nothing;
    nothing.occupancy = resident;
    return nothing;
  }
  Estimate modelled = price(factsOf(problem, plan, target, resident), ChipRates(target), resident);
  return notBelowRoofline(modelled, problem, target);
}

double planning::packSeconds(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  const blas::CalibrationData &per = target::calibrationOf(target);
  double bytes = 2 * packedBytes(problem, plan);
  double launches = (plan.a.pack ? 1 : 0) + (plan.b.pack ? 1 : 0);
  double allocated = plan.packs() && !problem.hasWorkspace ? per.allocation : 0;
  return 1e-9 * (bytes / target->dramCopyGBps + per.nextLaunch * launches + allocated);
}

double planning::codeOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  KernelFacts facts = factsOf(problem, plan, target, residentOf(problem, plan, target));
  return facts.code + kKernelCode * facts.launches;
}

blas::PriceAttr planning::wavePrice(const Problem &problem, const Plan &plan,
                                    blas::TargetAttr target) {
  ChipRates chip(target);
  Occupancy resident = surelyHeld(problem, plan, target);
  auto wave = [&](int64_t ofUnit, bool followed) {
    return waveClocks(waveFactsOf(problem, plan, target, resident, ofUnit), chip, followed);
  };
  auto picoseconds = [&](double clocks) -> int64_t {
    return std::llround(std::max(0.0, clocks) / chip.clocksPerSecond * 1e12);
  };
  WaveClocks one = wave(1, /*followed=*/false), full = wave(resident.blocks, /*followed=*/true);
  int64_t step = picoseconds(one.step), rest = picoseconds(one.rest);
  return blas::PriceAttr::get(target.getContext(), unitsFilled(plan, target) * plan.matrices,
                              resident.blocks, picoseconds(one.start), step, rest,
                              std::max(step, picoseconds(full.step)),
                              std::max(rest, picoseconds(full.rest)));
}
