//===- Sweep.cpp - How all threads of a workgroup solve vectors -----------===//

#include "rooftile/Planning/Search/Sweep.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;
using blas::kSweepRows;

/// Threads that are evaluated; and vectors, up to the most that a workgroup can have.
static constexpr int64_t kThreads[] = {32, 64, 128, 256, 512};
/// Registers of a thread beside those that it keeps: the rows that one solves with the elements of
/// T that are on their way to it, and addresses.
static constexpr int64_t kWorkRegisters = 96;
/// Instructions that copy an element of T to shared memory: a load, a store, and three of
/// addresses.
static constexpr double kSlotsOfCopy = 5;

/// Multiply-adds of the rows of one thread in a step, all of them code: 16 bytes each on NVIDIA
/// GPUs, so that they stay in the caches of instructions.
static constexpr int64_t kMostMultiplyAdds = 1024;

/// Workgroups that a unit has at the same time; 0 where not even one has room.
static int64_t workgroupsOfUnit(const blas::SweptBlock &block, int64_t realProducts,
                                blas::TargetAttr target) {
  int64_t registers = kWorkRegisters + block.registers();
  if (block.registers() > blas::kMostSweptRegisters || registers > target->registersPerThread ||
      block.bytes() > target->sharedBytesPerBlock ||
      block.stripes * kSweepRows * block.vectors * realProducts > kMostMultiplyAdds)
    return 0;
  // Addresses of the columns that are loaded ahead, as far as there are registers for them.
  registers = std::min(registers + block.stripes * kSweepRows, target->registersPerThread);
  int64_t shared = block.bytes() + target->sharedBytesReserved;
  return std::min({target->registersPerUnit / (registers * block.threads),
                   target->sharedBytesPerUnit / shared, target->threadsPerUnit / block.threads,
                   target->blocksPerUnit});
}

std::optional<double> planning::sweepSeconds(const SweptProblem &problem, int64_t threads,
                                             int64_t vectors, blas::TargetAttr target) {
  int64_t realBytes = problem.vectorBytes / problem.components;
  blas::SweptBlock block(problem.order, threads, vectors, problem.triangleBytes,
                         problem.vectorBytes, realBytes);
  int64_t realProducts = problem.components * problem.triangleComponents;
  int64_t resident = workgroupsOfUnit(block, realProducts, target);
  if (resident == 0)
    return std::nullopt;
  double units = target->units, clock = target->clockMHz * 1e6;
  double schedulers = target->schedulersPerUnit, subgroup = target->subgroup;
  double workgroups = double(problem.matrices) * llvm::divideCeil(problem.vectorsEach, vectors);
  double steps = llvm::divideCeil(problem.order, kSweepRows);
  double perUnit = std::ceil(workgroups / units);
  // A step waits for its columns of T, from memory where the cache does not hold them, for shared
  // memory between the barriers, and row after row for a product with an inverse, its scale and a
  // multiply-add. Vectors come from memory before the first.
  double elements = double(problem.order) * (problem.order + 1) / 2;
  double ofTriangles = problem.triangles * elements * problem.triangleBytes;
  double memory = target->dramLatencyCycles, cache = target->l2LatencyCycles;
  double waiting = (isCached(ofTriangles, target) ? cache : memory) +
                   4 * target->sharedLatencyCycles +
                   kSweepRows * (1 + 2.0 * problem.triangleComponents) * target->fmaLatencyCycles;
  // Work of a unit for each element after the rows that are solved: read it from L2 and from
  // shared memory; read the vectors in wide accesses, one for all lanes; multiply.
  double accesses = llvm::divideCeil(vectors * problem.vectorBytes, blas::kMaxAccessBytes);
  double perElement =
      problem.triangleBytes * (1.0 / target->l2BytesPerClock + 1.0 / target->sharedBytesPerClock) +
      accesses / subgroup +
      vectors * realProducts * units * clock / singleFmaPerSecond(realBytes, target);
  // Copied are whole stripes, in `kSlotsOfCopy` instructions. One subgroup solves, and lasts as
  // many instructions again as it multiplies and adds.
  double copied = double(threads) * threads * block.stripes * (block.stripes + 1) / 2;
  double perCopy = double(problem.triangleBytes) / target->sharedBytesPerClock +
                   kSlotsOfCopy / (subgroup * schedulers);
  double solving = kSweepRows * (kSweepRows + 1) * realProducts / schedulers;
  // Fewer subgroups than schedulers leave some without work.
  double subgroups = threads / subgroup * std::min<double>(perUnit, resident);
  double busy = std::min(1.0, subgroups / schedulers);
  // The vectors are read by rows and written by columns: one of both meets as many lines of memory
  // as there are lanes, one a clock.
  double moved = double(problem.order) * vectors;
  double work = (elements * perElement + copied * perCopy + steps * solving) / busy + moved;
  double begun = target::calibrationOf(target).workgroup * perUnit;
  double rounds = std::ceil(workgroups / (units * resident));
  double written =
      double(problem.matrices) * problem.vectorsEach * problem.order * problem.vectorBytes;
  double read = written + ofTriangles;
  return streamedSeconds(target) +
         std::max((rounds * (steps * waiting + memory) + perUnit * work + begun) / clock,
                  (read + written) / dramRate(read, written, target));
}

std::optional<Sweep> planning::chooseSweep(const SweptProblem &problem, blas::TargetAttr target) {
  std::optional<Sweep> best;
  for (int64_t threads : kThreads) {
    if (threads > target->threadsPerBlock || threads % target->subgroup != 0 ||
        (threads > kThreads[0] && threads / 2 >= problem.order))
      continue;
    for (int64_t vectors = 1;
         vectors <= blas::kMostSweptVectors && vectors < 2 * problem.vectorsEach; vectors *= 2) {
      std::optional<double> seconds = sweepSeconds(problem, threads, vectors, target);
      if (seconds && (!best || *seconds < best->seconds))
        best = {threads, vectors, *seconds};
    }
  }
  return best;
}
