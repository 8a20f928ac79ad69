//===- Step.cpp - The cost of one step of the K loop ----------------------===//
//
// One workgroup loads macro M x macro K of A and macro K x macro N of B, stores
// them to shared memory, and multiplies them slice by slice. AutoGEMM's ratios
// 2GH/(G+H) for global and 2PQ/(P+Q) for local memory are (C9) and (C7) here,
// in bytes and clocks of the chip at hand.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "rooftile/Planning/Constants.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

double planning::fmaPerSecond(int64_t elementBytes, blas::TargetAttr target) {
  bool single = elementBytes == 4;
  int64_t measured = single ? target.getFmaF32GFlops() : target.getFmaF64GFlops();
  if (measured > 0)
    return measured * 1e9 / 2;
  int64_t perClock = single ? target.getFmaF32PerClock() : target.getFmaF64PerClock();
  return double(perClock) * target.getUnits() * target.getClockMHz() * 1e6;
}

/// (C7) Clocks of one subgroup for the fragments of one slice along one dimension:
/// `runs` reads of `vector` elements a lane, from `lanes` different places.
static double fragmentClocks(int64_t micro, int64_t lanes, const Plan &plan, int64_t elementBytes,
                             blas::TargetAttr target) {
  double runs = double(micro) / plan.vector, width = target.getSharedBytesPerClock();
  double bytes = double(plan.vector) * elementBytes;
  double distinct = lanes * bytes / width;
  double returned = target.getSubgroup() * bytes / (width * constants::kBroadcast);
  return runs * std::max({1.0, distinct, returned});
}

/// (C7) How many lanes of a transposing store meet in one bank. Lane l of a
/// subgroup holds `vector` elements along K of row l / (K / vector).
static double bankConflicts(const Plan &plan, const Path &path, int64_t extent,
                            int64_t elementBytes, blas::TargetAttr target) {
  int64_t banks = target.getSharedBanks() * 4 / elementBytes;
  int64_t lanesAlongK = std::max<int64_t>(1, plan.macroK / path.vector);
  int64_t rows = std::max<int64_t>(1, std::min(target.getSubgroup(), banks) / lanesAlongK);
  int64_t rowsApart = path.vector * (extent + path.pad) % banks;
  if (rowsApart == 0)
    return std::min(lanesAlongK, banks);
  // Runs of `rows` banks start `rowsApart` apart, modulo the number of banks.
  int64_t period = banks / std::gcd(rowsApart, banks);
  double onOneStart = std::max(1.0, double(lanesAlongK) / period);
  double overlap = std::max(1.0, double(rows) * std::min(period, lanesAlongK) / banks);
  return onOneStart * overlap;
}

/// (C7) Clocks of all threads to store one operand's tile to shared memory.
static double storeClocks(const Plan &plan, const Path &path, const Matrix &matrix, int64_t extent,
                          int64_t elementBytes, blas::TargetAttr target) {
  double clocks = double(extent) * plan.macroK * elementBytes / target.getSharedBytesPerClock();
  if (matrix.contiguous == Contiguous::Inner)
    return clocks * bankConflicts(plan, path, extent, elementBytes, target);
  return clocks;
}

/// (C9) Bytes that move for one operand's tile, in whole sectors.
static double tileBytes(const Plan &plan, const Matrix &matrix, int64_t extent,
                        int64_t elementBytes) {
  double elements = double(extent) * plan.macroK;
  if (matrix.contiguous == Contiguous::None)
    return elements * std::max(constants::kSectorBytes, elementBytes);
  int64_t run = (matrix.contiguous == Contiguous::Inner ? plan.macroK : extent) * elementBytes;
  int64_t sectors = (run + constants::kSectorBytes - 1) / constants::kSectorBytes;
  return elements * elementBytes * sectors * constants::kSectorBytes / run;
}

/// (C8) Multiply-adds of one lane that a scheduler issues at once: 2 where they are
/// packed or issue in pairs.
static double fmasPerSlot(const Problem &problem, blas::TargetAttr target) {
  int64_t perClock =
      problem.elementBytes == 4 ? target.getFmaF32PerClock() : target.getFmaF64PerClock();
  return std::max(1.0, double(perClock) / (target.getSchedulersPerUnit() * target.getSubgroup()));
}

/// (C8) Instructions of one thread in one step.
static double instructions(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  double threads = plan.threads();
  double loadsA = plan.macroM * plan.macroK / (threads * plan.a.vector);
  double loadsB = plan.macroN * plan.macroK / (threads * plan.b.vector);
  bool turnsA = problem.a.contiguous == Contiguous::Inner;
  bool turnsB = problem.b.contiguous == Contiguous::Inner;
  double stores = loadsA * (turnsA ? plan.a.vector : 1) + loadsB * (turnsB ? plan.b.vector : 1);
  double fragments = double(plan.macroK) * (plan.microM + plan.microN) / plan.vector;
  double multiplications =
      double(plan.macroK) * plan.microM * plan.microN / fmasPerSlot(problem, target);
  return multiplications + fragments + stores + (loadsA + loadsB) * (1 + constants::kAddressSlots);
}

Step planning::stepOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  int64_t bytes = problem.elementBytes;
  double subgroups = std::ceil(double(plan.threads()) / target.getSubgroup());
  double clockHz = target.getClockMHz() * 1e6;
  Step step;
  // (C6) A subgroup that is not full takes as long as a full one.
  double multiplications =
      subgroups * target.getSubgroup() * plan.microM * plan.microN * plan.macroK;
  step.fma = multiplications * target.getUnits() * clockHz / fmaPerSecond(bytes, target);
  step.l2Bytes = tileBytes(plan, problem.a, plan.macroM, bytes) +
                 tileBytes(plan, problem.b, plan.macroN, bytes);
  // (C7) Fragment reads, stores, and the loads from global memory share one port.
  double fragments = fragmentClocks(plan.microM, plan.lanesM, plan, bytes, target) +
                     fragmentClocks(plan.microN, plan.lanesN, plan, bytes, target);
  step.shared = subgroups * plan.macroK * fragments +
                storeClocks(plan, plan.a, problem.a, plan.macroM, bytes, target) +
                storeClocks(plan, plan.b, problem.b, plan.macroN, bytes, target) +
                step.l2Bytes / target.getSharedBytesPerClock();
  step.issue = subgroups * instructions(problem, plan, target) / target.getSchedulersPerUnit();
  // (C11) Waits for fragments, slice by slice, and for barriers.
  double ofSlice = target.getSharedLatencyCycles() +
                   constants::kReadClocks * (plan.microM + plan.microN) / plan.vector;
  step.waits = plan.macroK * ofSlice + (plan.stages > 1 ? 1 : 2) * constants::kBarrierClocks;
  return step;
}
