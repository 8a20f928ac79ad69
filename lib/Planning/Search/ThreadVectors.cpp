//===- ThreadVectors.cpp - How threads compute whole vectors --------------===//
//
// A thread has a vector, or several. Neighbouring threads read neighbours in memory where vectors
// lie beside each other, and many of them; else vectors pass through shared memory. A triangle that
// all threads read is read in wide accesses from there, and so are those of a batch, each by the
// few threads of its matrix: how many matrices share a workgroup is a question of price.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Search/ThreadVectors.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Target/Calibrations.h"

using namespace rooftile;
using namespace rooftile::planning;
using blas::Via;

/// Rows and vectors of a thread that are evaluated: more vectors leave too few threads.
static constexpr int64_t kRows[] = {8, 16, 32, 64}, kVectors[] = {1, 2};
/// Multiply-adds that are written out: 16 bytes each on NVIDIA GPUs, so that they stay in the
/// caches of instructions.
static constexpr int64_t kMostMultiplyAdds = 2048;
/// Threads of a workgroup that are evaluated.
static constexpr int64_t kThreads[] = {32, 64, 128};
/// Bytes of rows in registers at most, so that some subgroups are resident.
static constexpr int64_t kMostBytes = 256;
/// Registers of a thread for addresses and counters, the same of each kernel (C3).
static constexpr int64_t kBaseRegisters = 25;
/// A division of real numbers, in multiply-adds that wait for each other.
static constexpr double kDivision = 8;
/// Instructions that copy an element to shared memory or back: a load, a store, and ten of
/// addresses: two bounds, an address of 64 bits and one of shared memory. Ten more where rows or
/// columns do not divide the threads, so that elements of a thread share no digit of their indices:
/// two divisions by constants, and terms of addresses.
static constexpr double kSlotsOfCopy = 12, kSlotsOfDigits = 10;
/// Workgroups that a unit is to hold, so that some copy while others compute.
static constexpr int64_t kResident = 3;
/// The order from which on a triangle that all threads read is read from shared memory: the unit
/// that reads memory would limit one that is read element by element.
static constexpr int64_t kWideOrder = 16;

//===----------------------------------------------------------------------===//
// Share of a workgroup
//===----------------------------------------------------------------------===//

/// Rows in registers at a time.
static int64_t rowsOf(const TriangularProblem &problem, int64_t order, const VectorKernel &kernel) {
  std::optional<int64_t> known;
  if (!problem.assumed)
    known = order;
  int64_t rows = kernel.rows > 0
                     ? kernel.rows
                     : blas::rowsInRegisters(known, problem.elementBytes, problem.components);
  return std::clamp<int64_t>(rows, 1, std::max<int64_t>(1, order));
}

/// Triangles in its shared memory.
static int64_t stagedTriangles(const TriangularProblem &problem, const VectorKernel &kernel) {
  return kernel.a == Via::Register ? 0 : problem.triangles > 1 ? kernel.matrices : 1;
}

/// Vectors of a workgroup.
static int64_t vectorsOf(const TriangularProblem &problem, const VectorKernel &kernel) {
  int64_t each = problem.vectorsEach();
  return kernel.matrices > 1 ? each * kernel.matrices
                             : std::min(each, kernel.threads * kernel.vectors);
}

/// Bytes of its shared memory.
static int64_t stagedBytes(const TriangularProblem &problem, int64_t order,
                           const VectorKernel &kernel) {
  int64_t staged = llvm::alignTo(order, rowsOf(problem, order, kernel)), bytes = 0;
  int64_t triangles = stagedTriangles(problem, kernel);
  if (triangles > 0)
    bytes += blas::StagedTriangles(staged, triangles, problem.triangleBytes).bytes();
  if (triangles > 0 && problem.solves)
    bytes +=
        blas::DivisorLayout(staged, triangles, problem.triangleBytes, problem.triangleComponents)
            .bytes();
  if (kernel.b == Via::Shared)
    bytes += blas::StagedVectors(order, vectorsOf(problem, kernel) / kernel.matrices,
                                 kernel.matrices, problem.alongVector, problem.elementBytes)
                 .bytes();
  return bytes;
}

/// Clocks of a scheduler for a multiply-add of a subgroup.
static double clocksOfFma(const TriangularProblem &problem, blas::TargetAttr target) {
  int64_t realBytes = std::max<int64_t>(4, problem.elementBytes / problem.components);
  return double(target->subgroup) * target->schedulersPerUnit / fmaPerClock(realBytes, target);
}

/// Registers of a thread: its rows, what is read of rows before them and its opposite, and of
/// T as many wide accesses. From shared memory so many more are on their way as hide its latency.
static int64_t registersOf(const TriangularProblem &problem, int64_t order,
                           const VectorKernel &kernel, blas::TargetAttr target) {
  int64_t rows = rowsOf(problem, order, kernel), ahead = rows >= order ? 1 : blas::kRowsAhead;
  int64_t accesses = ahead;
  if (kernel.a == Via::Shared) {
    int64_t realProducts = problem.components * problem.triangleComponents;
    double each = double(blas::kMaxAccessBytes / problem.triangleBytes) * kernel.vectors *
                  realProducts * clocksOfFma(problem, target);
    accesses = std::max<int64_t>(ahead, std::ceil(target->sharedLatencyCycles / each));
  }
  return kBaseRegisters + ((rows + 2 * ahead) * kernel.vectors * problem.elementBytes +
                           accesses * blas::kMaxAccessBytes) /
                              4;
}

/// Workgroups that a unit has at the same time.
static int64_t workgroupsOfUnit(const TriangularProblem &problem, int64_t order,
                                const VectorKernel &kernel, blas::TargetAttr target) {
  int64_t shared = stagedBytes(problem, order, kernel) + target->sharedBytesReserved;
  int64_t workgroups = std::min(
      {target->registersPerUnit / (registersOf(problem, order, kernel, target) * kernel.threads),
       target->threadsPerUnit / kernel.threads, target->blocksPerUnit});
  if (shared > 0)
    workgroups = std::min(workgroups, target->sharedBytesPerUnit / shared);
  return std::max<int64_t>(1, workgroups);
}

bool planning::readsInPlace(const TriangularProblem &problem, int64_t order,
                            const VectorKernel &kernel, blas::TargetAttr target) {
  VectorKernel alone;
  alone.rows = kernel.rows, alone.a = Via::Shared;
  return !problem.assumed && order >= kWideOrder &&
         stagedBytes(problem, order, alone) > target->sharedBytesPerBlock;
}

//===----------------------------------------------------------------------===//
// The price
//===----------------------------------------------------------------------===//

namespace {
/// Counts what the kernel does (C17). Seconds are those of a unit.
class VectorCounting {
public:
  VectorCounting(const TriangularProblem &problem, int64_t order, const VectorKernel &kernel,
                 blas::TargetAttr target);

  double seconds() const;

private:
  double copySlots() const;
  double waitingClocks() const;
  double againSeconds() const;
  double movingSeconds() const;

  const TriangularProblem &problem;
  const VectorKernel &kernel;
  blas::TargetAttr target;
  double order, rows, n, parts;
  double steps;              ///< Multiply-adds of a vector.
  double inFront;            ///< Rows that are read again.
  double triangles, vectors; ///< Triangles in shared memory, and vectors, of a workgroup.
  double workgroups;         ///< Workgroups of a unit.
  double subgroups;          ///< Subgroups of a unit that have vectors.
  double resident;           ///< Workgroups that it holds at a time.
  double present;            ///< Subgroups of these that have vectors.
  double clock, units, subgroup, schedulers;
};
} // namespace

VectorCounting::VectorCounting(const TriangularProblem &problem, int64_t order,
                               const VectorKernel &kernel, blas::TargetAttr target)
    : problem(problem), kernel(kernel), target(target), order(order),
      rows(rowsOf(problem, order, kernel)), clock(target->clockMHz * 1e6), units(target->units),
      subgroup(target->subgroup), schedulers(target->schedulersPerUnit) {
  n = llvm::alignTo(order, int64_t(rows));
  parts = std::ceil(n / rows), steps = n * (n + 1) / 2;
  inFront = rows * parts * (parts - 1) / 2;
  triangles = stagedTriangles(problem, kernel), vectors = vectorsOf(problem, kernel);
  int64_t each = problem.vectorsEach();
  double all = kernel.matrices > 1 ? std::ceil(double(problem.batch) / kernel.matrices)
                                   : double(problem.batch) *
                                         llvm::divideCeil(each, kernel.threads * kernel.vectors);
  workgroups = std::ceil(all / units);
  double ofWorkgroup = std::ceil(std::ceil(vectors / kernel.vectors) / subgroup);
  subgroups = workgroups * ofWorkgroup;
  resident =
      std::min<double>(workgroupsOfUnit(problem, order, kernel, target), std::max(1.0, workgroups));
  present = std::max(1.0, std::min(subgroups, resident * ofWorkgroup));
}

/// Elements of a workgroup that are copied to shared memory and from there, and divisors that are
/// made of diagonals, as instructions of lanes.
double VectorCounting::copySlots() const {
  auto each = [&](int64_t radix) {
    return kernel.threads % std::max<int64_t>(1, radix) == 0 ? kSlotsOfCopy
                                                             : kSlotsOfCopy + kSlotsOfDigits;
  };
  double slots = triangles * n * n * each(n);
  if (kernel.b == Via::Shared)
    slots += 2 * vectors * order * each(problem.alongVector ? order : problem.vectorsEach());
  return problem.solves ? slots + triangles * n * (each(n) + kDivision) : slots;
}

/// Clocks that one subgroup waits, from its copies to its last row.
double VectorCounting::waitingClocks() const {
  double threads = kernel.threads, dram = target->dramLatencyCycles,
         cache = target->l2LatencyCycles, fma = target->fmaLatencyCycles;
  // A thread waits for each group of what it copies. What all workgroups read is in the cache;
  // other triangles, and vectors, come from memory.
  bool own = problem.triangles > 1;
  auto waits = [&](double items, int64_t atOnce) {
    return std::ceil(std::ceil(items / threads) / atOnce);
  };
  double ofTriangles =
      waits(triangles * n * n, kernel.matrices > 1 ? blas::kOwnCopiedAtOnce : blas::kCopiedAtOnce) *
      (own ? dram : cache);
  // Divisors are made one after the other, of elements that the copy has brought.
  if (problem.solves)
    ofTriangles += waits(triangles * n, 1) * (cache + kDivision * fma);
  double ofVectors =
      (kernel.b == Via::Shared ? waits(vectors * order, blas::kOwnCopiedAtOnce) : parts) * dram;
  // A row waits for a product with an inverse and its scale, or for a division, and a multiply-add.
  double row = 1 + (triangles > 0 ? 2.0 * problem.triangleComponents : kDivision);
  return ofTriangles + ofVectors + inFront / blas::kRowsAhead * cache + n * row * fma;
}

/// The cache may hold what all units work on at the same time, when it is read again.
double VectorCounting::againSeconds() const {
  double bytes = units * present * subgroup * kernel.vectors * n * problem.elementBytes;
  double rate = isCached(bytes, target) ? target->l2GBps : target->dramReadGBps;
  return problem.vectors * inFront * problem.elementBytes / (1e9 * rate);
}

double VectorCounting::movingSeconds() const {
  double written = double(problem.vectors) * order * problem.elementBytes;
  double read = written + problem.triangles * order * (order + 1) / 2 * problem.triangleBytes;
  return (read + written) / dramRate(read, written, target);
}

double VectorCounting::seconds() const {
  int64_t realProducts = problem.components * problem.triangleComponents;
  int64_t realBytes = problem.elementBytes / problem.components;
  double busy = std::min(1.0, present / schedulers);
  // All subgroups of a workgroup copy.
  double copying = std::min(1.0, resident * kernel.threads / subgroup / schedulers);
  double each = subgroup * kernel.vectors * steps * realProducts * units /
                singleFmaPerSecond(realBytes, target);
  double copied = copySlots() / (subgroup * schedulers * clock);
  double issued = subgroups * each / busy + workgroups * copied / copying;
  // Each lane gets each element of T.
  double reading = subgroups * steps * subgroup * problem.triangleBytes /
                   target->sharedReadBytesPerClock / clock;
  double moving = movingSeconds();
  double alone = std::ceil(subgroups / present) * (waitingClocks() / clock + schedulers * each +
                                                   copied * schedulers * subgroup / kernel.threads);
  // Copies to shared memory come before anything is solved: others hide that.
  bool staged = kernel.b == Via::Shared || (triangles > 0 && problem.triangles > 1);
  double exposed = staged ? moving / resident : 0;
  double begun = target::calibrationOf(target).workgroup * workgroups / clock;
  double worked = begun + overlapped({issued, reading, againSeconds(), moving, alone}) + exposed;
  // (C14) All workgroups begin one after the other.
  return streamedSeconds(target) +
         std::max(worked, units * workgroups * target->workgroupPs * 1e-12);
}

double planning::vectorSeconds(const TriangularProblem &problem, int64_t order,
                               const VectorKernel &kernel, blas::TargetAttr target) {
  return VectorCounting(problem, order, kernel, target).seconds();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Paths of the memory of `kernel`, by strides and sizes; nothing where triangles of its own have
/// no
/// room.
static std::optional<VectorKernel> placed(const TriangularProblem &problem, int64_t order,
                                          VectorKernel kernel, blas::TargetAttr target) {
  bool own = problem.triangles > 1 && kernel.matrices > 1;
  // Neighbouring threads fill cache lines where those of a subgroup have one matrix.
  bool few = kernel.matrices > 1 && problem.vectorsEach() < target->subgroup;
  kernel.b = few || problem.alongVector ? Via::Shared : Via::Register;
  kernel.a = order > 1 && (own || order >= kWideOrder) ? Via::Shared : Via::Register;
  if (stagedBytes(problem, order, kernel) <= target->sharedBytesPerBlock)
    return kernel;
  if (own)
    return std::nullopt;
  kernel.matrices = 1, kernel.a = kernel.b = Via::Register;
  return kernel;
}

/// Threads that vectors of `kernel` fill, of at most `threads`.
static int64_t filled(const TriangularProblem &problem, VectorKernel kernel, int64_t threads,
                      blas::TargetAttr target) {
  int64_t used = llvm::divideCeil(problem.vectorsEach() * kernel.matrices, kernel.vectors);
  return std::min(threads, int64_t(llvm::alignTo(std::max<int64_t>(1, used), target->subgroup)));
}

/// A kernel where one triangle serves many vectors of each matrix: the threads with most of them
/// resident; among those the most, which copy the triangle the fewest times, as long as all units
/// have some.
static VectorKernel withOneTriangle(const TriangularProblem &problem, int64_t order,
                                    VectorKernel kernel, blas::TargetAttr target) {
  std::optional<VectorKernel> best;
  int64_t most = 0;
  for (int64_t threads : kThreads) {
    bool fewer =
        threads > target->subgroup && problem.vectors < target->units * threads * kernel.vectors;
    if (threads % target->subgroup != 0 || threads > target->threadsPerBlock || fewer)
      continue;
    kernel.threads = threads;
    VectorKernel each = *placed(problem, order, kernel, target);
    int64_t resident = workgroupsOfUnit(problem, order, each, target) * threads;
    if (best && resident < most)
      continue;
    best = each, most = resident;
  }
  VectorKernel result = best.value_or(*placed(problem, order, kernel, target));
  result.threads = filled(problem, result, result.threads, target);
  return result;
}

/// A kernel for matrices of few vectors: whole matrices, as many as `threads` have vectors for,
/// halved until several workgroups have room.
static VectorKernel withFewVectors(const TriangularProblem &problem, int64_t order,
                                   VectorKernel kernel, blas::TargetAttr target) {
  int64_t most = target->sharedBytesPerUnit / kResident, threads = kernel.threads;
  auto place = [&] {
    VectorKernel each = kernel;
    if (kernel.vectors == 1)
      each.matrices =
          std::max<int64_t>(1, std::min(problem.batch, threads / problem.vectorsEach()));
    each = *placed(problem, order, each, target);
    each.threads = filled(problem, each, threads, target);
    return each;
  };
  VectorKernel result = place();
  while (threads > target->subgroup && stagedBytes(problem, order, result) > most) {
    threads /= 2;
    result = place();
  }
  return result;
}

/// Calls `visit` for workgroups of a batch of triangles: of each number of threads, and of whole
/// matrices as their vectors fill these, or fewer.
static void forEachOfBatch(const TriangularProblem &problem, int64_t order, VectorKernel kernel,
                           blas::TargetAttr target,
                           llvm::function_ref<void(const VectorKernel &)> visit) {
  for (int64_t threads : kThreads) {
    if (threads % target->subgroup != 0 || threads > target->threadsPerBlock)
      continue;
    int64_t most = std::max<int64_t>(1, std::min(problem.batch, threads / problem.vectorsEach()));
    for (int64_t matrices = kernel.vectors == 1 ? most : 1; matrices >= 1; matrices /= 2) {
      kernel.threads = threads, kernel.matrices = matrices;
      if (std::optional<VectorKernel> each = placed(problem, order, kernel, target))
        visit(*each);
    }
  }
}

/// Whether the unrolled code of each part fits into the instruction caches, and its rows in
/// registers.
static bool isShort(const TriangularProblem &problem, int64_t rows, int64_t vectors) {
  int64_t realProducts = problem.components * problem.triangleComponents;
  return rows * vectors * problem.elementBytes <= kMostBytes &&
         vectors * rows * ((rows - 1) / 2 + blas::kRowsAhead) * realProducts <= kMostMultiplyAdds;
}

int64_t planning::threadsByDefault(const TriangularProblem &problem, blas::TargetAttr target) {
  int64_t threads = std::max<int64_t>(64, target->subgroup);
  int64_t oneWave = target->units * target->blocksPerUnit * threads;
  if (problem.vectors > oneWave)
    threads *= 2;
  return std::min(threads, target->threadsPerBlock);
}

VectorKernel planning::chooseVectors(const TriangularProblem &problem, int64_t order,
                                     blas::TargetAttr target) {
  VectorKernel best;
  best.threads = threadsByDefault(problem, target);
  if (problem.assumed || problem.vectors == 0 || order == 0)
    return best;
  double least = std::numeric_limits<double>::infinity();
  auto evaluate = [&](const VectorKernel &kernel) {
    double seconds = vectorSeconds(problem, order, kernel, target);
    if (seconds < least)
      least = seconds, best = kernel;
  };
  auto evaluateRows = [&](VectorKernel kernel) {
    if (problem.triangles > 1)
      return forEachOfBatch(problem, order, kernel, target, evaluate);
    bool many = problem.vectorsEach() >= 2 * target->subgroup;
    evaluate(many ? withOneTriangle(problem, order, kernel, target)
                  : withFewVectors(problem, order, kernel, target));
  };
  VectorKernel kernel = best;
  if (isShort(problem, rowsOf(problem, order, kernel), 1))
    evaluateRows(kernel);
  for (int64_t rows : kRows)
    for (int64_t vectors : kVectors) {
      bool isLonger = rows > kRows[0] && rows / 2 >= order;
      // Two subgroups at least wait for each other; vectors in shared memory need room there.
      bool fills = vectors == 1 || (!problem.alongVector &&
                                    problem.vectorsEach() >= 2 * vectors * target->subgroup);
      kernel.rows = rows, kernel.vectors = vectors;
      if (!isLonger && isShort(problem, rows, vectors) && fills)
        evaluateRows(kernel);
    }
  return best;
}
