//===- Occupancy.cpp - Shared memory, threads, resident workgroups --------===//

#include "rooftile/Planning/Occupancy.h"
#include "Registers.h"
#include "rooftile/Planning/Constants.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

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

Occupancy planning::occupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                              int64_t registers) {
  Occupancy result;
  result.registers =
      registers > 0 ? registers : registersPerThread(problem, plan, target.getVendor());
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
  return counts ? llvm::divideCeil(accumulators, constants::kAccumulatorsPerArriving) : 0;
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

bool planning::isCached(double bytes, blas::TargetAttr target) {
  return bytes <= constants::kCacheShare * target.getL2Bytes();
}

double planning::sectorTouches(const Problem &problem, const Plan &plan) {
  if (plan.exchangesC())
    return 1;
  // A lane of a matrix instruction holds two columns for each of B that it reads at once; of one
  // whose operands are exchanged, two rows.
  int64_t columns = plan.instruction && !plan.instruction->isExchanged() ? 2 : 1;
  int64_t run = columns * plan.vector * problem.c.elementBytes;
  int64_t access = problem.c.maxVector * problem.c.elementBytes;
  return std::max(1.0, std::min<double>(run, constants::kSectorBytes) / access);
}

bool planning::surelyExchanges(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  int64_t accesses = plan.microM * plan.microN / std::min(plan.vector, problem.c.maxVector);
  return accesses <= needsOf(target.getVendor()).accessesOfC;
}

bool planning::surelyFits(int64_t registers, blas::TargetAttr target) {
  return registers * needsOf(target.getVendor()).surely <= target.getRegistersPerThread();
}
