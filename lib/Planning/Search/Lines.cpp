//===- Lines.cpp - How threads compute whole lines ------------------------===//

#include "rooftile/Planning/Search/Lines.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Planning/Problem/Roofline.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Rows and lines of a thread that are evaluated: more lines leave too few threads.
static constexpr int64_t kRows[] = {8, 16, 32, 64}, kLines[] = {1, 2};
/// Multiply-adds that are written out: 16 bytes each on NVIDIA GPUs, so that they stay in the
/// caches of instructions.
static constexpr int64_t kMostMultiplyAdds = 2048;
/// Threads of a workgroup that are.
static constexpr int64_t kThreads[] = {32, 64, 128};
/// Bytes of rows in registers at most, so that some subgroups are resident.
static constexpr int64_t kMostBytes = 256;
/// Registers of a thread for addresses and counters, the same of each kernel (C3).
static constexpr int64_t kBaseRegisters = 25;
/// A division, and a product with an inverse and its scale, in multiply-adds that wait for each
/// other.
static constexpr double kDivision = 8, kInverse = 2;

/// Rows in registers at a time.
static int64_t rowsOf(const TriangularProblem &problem, int64_t order, ThreadRows plan) {
  std::optional<int64_t> known;
  if (!problem.assumed)
    known = order;
  int64_t rows = plan.rows > 0
                     ? plan.rows
                     : blas::rowsInRegisters(known, problem.elementBytes, problem.components);
  return std::clamp<int64_t>(rows, 1, std::max<int64_t>(1, order));
}

namespace {
/// Threads of a workgroup, and workgroups that a unit has at the same time.
struct Residence {
  int64_t threads, workgroups;
};
} // namespace

/// Registers of a thread: its rows, what is read of rows in front of them and its opposite, and of
/// T as many wide accesses.
static int64_t registersOf(const TriangularProblem &problem, int64_t rows, int64_t lines,
                           bool whole) {
  int64_t ahead = whole ? 1 : blas::kRowsAhead;
  return kBaseRegisters +
         ((rows + 2 * ahead) * lines * problem.elementBytes + ahead * blas::kMaxAccessBytes) / 4;
}

/// Whether lines pass through shared memory: neighbours in memory are elements of one.
static bool isStaged(const TriangularProblem &problem) {
  return problem.alongLine && !problem.assumed;
}

int64_t planning::stagedBytes(const TriangularProblem &problem, int64_t order, ThreadRows rows,
                              int64_t count) {
  int64_t staged = llvm::alignTo(order, rowsOf(problem, order, rows));
  int64_t bytes = blas::StagedTriangles(staged, count, problem.triangleBytes).bytes();
  if (problem.solves && count == 1)
    bytes += blas::bytesOfDivisors(staged, problem.triangleBytes, problem.triangleComponents);
  return bytes;
}

/// The same of one triangle; 0: threads read it from the cache.
static int64_t bytesOfTriangle(const TriangularProblem &problem, int64_t order, int64_t rows,
                               blas::TargetAttr target) {
  if (order < kWideOrder || problem.assumed)
    return 0;
  int64_t bytes = stagedBytes(problem, order, {rows}, /*count=*/1);
  return bytes <= target.getSharedBytesPerBlock() ? bytes : 0;
}

/// So many threads that most are resident; the most of these, which copy a triangle the fewest
/// times, as long as all units have some.
static Residence residenceOf(const TriangularProblem &problem, int64_t order, int64_t rows,
                             int64_t lines, blas::TargetAttr target) {
  int64_t subgroup = target.getSubgroup();
  bool whole = rows >= order;
  int64_t registers = registersOf(problem, rows, lines, whole);
  int64_t ofTriangle = bytesOfTriangle(problem, order, rows, target);
  Residence best{subgroup, 1};
  for (int64_t threads : kThreads) {
    bool fewer = threads > subgroup && problem.lines < target.getUnits() * threads * lines;
    if (threads % subgroup != 0 || threads > target.getThreadsPerBlock() || fewer)
      continue;
    int64_t ofLines =
        isStaged(problem)
            ? blas::StagedLines(order, threads * lines, 1, /*alongLine=*/true, problem.elementBytes)
                  .bytes()
            : 0;
    int64_t shared = ofTriangle + ofLines + target.getSharedBytesReserved();
    int64_t workgroups =
        std::min({target.getRegistersPerUnit() / (registers * threads),
                  target.getThreadsPerUnit() / threads, target.getBlocksPerUnit()});
    if (shared > 0)
      workgroups = std::min(workgroups, target.getSharedBytesPerUnit() / shared);
    if (workgroups * threads >= best.workgroups * best.threads)
      best = {threads, workgroups};
  }
  return best;
}

int64_t planning::lineThreads(const TriangularProblem &problem, int64_t order, ThreadRows plan,
                              blas::TargetAttr target) {
  return residenceOf(problem, order, rowsOf(problem, order, plan), plan.lines, target).threads;
}

bool planning::readsInPlace(const TriangularProblem &problem, int64_t order, ThreadRows rows,
                            blas::TargetAttr target) {
  return !problem.assumed && order >= kWideOrder &&
         bytesOfTriangle(problem, order, rowsOf(problem, order, rows), target) == 0;
}

double planning::lineSeconds(const TriangularProblem &problem, int64_t order, ThreadRows plan,
                             blas::TargetAttr target) {
  int64_t lines = plan.lines, rows = rowsOf(problem, order, plan);
  double n = llvm::alignTo(order, rows), units = target.getUnits(),
         clock = target.getClockMHz() * 1e6, subgroup = target.getSubgroup(),
         fma = target.getFmaLatencyCycles();
  double parts = std::ceil(n / rows), steps = n * (n + 1) / 2;
  double inFront = rows * parts * (parts - 1) / 2; // rows that are read again
  // Of a unit.
  int64_t schedulers = target.getSchedulersPerUnit();
  int64_t ofTriangle = bytesOfTriangle(problem, order, rows, target);
  Residence resident = residenceOf(problem, order, rows, lines, target);
  double subgroups = std::ceil(problem.lines / (subgroup * lines) / units);
  double present =
      std::max(1.0, std::min(subgroups, resident.workgroups * resident.threads / subgroup));
  double busy = std::min(1.0, present / schedulers);
  int64_t numbers = problem.components * problem.triangleComponents;
  int64_t numberBytes = problem.elementBytes / problem.components;
  double each = subgroup * lines * steps * numbers * units / fmaPerSecond(numberBytes, target);
  double multiplying = subgroups * each / busy;
  // Each lane gets each element of T.
  double reading = subgroups * steps * subgroup * problem.triangleBytes /
                   target.getSharedReadBytesPerClock() / clock;
  // What all units work on at the same time is in the cache when it is read again, or is not.
  double elements = units * present * subgroup * lines * n;
  bool cached = isCached(elements * problem.elementBytes, target);
  double again = problem.lines * inFront * problem.elementBytes /
                 (1e9 * (cached ? target.getL2GBps() : target.getDramReadGBps()));
  double moving = 2.0 * problem.lines * n * problem.elementBytes / (target.getDramCopyGBps() * 1e9);
  // One subgroup of a scheduler, from the copy of the triangle to its last row.
  double copies = ofTriangle > 0 ? n * n / double(resident.threads * blas::kCopiedAtOnce) : 0;
  double waiting = (parts * target.getDramLatencyCycles() +
                    (copies + inFront / blas::kRowsAhead) * target.getL2LatencyCycles() +
                    n * ((ofTriangle > 0 ? kInverse : kDivision) + 1) * fma) /
                   clock;
  double alone = std::ceil(subgroups / present) * (waiting + schedulers * each);
  // What passes through shared memory comes before anything is solved: others hide that.
  double exposed = isStaged(problem) ? moving / resident.workgroups : 0;
  return streamedSeconds(target) + overlapped({multiplying, reading, again, moving, alone}) +
         exposed;
}

/// Whether what is written out for each part stays in the caches of instructions, and its rows in
/// registers.
static bool isShort(const TriangularProblem &problem, int64_t rows, int64_t lines) {
  int64_t numbers = problem.components * problem.triangleComponents;
  return rows * lines * problem.elementBytes <= kMostBytes &&
         lines * rows * ((rows - 1) / 2 + blas::kRowsAhead) * numbers <= kMostMultiplyAdds;
}

ThreadRows planning::chooseRows(const TriangularProblem &problem, int64_t order,
                                blas::TargetAttr target) {
  ThreadRows best;
  if (problem.assumed || problem.batch == 0)
    return best;
  double least = isShort(problem, rowsOf(problem, order, best), 1)
                     ? lineSeconds(problem, order, best, target)
                     : std::numeric_limits<double>::infinity();
  for (int64_t rows : kRows)
    for (int64_t lines : kLines) {
      bool isLonger = rows > kRows[0] && rows / 2 >= order;
      // Two subgroups at least wait for each other; lines in shared memory take its room.
      bool fills = lines == 1 ||
                   (!isStaged(problem) && problem.linesEach() >= 2 * lines * target.getSubgroup());
      if (isLonger || !isShort(problem, rows, lines) || !fills)
        continue;
      double seconds = lineSeconds(problem, order, {rows, lines}, target);
      if (seconds < least)
        least = seconds, best = {rows, lines};
    }
  return best;
}
