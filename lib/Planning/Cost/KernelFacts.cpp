//===- KernelFacts.cpp - What a kernel does, counted ----------------------===//

#include "rooftile/Planning/Cost/KernelFacts.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Planning/Cost/MemoryRuns.h"
#include "rooftile/Planning/Cost/TriangleWaves.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Raster.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <optional>

using namespace rooftile;
using namespace rooftile::planning;

/// Additions of one compensated addition: see lib/Transforms/Kernel/Products.cpp.
static constexpr double kCompensation = 7;
static constexpr int64_t kRegisterBytes = 4;
/// More workgroups than a unit ever gets.
static constexpr int64_t kAllResident = INT32_MAX;
/// Longer than a launch.
static constexpr double kMostWorkgroups = 0x1p53;

namespace {
/// Counts a step.
class StepCounting {
public:
  StepCounting(const Problem &problem, const Plan &plan, blas::TargetAttr target)
      : problem(problem), plan(plan), target(target) {}

  StepFacts count();

private:
  void countMultipliers();
  void countReads(bool isA);
  void countCopies(bool isA);

  const Problem &problem;
  const Plan &plan;
  blas::TargetAttr target;
  StepFacts facts;
  double ownK = 0;  ///< K elements of a step that a thread multiplies.
  double twice = 0; ///< Accesses to memory that are compiled twice.
};

/// Counts the rest of a kernel.
class Counting {
public:
  /// `least`: what is not known yet counts as little as it can be.
  Counting(const Problem &problem, const Plan &plan, blas::TargetAttr target, int64_t blocks,
           KernelFacts &facts, bool least)
      : problem(problem), plan(plan), target(target), blocks(blocks), least(least), facts(facts) {}

  void count();
  /// One wave, of `ofUnit` workgroups on each unit, in place of the workgroups of the problem.
  void countOne(int64_t ofUnit);

private:
  void countWaves();
  WaveFacts waveOf(double count, int64_t active, int64_t units);
  void countLoads(WaveFacts &wave, int64_t active);
  void countOutput();
  double storeLinesOf(double share) const;
  void countOthers();

  const Problem &problem;
  const Plan &plan;
  blas::TargetAttr target;
  int64_t blocks; ///< Workgroups that a unit can hold.
  bool least;
  KernelFacts &facts;
  double inside = 1;   ///< Share of the K elements of all steps that the matrices have.
  double tilesOfC = 0; ///< In each matrix of a batch.
};
} // namespace

double planning::productsOfInstruction(const Problem &problem, const Plan &plan,
                                       blas::TargetAttr target) {
  if (const tile::Instruction *own = plan.instruction)
    return own->m * std::max(own->n, std::min(own->mostN, plan.microN * plan.lanesN)) * own->k;
  double perClock = fmaPerClock(problem.realBytes, target);
  return std::max<double>(target->subgroup, perClock / target->schedulersPerUnit);
}

double planning::fragmentClocks(const Plan &plan, bool isA, int64_t vector, int64_t elementBytes,
                                blas::TargetAttr target) {
  double micro = isA ? plan.microM : plan.microN, lanes = isA ? plan.lanesM : plan.lanesN;
  double width = target->sharedBytesPerClock, bytes = double(vector) * elementBytes;
  if (const tile::Instruction *own = plan.instruction) {
    // One that reads shared memory has no registers to keep a factor in: it is read again for each
    // repetition along the other side.
    int64_t again = 1;
    if (own->readsShared())
      again = isA ? llvm::divideCeil(plan.microN * plan.lanesN, own->mostN)
                  : plan.microM * plan.lanesM / own->m;
    return again * micro * lanes * elementBytes / width / own->subgroups;
  }
  double distinct = lanes * bytes / width;
  double returned = target->subgroup * bytes / target->sharedReadBytesPerClock;
  return micro / vector * std::max({1.0, distinct, returned});
}

int64_t planning::barriersOf(const Plan &plan) {
  bool direct = plan.a.isDirect() && plan.b.isDirect();
  return direct ? 0 : plan.stages > 1 ? 1 : 2;
}

/// Share of the multiply-adds that the compiler can pack in pairs: those with neighbours of a
/// fragment, which lie beside each other in vector registers; of complex numbers those with the
/// real component of a factor.
static double packedShare(const Problem &problem, const Plan &plan) {
  if (std::max(problem.a.components, problem.b.components) > 1)
    return plan.products == 3 ? 0 : 0.5;
  auto isPacked = [&](int dim) {
    return plan.runOf(dim) > 1 && plan.path(dim).via != blas::Via::Scalar;
  };
  return isPacked(0) || isPacked(1) ? 1 : 0;
}

double planning::multiplyAddsPerSecond(const Problem &problem, const Plan &plan,
                                       blas::TargetAttr target) {
  if (plan.instruction)
    return target->gflopsOf(plan.instruction->machine) * 1e9 / 2;
  double share = packedShare(problem, plan);
  return 1 / (share / fmaPerSecond(problem.realBytes, target) +
              (1 - share) / singleFmaPerSecond(problem.realBytes, target));
}

void StepCounting::countMultipliers() {
  double subgroup = target->subgroup, threads = facts.subgroups * subgroup;
  double products = threads * plan.microM * plan.microN * ownK * realProducts(problem, plan);
  double unit = target->units * target->clockMHz * 1e6; // clocks of all units, a second
  facts.multiplyClocks = products * unit / multiplyAddsPerSecond(problem, plan, target);
  facts.multiplies = products / productsOfInstruction(problem, plan, target);
  if (!plan.instruction) // packed ones are fewer
    facts.multiplies *=
        1 - packedShare(problem, plan) * (1 - 1.0 / packedFmas(problem.realBytes, target));
  if (!plan.compensates() && !plan.promote)
    return;
  double parts = double(problem.elementBytes) / problem.realBytes;
  double ofStep = plan.compensates() ? kCompensation : 1.0 / plan.promote; // additions
  double added = ofStep * parts * plan.microM * plan.microN * threads;
  facts.otherInstructions += added / subgroup;
  facts.multiplyClocks += added * unit / singleFmaPerSecond(problem.realBytes, target);
}

/// Instructions that round an f32 to tf32 (ptxas 13.0, sm_90a).
static constexpr double kRoundingToTf32 = 3;

void StepCounting::countReads(bool isA) {
  const Path &path = isA ? plan.a : plan.b;
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t micro = isA ? plan.microM : plan.microN, lanes = isA ? plan.lanesM : plan.lanesN;
  double elements = ownK * fragmentElements(plan, micro, lanes);
  // Multiply-adds read factors as wide as their accumulators; what shares a register with its
  // neighbour along K, and was read along M or N, is put there.
  int64_t real = fragmentBytes(problem, plan, isA),
          ofMatrix = matrix.elementBytes / matrix.components;
  bool narrow = ofMatrix < real,
       paired = real < kRegisterBytes && path.major == blas::Major::MN && !plan.readsShared();
  bool rounded = plan.instruction && plan.instruction->isOfTf32() && !plan.readsShared();
  double converted = (rounded ? kRoundingToTf32 : 0) + (narrow ? matrix.components : 0) +
                     (plan.products == 3 ? 1 : 0) + (paired ? double(real) / kRegisterBytes : 0);
  // A comparison, and a selection for each register, by a pipe that accepts one every other clock.
  bool masked = problem.masked && (isA ? problem.triangularA : problem.triangularB);
  if (masked)
    converted += 2 * (1 + std::max<double>(1, double(real) * matrix.components / kRegisterBytes));
  facts.otherInstructions += facts.subgroups * elements * converted;
  if (isA || !sharesTile(problem, plan))
    facts.cacheBytes += sectorBytes(problem, plan, isA, target);
  if (path.isDirect())
    return;
  int64_t vector = fragmentVector(plan, path, matrix.elementBytes);
  if (!plan.readsShared())
    facts.fragmentReads += facts.subgroups * elements / vector * planesOf(path);
  facts.readClocks += fragmentReplays(problem, plan, isA, target) * facts.subgroups * ownK *
                      fragmentClocks(plan, isA, vector, matrix.elementBytes, target);
}

/// Bytes from the elements of a thread to those of the next one, of an operand that comes straight
/// from memory.
static double apartBytes(const Problem &problem, const Plan &plan, bool isA) {
  const Path &path = isA ? plan.a : plan.b;
  const Matrix &matrix = isA ? problem.a : problem.b;
  if (plan.matrices > 1)
    return matrix.batched ? matrixBytes(problem, isA) : 0;
  if ((isA ? plan.lanesM : plan.lanesN) == 1)
    return 0; // the same for all
  return double(matrix.elementBytes) * (matrix.alongK() ? problem.k : path.vector);
}

void StepCounting::countCopies(bool isA) {
  const Path &path = isA ? plan.a : plan.b;
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t extent = isA ? plan.macroM : plan.macroN;
  (isA ? facts.runA : facts.runB) = runBytes(problem, plan, isA);
  if (!isA && sharesTile(problem, plan))
    return;
  double subgroup = target->subgroup;
  double copied = copiedElements(path, extent, plan.macroK);
  if (path.isDirect()) {
    int64_t micro = isA ? plan.microM : plan.microN;
    double accesses = facts.subgroups * ownK * micro / path.vector;
    if (path.via == blas::Via::Scalar) {
      facts.otherInstructions += accesses;
      double registers = ownK * micro * matrix.elementBytes / kRegisterBytes;
      facts.scalarWaits += std::ceil(registers / target->scalarGroup());
      return;
    }
    facts.otherInstructions += accesses;
    facts.loadLines += accesses * linesApart(apartBytes(problem, plan, isA), target);
    return;
  }
  double clocks = copied * matrix.elementBytes / target->sharedBytesPerClock;
  // Whoever stores, a replay keeps the port for a clock.
  facts.storeClocks += clocks * (storeReplays({matrix, path, extent}, plan, target) - 1);
  if (blas::arrivesInBulk(path.copy)) {
    facts.otherInstructions += path.copy == blas::Copy::Tensor ? 1 : plan.macroK;
    facts.copyClocks += clocks;
    return;
  }
  bool async = path.copy == blas::Copy::Async;
  int64_t stored = storedVector(matrix, path), width = async ? stored : path.vector;
  double accesses = copied / width / subgroup * (async ? planesOf(path) : 1);
  double bytes = double(copyLanes(matrix, path, extent, plan)) * width * matrix.elementBytes;
  double lines = copied * matrix.elementBytes / bytes *
                 touched(bytes, blas::kLineBytes, tileAlignment(problem, plan, isA));
  (async ? facts.asyncCopies : facts.otherInstructions) += accesses;
  (async ? facts.copyLines : facts.loadLines) += lines;
  (async ? facts.copyClocks : facts.storeClocks) += clocks;
  if (async && isTransposed(matrix, path))
    facts.scatters += copied / stored;
  if (!async)
    facts.sharedStores += copied / stored / subgroup * planesOf(path);
  // Leap-frog has the accesses of a step twice.
  twice += accesses;
}

WaveFacts Counting::waveOf(double count, int64_t active, int64_t units) {
  WaveFacts wave;
  wave.count = count, wave.active = active;
  wave.begun = wave.blocks = std::min<double>(blocks, llvm::divideCeil(active, units));
  double ofScheduler = wave.blocks * facts.subgroups / target->schedulersPerUnit;
  wave.scheduled = wave.blocks * std::ceil(ofScheduler) / ofScheduler;
  if (least) {
    wave.dramBytes = problem.bytesOfOperands() * active / (facts.workgroups * facts.steps);
    wave.differentBytes = wave.dramBytes;
    return wave;
  }
  countLoads(wave, active);
  double moved = facts.cacheBytes * active;
  wave.missed = moved > 0 ? std::min(1.0, wave.dramBytes / moved) : 0;
  return wave;
}

void Counting::countLoads(WaveFacts &wave, int64_t active) {
  // Share of the walk over the tiles of C that resident workgroups cover.
  int64_t tilesM = walkedM(problem, plan), tilesN = walkedN(problem, plan);
  bool asOne = problem.a.batched != problem.b.batched;
  int64_t matrixDistance = asOne ? 1 : std::max<int64_t>(1, problem.batch);
  int64_t perMatrix =
      std::max<int64_t>(1, facts.workgroups * plan.matrices / plan.splits / matrixDistance);
  int64_t tiles = llvm::divideCeil(active, plan.splits) * plan.matrices,
          resident = std::min(tiles, perMatrix);
  double matrices = asOne ? 1 : std::max(1.0, double(tiles) / perMatrix);
  int64_t high = std::min(plan.raster, std::max<int64_t>(1, tilesM));
  int64_t columns = llvm::divideCeil(resident, high);
  int64_t wide = std::min(columns, std::max<int64_t>(1, tilesN));
  high = std::min(tilesM, high * static_cast<int64_t>(llvm::divideCeil(columns, wide)));
  double depth = double(std::min(active, plan.splits)) * plan.macroK * inside;
  double bytesOfA = problem.bytesOfA(), bytesOfB = problem.bytesOfB();
  bool both = isCached(bytesOfA + bytesOfB, target);
  auto count = [&](const Matrix &matrix, int64_t covered, int64_t size, double bytes, double run) {
    double rows = std::min<double>(covered, double(size) * (asOne ? problem.batch : 1));
    double loaded = depth * rows * (matrix.batched ? matrices : 1) * matrix.elementBytes;
    wave.differentBytes += loaded;
    // Operands that stay in the cache are fetched once for all waves.
    if (both || isCached(2 * bytes, target))
      loaded = std::min(loaded, bytes * active / (facts.workgroups * facts.steps));
    wave.dramBytes += loaded;
    wave.dramRuns += loaded / run;
  };
  count(problem.a, high * plan.macroM, problem.m, bytesOfA, facts.runA);
  if (!sharesTile(problem, plan))
    count(problem.b, wide * plan.macroN, problem.n, bytesOfB, facts.runB);
}

int64_t planning::unitsFilled(const Plan &plan, blas::TargetAttr target) {
  // Clusters of more than two workgroups do not fill all units.
  bool fills = plan.reduction != blas::Reduction::Cluster || plan.splits <= 2;
  return fills || target->clusterUnits == 0 ? target->units : target->clusterUnits;
}

void Counting::countOne(int64_t ofUnit) {
  count();
  int64_t units = unitsFilled(plan, target);
  facts.full = {};
  facts.last = waveOf(1, units * ofUnit, units);
}

void Counting::countWaves() {
  double count = tilesOf(problem, plan);
  tilesOfC = problem.batch > 0 ? count / problem.batch : count;
  int64_t workgroups =
      std::ceil(std::min(count * plan.splits, kMostWorkgroups) / double(plan.matrices));
  facts.workgroups = workgroups;
  int64_t units = unitsFilled(plan, target);
  int64_t resident = units * blocks, rest = workgroups % resident;
  if (int64_t full = workgroups / resident) {
    facts.full = waveOf(full, resident, units);
    facts.full.followed = rest ? full : full - 1;
  }
  if (rest)
    facts.last = waveOf(1, rest, units);
  if (least)
    facts.last.followed = 1; // by a part of itself
  if ((problem.triangularA || problem.triangularB) && workgroups > 0)
    facts.share = least ? workOfTriangle(problem, plan)
                        : shareOfTriangle(problem, plan, double(workgroups) / resident);
}

/// Cache lines that the stores of a tile of C touch, of which a share lies inside of the
/// matrix.
double Counting::storeLinesOf(double share) const {
  // Rows run along N, or columns along M.
  bool rows = problem.c.contiguous != Contiguous::Outer;
  int64_t subgroup = target->subgroup, extent = rows ? plan.macroN : plan.macroM;
  double elements = double(plan.macroM) * plan.macroN * plan.matrices * share / plan.ranks();
  int64_t widest = plan.reduction == blas::Reduction::Workspace ? plan.vector : problem.c.maxVector;
  double access, span, rowsOfOne; // elements of an access; of a row of an instruction; such rows
  if (plan.exchangesC()) {
    access = std::clamp<int64_t>(exchangeVector(problem), 1, extent);
    span = plan.flat ? subgroup * access : std::min<double>(extent, subgroup * access);
    rowsOfOne = subgroup * access / span;
  } else {
    int64_t columns = plan.instruction && rows ? plan.instruction->columnsOfLane : 1;
    int64_t lanes = rows ? plan.lanesN : plan.lanesM, run = columns * (rows ? plan.runOf(1) : 1);
    access = problem.c.contiguous == Contiguous::None ? 1 : std::min(run, widest);
    span = double(lanes) * run;
    rowsOfOne = double(subgroup) / lanes;
  }
  int64_t bytes =
      plan.reduction == blas::Reduction::Workspace ? problem.elementBytes : problem.c.elementBytes;
  double instructions = elements / access / subgroup;
  if (plan.matrices > 1)
    return instructions * linesApart(double(bytes) * problem.m * problem.n, target);
  int64_t aligned = rows ? alignmentOf(problem.c, problem.n, plan.macroN)
                         : alignmentOf(problem.c, problem.m, plan.macroM);
  return instructions * rowsOfOne * touched(span * bytes, blas::kLineBytes, aligned);
}

void Counting::countOutput() {
  bool partial = plan.reduction == blas::Reduction::Workspace;
  double elements = double(plan.macroM) * plan.macroN;
  // Stored part of a tile that crosses the edge.
  double inside = problem.elementsOfC() / tilesOfC;
  double bytes = inside * plan.matrices * (partial ? problem.elementBytes : problem.c.elementBytes);
  facts.storeLines =
      least ? bytes / plan.ranks() / blas::kLineBytes : storeLinesOf(inside / elements);
  if (plan.exchangesC()) // written, and read
    facts.exchangeClocks = 2 * facts.subgroups * target->subgroup * plan.microM * plan.microN *
                           problem.elementBytes / target->sharedBytesPerClock;
  switch (plan.reduction) {
  case blas::Reduction::Workspace:
    facts.storedBytes = bytes;
    return;
  case blas::Reduction::Atomic:
    facts.atomicBytes = bytes;
    return;
  case blas::Reduction::Cluster:
    facts.ranks = plan.splits;
    facts.peerBytes = double(plan.slicedK) * elements * problem.elementBytes;
    bytes /= plan.splits;
    break;
  case blas::Reduction::None:
    break;
  }
  facts.storedBytes = bytes;
  facts.readBytes =
      (problem.readsC ? bytes : 0) + bytes * problem.extraBytes / std::max(1.0, problem.bytesOfC());
}

void Counting::countOthers() {
  if (plan.reduction == blas::Reduction::Atomic && !problem.adds) {
    facts.launches += 1;
    facts.otherBytes += 2 * problem.bytesOfC();
  }
  if (plan.reduction == blas::Reduction::Workspace && problem.slices == 1) {
    double bytes = workspaceBytes(problem, plan);
    facts.launches += 1;
    (isCached(bytes, target) ? facts.otherCached : facts.otherBytes) += bytes;
    facts.otherBytes += (problem.readsC ? 2 : 1) * problem.bytesOfC();
    facts.allocations = problem.hasWorkspace ? 0 : 1;
  }
}

/// Whether vectors end before the only step does: slices beyond, which are known to be 0, are left
/// out.
static bool vectorsEnd(const Problem &problem, const Plan &plan) {
  auto end = [](const Path &path, const Matrix &matrix) {
    return path.flat && matrix.alongK() && path.major == blas::Major::K;
  };
  return problem.k <= plan.macroK && plan.slicedK == 1 &&
         (end(plan.a, problem.a) || end(plan.b, problem.b));
}

StepFacts StepCounting::count() {
  facts.subgroups = std::ceil(plan.threads() / double(target->subgroup));
  facts.stages = plan.stages;
  facts.barriers = barriersOf(plan);
  bool bulk = blas::arrivesInBulk(plan.a.copy) && blas::arrivesInBulk(plan.b.copy);
  facts.wide = !plan.instruction && plan.microN > plan.microM && !bulk ? 1 : 0;
  ownK = vectorsEnd(problem, plan) ? llvm::alignTo(problem.k, plan.sliceDepth()) : plan.ownK();
  countMultipliers();
  for (bool isA : {true, false})
    countReads(isA);
  for (bool isA : {true, false})
    countCopies(isA);
  facts.code = (facts.multiplies + facts.fragmentReads + facts.sharedStores + facts.asyncCopies +
                facts.otherInstructions + twice) /
               facts.subgroups;
  return facts;
}

void Counting::count() {
  facts.steps = llvm::divideCeil(llvm::divideCeil(problem.k, plan.macroK), plan.splits);
  facts.pointers = problem.readsPointers();
  facts.descriptors = plan.a.copy == blas::Copy::Tensor || plan.b.copy == blas::Copy::Tensor;
  // Elements beyond K are not read.
  inside = problem.k > 0 ? problem.k / (facts.steps * plan.splits * plan.macroK) : 1;
  for (double *each : {&facts.cacheBytes, &facts.loadLines, &facts.copyLines})
    *each *= inside;
  countWaves();
  if (facts.workgroups > 0)
    countOutput();
  countOthers();
}

StepFacts planning::stepFactsOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  return StepCounting(problem, plan, target).count();
}

/// Kernels that copy operands first. A copy that the cache holds is not written to DRAM, or later.
static void addPacking(KernelFacts &facts, const Problem &problem, const Plan &plan,
                       blas::TargetAttr target) {
  double copied = packedBytes(problem, plan);
  bool cached = isCached(4 * copied, target);
  facts.launches += (plan.a.pack ? 1 : 0) + (plan.b.pack ? 1 : 0);
  // A copy in parts has six of two bytes for each element of four.
  double read = plan.products == blas::kPartBlocks ? copied / 3 : copied;
  facts.otherBytes += cached ? read : read + copied;
  facts.otherCached += cached ? copied : 0;
  facts.allocations += problem.hasWorkspace ? 0 : 1;
}

KernelFacts planning::leastFactsOf(const Problem &problem, const Plan &plan,
                                   blas::TargetAttr target, const StepFacts &step) {
  KernelFacts facts(step);
  Counting(problem, plan, target, kAllResident, facts, /*least=*/true).count();
  if (plan.packs())
    addPacking(facts, problem, plan, target);
  return facts;
}

KernelFacts planning::waveFactsOf(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                                  const Occupancy &occupancy, int64_t ofUnit) {
  KernelFacts facts(stepFactsOf(problem, plan, target));
  Counting(problem, plan, target, occupancy.blocks, facts, /*least=*/false).countOne(ofUnit);
  return facts;
}

KernelFacts planning::factsOf(const Problem &stated, const Plan &plan, blas::TargetAttr target,
                              const Occupancy &occupancy, const StepFacts *step) {
  if (plan.isInduced()) {
    KernelFacts facts = factsOf(toInduced(stated, plan), plan.toInduced(), target, occupancy, step);
    facts.launches += 1;
    if (plan.products == blas::kPartBlocks) {
      facts.launches += complexCopies(stated);
      facts.otherBytes += 2 * complexCopyBytes(stated);
    }
    return facts;
  }
  std::optional<Problem> copied;
  const Problem &problem = plan.packs() ? copied.emplace(packed(stated, plan)) : stated;
  KernelFacts facts(step ? *step : stepFactsOf(problem, plan, target));
  Counting(problem, plan, target, occupancy.blocks, facts, /*least=*/false).count();
  if (plan.packs())
    addPacking(facts, stated, plan, target);
  return facts;
}
