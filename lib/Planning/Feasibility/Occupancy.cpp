//===- Occupancy.cpp - Shared memory, threads, resident workgroups --------===//

#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "rooftile/Planning/Feasibility/Registers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

/// Accumulator registers for each that an element of C on its way takes on AMD GPUs: beta took 18
/// to 43 more beside 64 to 128 (C3).
static constexpr int64_t kAccumulatorsPerArriving = 3;

llvm::StringRef planning::toString(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::Shared:
    return "shared memory";
  case OccupancyLimit::Threads:
    return "threads";
  case OccupancyLimit::Workgroups:
    return "resident workgroups";
  }
  return "";
}

/// (C4) Registers are given to subgroups in granules, from the file of one scheduler.
static int64_t blocksByRegisters(int64_t registers, int64_t subgroups, blas::TargetAttr target) {
  int64_t ofSubgroup = llvm::alignTo(registers * target.getSubgroup(), target.getRegisterGranule());
  int64_t ofScheduler = target.getRegistersPerUnit() / target.getSchedulersPerUnit();
  return ofScheduler / ofSubgroup * target.getSchedulersPerUnit() / subgroups;
}

int64_t planning::registersLeft(const Plan &plan, blas::TargetAttr target) {
  int64_t schedulers = target.getSchedulersPerUnit();
  int64_t subgroups = llvm::divideCeil(plan.threads(), target.getSubgroup());
  int64_t ofScheduler = llvm::divideCeil(subgroups * plan.residency, schedulers);
  int64_t ofSubgroup = target.getRegistersPerUnit() / schedulers / ofScheduler;
  return std::min<int64_t>(target.getRegistersPerThread(),
                           llvm::alignDown(ofSubgroup, target.getRegisterGranule()) /
                               target.getSubgroup());
}

Occupancy planning::occupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                              int64_t registers) {
  Occupancy result;
  result.registers = registers > 0 ? registers
                                   : std::min(heldRegisters(problem, plan, target.getVendor()),
                                              target.getRegistersPerThread());
  result.sharedBytes = planning::sharedBytes(problem, plan);
  result.threads = plan.threads();
  int64_t subgroups = llvm::divideCeil(result.threads, target.getSubgroup());
  int64_t shared = llvm::alignTo(result.sharedBytes + target.getSharedBytesReserved(),
                                 target.getSharedGranule());
  result.blocks = target.getBlocksPerUnit();
  auto limitTo = [&](int64_t blocks, OccupancyLimit limit) {
    if (blocks >= result.blocks)
      return;
    result.blocks = blocks;
    result.limit = limit;
  };
  limitTo(target.getThreadsPerUnit() / (subgroups * target.getSubgroup()), OccupancyLimit::Threads);
  if (shared > 0)
    limitTo(target.getSharedBytesPerUnit() / shared, OccupancyLimit::Shared);
  limitTo(blocksByRegisters(result.registers, subgroups, target), OccupancyLimit::Registers);
  if (result.registers > target.getRegistersPerThread())
    limitTo(0, OccupancyLimit::Registers);
  return result;
}

/// (C3) Elements of C on their way to the sums on AMD GPUs, where beta is not 0.
static int64_t arrivingOfC(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  bool counts = vendor == blas::Vendor::Amd && problem.readsC && plan.splits == 1;
  int64_t accumulators = plan.microM * plan.microN * problem.registersPerElement();
  return counts ? llvm::divideCeil(accumulators, kAccumulatorsPerArriving) : 0;
}

int64_t planning::surelyResident(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                                 const Occupancy &modelled) {
  double surely = needsOf(target.getVendor()).surely;
  if (surely == 1)
    return std::max<int64_t>(1, modelled.blocks);
  int64_t most =
      std::min<int64_t>(std::ceil(modelled.registers * surely), target.getRegistersPerThread());
  most += arrivingOfC(problem, plan, target.getVendor());
  return std::max<int64_t>(1, occupancy(problem, plan, target, most).blocks);
}

bool planning::surelyExchanges(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  if (plan.c != blas::Via::Shared || plan.reducesInShared())
    return true;
  int64_t accesses = plan.microM * plan.microN / std::min(plan.vector, problem.c.maxVector);
  // Addresses that strides make known share registers.
  int64_t shared = problem.knownM && problem.knownN ? 1 : 2;
  return accesses * shared <= needsOf(target.getVendor()).accessesOfC;
}

bool planning::surelyFits(int64_t registers, blas::TargetAttr target) {
  return registers * needsOf(target.getVendor()).surely <= target.getRegistersPerThread();
}
