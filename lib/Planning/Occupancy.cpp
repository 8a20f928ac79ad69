//===- Occupancy.cpp - Registers, shared memory, threads, slots -----------===//

#include "rooftile/Planning/Occupancy.h"
#include "rooftile/Planning/Constants.h"
#include "llvm/Support/MathExtras.h"

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
  case OccupancyLimit::Slots:
    return "slots";
  }
  return "";
}

/// More addresses than this are made from each other, not kept.
static constexpr int64_t kMaxAddresses = 8;

int64_t planning::registersPerThread(const Plan &plan, int64_t elementBytes) {
  int64_t threads = plan.threads();
  auto staged = [&](const Path &path, int64_t extent) {
    return path.via == blas::Via::Shared ? llvm::divideCeil(extent * plan.macroK, threads) : 0;
  };
  int64_t accumulators = plan.microM * plan.microN;
  int64_t fragments = constants::kFragmentSets * (plan.microM + plan.microN);
  int64_t staging = staged(plan.a, plan.macroM) + staged(plan.b, plan.macroN);
  auto loads = [&](const Path &path, int64_t extent) {
    return path.via == blas::Via::Shared
               ? llvm::divideCeil(extent * plan.macroK, threads * path.vector)
               : 0;
  };
  int64_t inFlight = loads(plan.a, plan.macroM) + loads(plan.b, plan.macroN);
  // (C3) Leap-frog holds the next tile in registers while it multiplies this one.
  int64_t moving = plan.stages > 1 ? fragments + staging : std::max(fragments, staging);
  return (accumulators + moving) * (elementBytes / 4) +
         std::min(inFlight, kMaxAddresses) * constants::kRegistersPerLoad +
         constants::kAddressRegisters;
}

/// (C4) Registers are given to subgroups in granules, from the file of one scheduler.
static int64_t blocksByRegisters(int64_t registers, int64_t subgroups, blas::TargetAttr target) {
  int64_t ofSubgroup = llvm::alignTo(registers * target.getSubgroup(), target.getRegisterGranule());
  int64_t ofScheduler = target.getRegistersPerUnit() / target.getSchedulersPerUnit();
  return ofScheduler / ofSubgroup * target.getSchedulersPerUnit() / subgroups;
}

Occupancy planning::occupancy(const Plan &plan, int64_t elementBytes, blas::TargetAttr target,
                              int64_t registers) {
  Occupancy result;
  result.registers = registers > 0 ? registers : registersPerThread(plan, elementBytes);
  result.sharedBytes = plan.sharedBytes(elementBytes);
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
