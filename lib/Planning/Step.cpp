//===- Step.cpp - The cost of one step of the K loop ----------------------===//
//
// One workgroup loads macro M x macro K of A and macro K x macro N of B, stores
// them to shared memory, and multiplies them slice by slice. AutoGEMM's ratios
// 2GH/(G+H) for global and 2PQ/(P+Q) for local memory are (C9) and (C7) here,
// in bytes and clocks of the chip at hand.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "Bulk.h"
#include "Copying.h"
#include "Fragments.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Planning/Constants.h"

using namespace rooftile;
using namespace rooftile::planning;

double planning::fmaPerSecond(int64_t realBytes, blas::TargetAttr target) {
  bool single = realBytes == 4;
  int64_t measured = single ? target.getFmaF32GFlops() : target.getFmaF64GFlops();
  if (measured > 0)
    return measured * 1e9 / 2;
  int64_t perClock = single ? target.getFmaF32PerClock() : target.getFmaF64PerClock();
  return double(perClock) * target.getUnits() * target.getClockMHz() * 1e6;
}

double planning::multiplyAddsPerSecond(const Problem &problem, const Plan &plan,
                                       blas::TargetAttr target) {
  if (!plan.instruction)
    return fmaPerSecond(problem.realBytes, target);
  blas::InstructionRateAttr rate = target.getRateOf(plan.instruction->machine);
  return rate ? rate.getGflops() * 1e9 / 2 : 0;
}

/// (C7) Clocks of one subgroup for the fragments of one slice along one dimension:
/// `runs` reads of `vector` elements a lane, from `lanes` different places. Lanes of a
/// matrix instruction share no element: each of the subgroup's is read once.
static double fragmentClocks(const Problem &problem, const Plan &plan, bool isA,
                             blas::TargetAttr target) {
  int64_t micro = isA ? plan.microM : plan.microN, lanes = isA ? plan.lanesM : plan.lanesN;
  int64_t elementBytes = (isA ? problem.a : problem.b).elementBytes;
  const Path &path = isA ? plan.a : plan.b;
  double replays = fragmentReplays(problem, plan, isA, target);
  if (plan.instruction)
    return replays * micro * lanes * elementBytes / target.getSharedBytesPerClock();
  int64_t vector = fragmentVector(plan, path, elementBytes);
  double runs = replays * micro / vector, width = target.getSharedBytesPerClock();
  double bytes = double(vector) * elementBytes;
  double distinct = lanes * bytes / width;
  double returned = target.getSubgroup() * bytes / (width * constants::kBroadcast);
  return runs * std::max({1.0, distinct, returned});
}

/// (C7) Clocks of all threads to store one operand's tile to shared memory.
static double storeClocks(const Plan &plan, const Path &path, const Matrix &matrix, int64_t extent,
                          blas::TargetAttr target) {
  int64_t elementBytes = matrix.elementBytes;
  if (path.via == blas::Via::Register)
    return 0;
  double clocks = double(copiedElements(path, extent, plan.macroK)) * elementBytes /
                  target.getSharedBytesPerClock();
  return clocks * storeReplays({matrix, path, extent}, plan, target);
}

/// (C9) Bytes that move for one operand's tile, in whole sectors.
static double tileBytes(const Plan &plan, const Path &path, const Matrix &matrix, int64_t extent) {
  int64_t elementBytes = matrix.elementBytes;
  int64_t copied = copiedElements(path, extent, plan.macroK);
  // Of one line all threads copy alike, what the next tile begins with, too.
  if (path.flat)
    return double(llvm::alignTo(copied, plan.threads() * path.vector)) * elementBytes;
  double elements = copied;
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
      problem.realBytes == 4 ? target.getFmaF32PerClock() : target.getFmaF64PerClock();
  return std::max(1.0, double(perClock) / (target.getSchedulersPerUnit() * target.getSubgroup()));
}

/// (C7) Clocks of the port for the lines of memory that the accesses to one operand's tile touch.
static double lineClocks(const TileCopy &copy, const Plan &plan) {
  const auto &[matrix, path, extent] = copy;
  int64_t elementBytes = matrix.elementBytes;
  if (path.via == blas::Via::Register || blas::arrivesInBulk(path.copy))
    return 0;
  int64_t width = path.copy == blas::Copy::Async ? storedVector(matrix, path) : path.vector;
  double bytes = double(copyLanes(matrix, path, extent, plan)) * width * elementBytes;
  double lines = double(copiedElements(path, extent, plan.macroK)) * elementBytes /
                 std::min(bytes, double(blas::kLineBytes));
  bool async = path.copy == blas::Copy::Async;
  return lines * (async ? constants::kAsyncLineClocks : constants::kLineClocks);
}

/// (C8) Instructions of one thread that bring one operand's tile to shared memory, or its
/// fragments to registers.
static double transport(const Path &path, const Matrix &matrix, int64_t extent, const Plan &plan) {
  double elements = double(copiedElements(path, extent, plan.macroK)) / plan.threads();
  if (path.via == blas::Via::Register) {
    int64_t micro = &path == &plan.a ? plan.microM : plan.microN;
    return double(plan.ownK()) * micro / path.vector * (1 + constants::kAddressSlots);
  }
  if (blas::arrivesInBulk(path.copy))
    return bulkInstructions(path, plan);
  bool async = path.copy == blas::Copy::Async;
  double loads =
      async ? elements / storedVector(matrix, path) * planesOf(path) : elements / path.vector;
  double stores = async ? 0 : elements / storedVector(matrix, path) * planesOf(path);
  return stores + loads * (1 + constants::kAddressSlots);
}

double planning::fragmentElements(const Plan &plan, int64_t micro, int64_t lanes) {
  return plan.instruction ? double(micro) * lanes / plan.instruction->lanes() : micro;
}

/// (C6) Additions of one thread behind a step whose sums are compensated: CompensatedSummation.h
/// counts them.
static double compensation(const Problem &problem, const Plan &plan) {
  if (!plan.compensates())
    return 0;
  double parts = double(problem.elementBytes) / problem.realBytes;
  return constants::kCompensation * parts * plan.microM * plan.microN;
}

/// (C8) Multiplying instructions of one thread in one step.
static double multiplications(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  double products = double(plan.ownK()) * plan.microM * plan.microN * realProducts(problem, plan);
  if (const tile::Instruction *own = plan.instruction)
    return products * own->lanes() / (own->m * own->n * own->k);
  return products / fmasPerSlot(problem, target);
}

/// (C8) Instructions of one thread in one step.
static double instructions(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto reads = [&](const Path &path, const Matrix &matrix, int64_t micro, int64_t lanes) {
    double elements = plan.ownK() * fragmentElements(plan, micro, lanes);
    // Elements narrower than the sums are converted, each real number by itself.
    bool narrow = matrix.elementBytes < matrix.components * problem.realBytes;
    double converted = narrow ? elements * matrix.components : 0;
    // Three products take the sum of both parts.
    converted += plan.products == 3 ? elements : 0;
    int64_t vector = fragmentVector(plan, path, matrix.elementBytes);
    double read = elements / vector * planesOf(path);
    return converted + (path.via == blas::Via::Shared ? read : 0);
  };
  return multiplications(problem, plan, target) + compensation(problem, plan) +
         reads(plan.a, problem.a, plan.microM, plan.lanesM) +
         reads(plan.b, problem.b, plan.microN, plan.lanesN) +
         transport(plan.a, problem.a, plan.macroM, plan) +
         transport(plan.b, problem.b, plan.macroN, plan);
}

Step planning::stepOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  double subgroups = std::ceil(double(plan.threads()) / target.getSubgroup());
  double clockHz = target.getClockMHz() * 1e6;
  Step step;
  // (C6) A subgroup that is not full takes as long as a full one.
  double products = subgroups * target.getSubgroup() * plan.microM * plan.microN * plan.ownK() *
                    realProducts(problem, plan);
  step.fma = products * target.getUnits() * clockHz / multiplyAddsPerSecond(problem, plan, target);
  double added = subgroups * target.getSubgroup() * compensation(problem, plan);
  step.fma += added * target.getUnits() * clockHz / fmaPerSecond(problem.realBytes, target);
  step.l2Bytes = tileBytes(plan, plan.a, problem.a, plan.macroM) +
                 tileBytes(plan, plan.b, problem.b, plan.macroN);
  // (C7) Fragment reads, stores, and the loads from global memory share one port.
  double fragments =
      fragmentClocks(problem, plan, true, target) + fragmentClocks(problem, plan, false, target);
  step.shared = subgroups * plan.ownK() * fragments +
                storeClocks(plan, plan.a, problem.a, plan.macroM, target) +
                storeClocks(plan, plan.b, problem.b, plan.macroN, target);
  if (!plan.instruction)
    step.shared += lineClocks({problem.a, plan.a, plan.macroM}, plan) +
                   lineClocks({problem.b, plan.b, plan.macroN}, plan) +
                   step.l2Bytes / target.getSharedBytesPerClock();
  step.issue = subgroups * instructions(problem, plan, target) / target.getSchedulersPerUnit();
  addStalls(step, problem, plan, target);
  return step;
}

double planning::codeOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  double step = instructions(problem, plan, target);
  double moves = transport(plan.a, problem.a, plan.macroM, plan) +
                 transport(plan.b, problem.b, plan.macroN, plan);
  bool async = plan.a.copy == blas::Copy::Async || plan.b.copy == blas::Copy::Async;
  double code = async ? step : plan.stages * step;
  code += (plan.stages - 1) * moves;
  bool another = plan.reduction == blas::Reduction::Workspace ||
                 (plan.reduction == blas::Reduction::Atomic && !problem.adds);
  return code + (another ? constants::kKernelCode : 0);
}
