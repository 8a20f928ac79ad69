//===- Traffic.h - What a kernel reads and writes where ---------*- C++ -*-===//
//
// Accesses to registers, shared memory and caches, and the energy that they need. Nobody measured
// the energy of a plan: figures are for comparing plans, in accesses to a vector register.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_COST_TRAFFIC_H
#define ROOFTILE_PLANNING_COST_TRAFFIC_H

#include "rooftile/Planning/Cost/Estimate.h"

namespace rooftile::planning {

/// Elements of A or B that a workgroup moves for one K element. Registers are those of threads: a
/// subgroup reads as many elements at a time as it has lanes.
struct OperandTraffic {
  double loaded = 0;           ///< From the L2 cache, each once.
  double scalarWritten = 0;    ///< To scalar registers, which a subgroup shares.
  double registersWritten = 0; ///< On their way to shared memory, and as fragments.
  double registersRead = 0;    ///< By multiply-adds.
  double sharedWritten = 0, sharedRead = 0;

  double registers() const { return registersWritten + registersRead; }
  double shared() const { return sharedWritten + sharedRead; }
};

/// That of a workgroup for one K element.
struct Traffic {
  OperandTraffic a, b;
  double sums = 0; ///< Accumulators that are read or written in registers.
  double multiplyAdds = 0;

  double registers() const { return a.registers() + b.registers() + sums; }
  double shared() const { return a.shared() + b.shared(); }
};

/// (C30) Where multiply-adds of one accumulator follow each other (`via = scalar`), it is read and
/// written once for all K elements of a slice: the unit forwards it to itself.
Traffic trafficOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Energy of a kernel by where it goes, in accesses to 32 bits of a vector register.
struct Energy {
  double registers = 0, shared = 0, cache = 0, memory = 0;
  double multipliers = 0; ///< With the issue of their instructions.
  double idle = 0;        ///< Power of an idle chip in that time.

  double total() const { return registers + shared + cache + memory + multipliers + idle; }
};

/// (C31) `estimate` is that of `plan`.
Energy energyOf(const Problem &problem, const Plan &plan, const Estimate &estimate,
                blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_TRAFFIC_H
