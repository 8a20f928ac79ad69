//===- Traffic.cpp - What a kernel reads and writes where -----------------===//

#include "rooftile/Planning/Cost/Traffic.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Reduction.h"

using namespace rooftile;
using namespace rooftile::planning;

// Energy in accesses to 32 bits of a vector register.

/// A multiply-add of 32 bits without its registers, and what a chip needs idle in the time of one
/// at its peak. From the power of an MI60 at 1700 and 1500 MHz with the same SGEMM, 284 and 265 W
/// of which 42 idle, 240 and 223 W of which 36: accumulators that are forwarded save 1.75 accesses
/// of each multiply-add, and 10 and 11 % of the power.
static constexpr double kMultiplyAdd = 13.5, kIdle = 2;
/// Memories by their size: Horowitz, "Computing's energy problem" (ISSCC 2014), SRAM of 8 KB, 32 KB
/// and 1 MB. DRAM in the package: O'Connor et al. (MICRO 2017), 4 pJ a bit.
static constexpr double kShared = 2, kCache = 10, kMemory = 25;

/// Threads of a group and the elements of their micro tiles, of one dimension and both.
static double fragmentsOf(const Plan &plan, bool isA) {
  return double(plan.threads()) / plan.slicedK * (isA ? plan.microM : plan.microN);
}

static OperandTraffic operandTraffic(const Problem &problem, const Plan &plan, bool isA,
                                     blas::TargetAttr target) {
  const Path &path = isA ? plan.a : plan.b;
  const tile::Instruction *unit = plan.instruction;
  double tile = double(isA ? plan.macroM : plan.macroN) * plan.matrices;
  double products = double(plan.macroM) * plan.macroN * plan.matrices;
  OperandTraffic traffic;
  traffic.loaded = !isA && sharesTile(problem, plan) ? 0 : tile;
  if (path.via == blas::Via::Scalar) {
    traffic.scalarWritten = fragmentsOf(plan, isA) / target->subgroup;
    return traffic;
  }
  // A matrix instruction reads a fragment once for all its columns (rows).
  traffic.registersRead = products / (unit ? (isA ? unit->n : unit->m) : 1);
  traffic.registersWritten =
      unit ? products / (isA ? plan.microN * plan.lanesN : plan.microM * plan.lanesM)
           : fragmentsOf(plan, isA);
  if (path.isDirect())
    return traffic;
  traffic.sharedRead = traffic.registersWritten;
  traffic.sharedWritten = traffic.loaded;
  if (path.copy == blas::Copy::Register)
    traffic.registersWritten += traffic.loaded;
  return traffic;
}

Traffic planning::trafficOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  Traffic traffic;
  traffic.a = operandTraffic(problem, plan, true, target);
  traffic.b = operandTraffic(problem, plan, false, target);
  traffic.multiplyAdds = double(plan.macroM) * plan.macroN * plan.matrices;
  bool isScalar = plan.a.via == blas::Via::Scalar || plan.b.via == blas::Via::Scalar;
  double forwarded = plan.instruction ? plan.instruction->k : isScalar ? plan.depth : 1;
  traffic.sums = 2 * traffic.multiplyAdds / forwarded;
  return traffic;
}

Energy planning::energyOf(const Problem &problem, const Plan &plan, const Estimate &estimate,
                          blas::TargetAttr target) {
  Traffic traffic = trafficOf(problem, plan, target);
  double matrices = tilesOf(problem, plan) * problem.k / plan.matrices; // K elements of workgroups
  double wordsA = problem.a.elementBytes / 4.0, wordsB = problem.b.elementBytes / 4.0;
  double wordsC = problem.elementBytes / 4.0, real = problem.realBytes / 4.0;
  double products = realProducts(problem, plan);
  const OperandTraffic &a = traffic.a, &b = traffic.b;
  Energy energy;
  energy.registers =
      matrices * (a.registers() * wordsA + b.registers() * wordsB + a.scalarWritten * wordsA +
                  b.scalarWritten * wordsB + traffic.sums * wordsC);
  energy.shared = kShared * matrices * (a.shared() * wordsA + b.shared() * wordsB);
  energy.cache = kCache * matrices * (a.loaded * wordsA + b.loaded * wordsB);
  energy.memory =
      kMemory / 4 *
      (estimate.dramBytes + packedBytes(problem, plan) * 2 +
       problem.bytesOfC() * (problem.readsC ? 2 : 1) + 2 * workspaceBytes(problem, plan));
  energy.multipliers = kMultiplyAdd * matrices * traffic.multiplyAdds * products * real;
  energy.idle = kIdle * real * fmaPerSecond(problem.realBytes, target) * estimate.seconds;
  return energy;
}
