//===- Occupancy.cpp - Shared memory, threads, resident workgroups --------===//

#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

llvm::StringRef planning::toString(OccupancyLimit limit) {
  static constexpr llvm::StringLiteral names[] = {"registers", "shared memory", "threads",
                                                  "resident workgroups"};
  return names[static_cast<int>(limit)];
}

/// (C4) Registers are given to subgroups in granules, from the file of one scheduler.
static int64_t blocksByRegisters(int64_t registers, int64_t subgroups, blas::TargetAttr target) {
  int64_t ofSubgroup = llvm::alignTo(registers * target->subgroup, target->registerGranule);
  int64_t ofScheduler = target->registersPerUnit / target->schedulersPerUnit;
  return ofScheduler / ofSubgroup * target->schedulersPerUnit / subgroups;
}

int64_t planning::registersLeft(const Plan &plan, blas::TargetAttr target) {
  int64_t schedulers = target->schedulersPerUnit;
  int64_t subgroups = llvm::divideCeil(plan.threads(), target->subgroup);
  int64_t ofScheduler = llvm::divideCeil(subgroups * plan.residency, schedulers);
  int64_t ofSubgroup = target->registersPerUnit / schedulers / ofScheduler;
  return std::min<int64_t>(target->registersPerThread,
                           llvm::alignDown(ofSubgroup, target->registerGranule) / target->subgroup);
}

Occupancy planning::occupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                              int64_t registers) {
  Occupancy result;
  result.registers = registers > 0 ? registers
                                   : std::min(heldRegisters(problem, plan, target->vendor),
                                              target->registersPerThread);
  result.sharedBytes = planning::sharedBytes(problem, plan);
  result.threads = plan.threads();
  int64_t subgroups = llvm::divideCeil(result.threads, target->subgroup);
  int64_t shared =
      llvm::alignTo(result.sharedBytes + target->sharedBytesReserved, target->sharedGranule);
  result.blocks = target->blocksPerUnit;
  auto limitTo = [&](int64_t blocks, OccupancyLimit limit) {
    if (blocks >= result.blocks)
      return;
    result.blocks = blocks;
    result.limit = limit;
  };
  limitTo(target->threadsPerUnit / (subgroups * target->subgroup), OccupancyLimit::Threads);
  if (shared > 0)
    limitTo(target->sharedBytesPerUnit / shared, OccupancyLimit::Shared);
  limitTo(blocksByRegisters(result.registers, subgroups, target), OccupancyLimit::Registers);
  if (result.registers > target->registersPerThread)
    limitTo(0, OccupancyLimit::Registers);
  return result;
}
