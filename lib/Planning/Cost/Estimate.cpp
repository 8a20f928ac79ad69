//===- Estimate.cpp - How long a plan takes -------------------------------===//

#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Planning/Cost/Price.h"
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

Estimate planning::estimate(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  Occupancy resident = residentOf(problem, plan, target);
  if (resident.blocks < 1) {
    Estimate nothing;
    nothing.occupancy = resident;
    return nothing;
  }
  return price(factsOf(problem, plan, target, resident), ChipRates(target), resident);
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
