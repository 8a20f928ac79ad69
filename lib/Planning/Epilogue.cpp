//===- Epilogue.cpp - From the last step to C -----------------------------===//

#include "Epilogue.h"
#include "Dram.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Estimate.h"
#include "rooftile/Planning/Reduction.h"

using namespace rooftile;
using namespace rooftile::planning;

std::array<double, 2> planning::epilogueSeconds(const Problem &problem, const Plan &plan,
                                                blas::TargetAttr target, int64_t blocks,
                                                int64_t active) {
  bool partial = plan.reduction == blas::Reduction::Workspace;
  double bytes = double(active) * plan.macroM * plan.macroN *
                 (partial ? problem.elementBytes : problem.c.elementBytes);
  double clock = target.getClockMHz() * 1e6;
  double latency = target.getDramLatencyCycles() / clock, l2Rate = 1e9 * target.getL2GBps();
  double exchange = exchangeClocks(problem, plan, blocks, target) / clock;
  double parts = sectorTouches(problem, plan);
  bool cached = isCached(workspaceBytes(problem, plan), target);
  switch (plan.reduction) {
  case blas::Reduction::Workspace:
    bytes *= parts / (cached ? l2Rate : dramRate(0, 1, target));
    return {latency + exchange + bytes, bytes};
  case blas::Reduction::Atomic:
    bytes *= constants::kAtomicCost / l2Rate;
    return {latency + bytes, bytes};
  case blas::Reduction::Cluster:
    bytes /= plan.splits;
    break;
  case blas::Reduction::None:
    break;
  }
  double touches = problem.readsC ? 2 : 1, rate = dramRate(problem.readsC ? 1 : 0, 1, target);
  // Memory takes the parts of a sector, which matrix instructions write far apart, as long each as
  // a whole one.
  double again = plan.instruction && !isCached(problem.bytesOfC(), target) ? parts : 1;
  double seconds = std::max(bytes * again / rate, bytes * parts / l2Rate);
  // Extra operands of an epilogue are read with it.
  double extra = bytes * problem.extraBytes / std::max(1.0, problem.bytesOfC());
  double busy = touches * seconds + extra / dramRate(1, 0, target);
  return {busy + touches * latency + exchange, busy};
}
