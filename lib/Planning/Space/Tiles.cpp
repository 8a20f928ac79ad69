//===- Tiles.cpp - Tiles that are enumerated ------------------------------===//
//
// A tile is a pair of sides, one along M and one along N: elements of a thread, and threads. Sides
// are powers of two of both, far beyond the matrix left out; and those that hold the whole of a
// known M or N that a power of two would exceed by far, such as 112 or 104 rows for 100. Families
// of tiles differ in the sides that they pair, and in what a tile may have:
//
// * Multiply-adds, with any sides.
// * Such tiles for A^T B of block vectors, a small M and N and a long K (Ernst et al.,
//   section 3): tiles that hold all of C. That gives work to a few threads, K to as many as there
//   are, in groups that have neighbouring elements of K.
// * Such tiles for A B with many rows, small N and K (section 4): tiles of whole rows that
//   hold all of K, so that all is read, and written, once. A workgroup waits for its copies once,
//   and others of its unit multiply and store meanwhile.
// * Multiply-adds of operands that are copied in bulk, in the forms that were measured.
// * Multiply-adds with one operand in scalar registers (the SGEMM of MI25 and MI60 without shared
//   memory): tiles of one micro tile along it, fragments of the other operand straight from memory.
// * Multiply-adds of tiny products of a batch, each by one thread, straight from memory.
// * Each matrix instruction, as it is; and with A and B exchanged where that fits M better: 104 or
//   56 rows by m8n16k4, where m16n8k4 needs 112 or 64. They come last: of equals, multiply-adds are
//   simpler.
// * Each instruction that reads shared memory, for four subgroups or several times as many: as wide
//   a step as a row of that memory, and rings of several lengths.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Tiles.h"
#include "rooftile/Planning/Space/Limits.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

namespace {
/// One side of a tile: elements of a thread along it, and threads.
struct Side {
  int64_t micro, threads;

  int64_t macro() const { return micro * threads; }
  bool operator==(const Side &other) const {
    return micro == other.micro && threads == other.threads;
  }
};
using Sides = llvm::SmallVector<Side>;

/// Tiles of all pairs of sides that keep to the limits.
struct Family {
  Plan plan; ///< Values common to them.
  Steps steps;
  Sides m, n;
  Range threads;                 ///< Threads of a tile.
  int64_t mostElements = 128;    ///< Elements of a thread.
  int64_t mostRatio = INT64_MAX; ///< Elements along one side, over those along the other.
  int64_t mostRun = INT64_MAX;   ///< Elements of a fragment read along M or N.
};
} // namespace

/// Elements of a thread, and of a tile, along a side; threads: at most.
static constexpr int64_t kMostMicro = 16, kMostMacro = 256, kMostThreads = 256;
/// Sides up to this length are of use however small the matrix is.
static constexpr int64_t kSmallestMacro = 8;

/// Bytes of a register.
static constexpr int64_t kRegisterBytes = 4;

/// The largest power of two that divides `size`.
static int64_t largestPower(int64_t size) { return size & -size; }

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

/// Powers of two from `least` elements of a thread on and from `unit` threads on, the smallest
/// first, of which less than half lies beyond `size` elements.
static Sides powersOfTwo(int64_t size, int64_t least, int64_t unit, int64_t mostMacro) {
  Sides sides;
  int64_t most = std::min(mostMacro, 2 * std::max(size, kSmallestMacro) - 1);
  for (int64_t micro = least; micro <= kMostMicro; micro *= 2)
    for (int64_t threads = unit; threads <= kMostThreads && micro * threads <= most; threads *= 2)
      sides.push_back({micro, threads});
  return sides;
}

/// Sides that hold `size` elements, for each number of threads: a thread has `run.least`, twice ..
/// `run.most` elements, or a multiple of that, `most` of them at most.
static Sides holding(int64_t size, llvm::ArrayRef<int64_t> threads, Range run, int64_t most) {
  Sides sides;
  for (int64_t each : threads)
    for (int64_t multiple = run.least; multiple <= run.most && each <= size; multiple *= 2)
      if (Side side{int64_t(llvm::alignTo(llvm::divideCeil(size, each), multiple)), each};
          side.micro <= most && !llvm::is_contained(sides, side))
        sides.push_back(side);
  return sides;
}

/// A tile that exceeds a side by less than this share is not fitted to it.
static constexpr double kFittedShare = 1.0 / 8;

/// The sides for any product along M or N, elements of a thread in multiples of `least` and threads
/// of `unit`. Taller micro tiles come first: where the model sees no difference, 16x8 was faster
/// than 8x16.
static Sides sidesOf(const Problem &problem, bool isM, int64_t least, int64_t unit) {
  int64_t size = isM ? problem.m : problem.n, power = llvm::PowerOf2Ceil(size);
  Sides sides = powersOfTwo(size, least, unit, kMostMacro);
  if (isM)
    llvm::sort(sides, [](Side left, Side right) {
      return std::pair(right.micro, left.threads) < std::pair(left.micro, right.threads);
    });
  bool known = isM ? problem.knownM : problem.knownN;
  if (!known || size <= kSmallestMacro || size > kMostMacro ||
      double(power) / size - 1 < kFittedShare)
    return sides;
  // Block vectors that an odd count of subgroups hold with nothing to spare: 80 columns by five,
  // where four need 128.
  bool odd = unit > 1 && isTallSkinny(problem);
  llvm::SmallVector<int64_t> threads;
  for (int64_t each = 1; each * unit <= kMostThreads; ++each)
    if (llvm::isPowerOf2_64(each) || (odd && each % 2 == 1))
      threads.push_back(each * unit);
  for (Side side : holding(size, threads, {least, 4}, kMostMicro * least)) {
    bool exact = side.macro() == int64_t(llvm::alignTo(size, least * unit));
    if (side.macro() < power && (exact || llvm::isPowerOf2_64(side.threads)) &&
        !llvm::is_contained(sides, side))
      sides.push_back(side);
  }
  return sides;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Multiply-adds of any product.
static Family multiplyAdds(const Problem &problem, blas::TargetAttr target) {
  Family family{Plan(),
                Steps::All,
                sidesOf(problem, true, 1, 1),
                sidesOf(problem, false, 1, 1),
                {target->subgroup, kMostThreads}};
  family.mostRatio = 4;
  return family;
}

/// A workgroup of operands in bulk is alone on its unit, two subgroups a scheduler; with 4 x 8
/// lanes ptxas reads the fragments of an 8 x 16 micro tile early enough.
static constexpr int64_t kBulkThreads = 256, kBulkLanesM = 4, kBulkLanesN = 8;

/// Multiply-adds of operands that are copied in bulk, whole tiles at once where they can be, in the
/// forms that the calibration has.
static void addBulk(const Problem &problem, Family plain, const blas::CalibrationData &bounds,
                    std::vector<Family> &families) {
  auto single = [](const Matrix &matrix) { return matrix.elementBytes == 4 * matrix.components; };
  if (problem.realBytes != 4 || !single(problem.a) || !single(problem.b) ||
      problem.k < bounds.leastBulkK)
    return;
  for (const blas::BulkForm &form : bounds.bulkForms) {
    if (form.multiplyAdds != problem.multiplyAdds)
      continue;
    Family family = plain;
    llvm::erase_if(family.m, [&](Side side) { return side.micro != form.microM; });
    llvm::erase_if(family.n, [&](Side side) { return side.micro != form.microN; });
    family.steps = Steps::Stated;
    family.threads = {kBulkThreads, kBulkThreads};
    Plan &plan = family.plan;
    plan.lanesM = kBulkLanesM, plan.lanesN = kBulkLanesN;
    plan.macroK = form.macroK, plan.stages = form.stages, plan.unroll = form.unroll;
    for (blas::Copy copy : {blas::Copy::Tensor, blas::Copy::Bulk}) {
      plan.a.copy = plan.b.copy = copy;
      families.push_back(family);
    }
  }
}

/// A^T B of block vectors.
static void addGrouped(const Problem &problem, blas::TargetAttr target,
                       std::vector<Family> &families) {
  static constexpr int64_t kThreads[] = {1, 2, 4, 8};
  if (!isTallSkinny(problem))
    return;
  Plan plan;
  plan.prefetch = 1;
  Family family{plan,
                Steps::Grouped,
                holding(problem.m, kThreads, {1, 1}, kMostMicro),
                holding(problem.n, kThreads, {1, 1}, kMostMicro),
                {1, target->subgroup}};
  // Vectors without gaps begin anywhere: runs divide them.
  family.mostRun = std::min(largestPower(problem.m), largestPower(problem.n));
  families.push_back(family);
  // Vectors along K (columns of column-major block vectors) are copied and read as they lie, of one
  // operand as well as of both.
  family.plan.depth = problem.widest(blas::kMaxAccessBytes);
  if (family.plan.depth > 1 && (problem.a.alongK() || problem.b.alongK()))
    families.push_back(family);
}

/// Real elements of a run along K at most, for block vectors times a small matrix: longer ones save
/// reads, but ptxas then moves accumulators about.
static constexpr int64_t kLongestRun = 2;
/// Elements of a thread along the narrow side, and registers for all of them, at most.
static constexpr int64_t kMostAcross = 32, kMostRegisters = 72;
/// Rows of a tile at most: as many as fit a ring of a few elements each.
static constexpr int64_t kMostRows = 1024;

/// A B of block vectors: the long side is that of A, or that of B.
static void addWhole(const Problem &problem, blas::TargetAttr target,
                     std::vector<Family> &families) {
  if (!isTsmm(problem))
    return;
  bool rows = problem.m >= problem.n;
  const Matrix &vectors = rows ? problem.a : problem.b;
  int64_t size = rows ? problem.n : problem.m,
          ofAccess = blas::kMaxAccessBytes / vectors.elementBytes;
  Sides along = powersOfTwo(std::max(problem.m, problem.n), 1, 8, kMostRows);
  Plan plan;
  plan.depth = vectors.alongK() ? std::min(kLongestRun / vectors.components, ofAccess) : 1;
  plan.macroK = llvm::alignTo(problem.k, plan.depth);
  for (int64_t lanes : {1, 2, 4, 8}) {
    Sides across = holding(size, {lanes, 3 * lanes}, {1, 4}, kMostAcross);
    (rows ? plan.lanesN : plan.lanesM) = lanes;
    (rows ? plan.lanesM : plan.lanesN) = target->subgroup / lanes;
    families.push_back({plan,
                        Steps::Whole,
                        rows ? along : across,
                        rows ? across : along,
                        {64, 384},
                        kMostRegisters / problem.registersPerElement()});
  }
}

/// Bytes of a run along K that one scalar load reads (s_load_dwordx8), and that a thread reads of
/// the other operand; slices of that in a step, of which the first is read ahead of the step.
static constexpr int64_t kScalarRun = 32, kScalarSlices = 2;
/// Elements of a thread along the operand in scalar registers, and subgroups, at most.
static constexpr int64_t kMostScalarMicro = 64, kMostScalarSubgroups = 4;

/// One operand in scalar registers: the one along which C is not contiguous, so that neighbouring
/// threads write neighbouring elements.
static void addScalar(const Problem &problem, blas::TargetAttr target,
                      std::vector<Family> &families) {
  bool isA = problem.c.contiguous != Contiguous::Outer;
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t size = isA ? problem.m : problem.n, across = isA ? problem.n : problem.m;
  bool isWord = matrix.elementBytes == matrix.components * problem.realBytes &&
                problem.realBytes >= kRegisterBytes;
  if (target->scalarRegisters == 0 || !isWord || matrix.byPointers || problem.triangle)
    return;
  Plan plan;
  (isA ? plan.a : plan.b).via = blas::Via::Scalar;
  (isA ? plan.b : plan.a).via = blas::Via::Register;
  plan.depth = kScalarRun / matrix.elementBytes;
  plan.macroK = kScalarSlices * plan.depth;
  plan.stages = plan.prefetch = 1;
  Sides along, threads;
  for (int64_t micro = 8; micro <= kMostScalarMicro && micro < 2 * std::max(size, kSmallestMacro);
       micro *= 2)
    along.push_back({micro, 1});
  for (int64_t subgroups = 1; subgroups <= kMostScalarSubgroups; subgroups *= 2)
    if (int64_t lanes = subgroups * target->subgroup; subgroups == 1 || lanes < 2 * across)
      threads.push_back({1, lanes});
  families.push_back({plan,
                      Steps::Stated,
                      isA ? along : threads,
                      isA ? threads : along,
                      {target->subgroup, kMostScalarSubgroups * target->subgroup}});
}

/// Registers for the accumulators of a thread that has a whole matrix, and its multiply-adds that
/// are written out, at most.
static constexpr int64_t kMostMatrixRegisters = 64, kMostMatrixProducts = 1024;

/// Products of a batch that a thread has whole: in the widest accesses that both operands allow,
/// along K in runs of a slice.
static void addMatrices(const Problem &problem, std::vector<Family> &families) {
  bool known = problem.knownM && problem.knownN && problem.knownK && !problem.assumed;
  bool plain = !problem.triangle && !problem.triangularA && !problem.triangularB;
  int64_t m = problem.m, n = problem.n, k = problem.k;
  if (problem.batch < 2 || !problem.c.batched || !known || !plain || problem.slices > 1 ||
      std::min({m, n, k}) < 1 ||
      double(m) * n * problem.registersPerElement() > kMostMatrixRegisters)
    return;
  Plan plan;
  plan.a.via = plan.b.via = blas::Via::Register;
  plan.stages = 1;
  for (const Matrix *matrix : {&problem.a, &problem.b})
    if (matrix->alongK())
      plan.depth = std::max(plan.depth, matrix->maxVector); // which divides K
  int64_t ofK = m * n * problem.multiplyAdds;
  int64_t most = std::max(plan.depth, kMostMatrixProducts / ofK / plan.depth * plan.depth);
  plan.macroK = std::min<int64_t>(llvm::alignTo(k, plan.depth), most);
  for (int64_t threads : {64, 128, 256}) {
    plan.matrices = threads;
    Family family{plan, Steps::Stated, {{m, 1}}, {{n, 1}}, {1, 1}};
    families.push_back(family);
  }
}

/// Matrix instructions.
static void addInstructions(const Problem &problem, blas::TargetAttr target,
                            std::vector<Family> &families) {
  for (const blas::InstructionRate &rate : target->instructions) {
    std::optional<Steps> steps = stepsOf(rate, problem, target);
    if (!steps || rate.instruction->readsShared())
      continue;
    for (const tile::Instruction *own : tile::instructionsOf(rate.instruction->name)) {
      if (!isWorthExchanging(*own, problem))
        continue;
      Plan plan;
      plan.instruction = own;
      plan.lanesM = own->lanesOfC()[0], plan.lanesN = own->lanesOfC()[1];
      families.push_back({plan,
                          *steps,
                          sidesOf(problem, true, own->m / plan.lanesM, plan.lanesM),
                          sidesOf(problem, false, own->n / plan.lanesN, plan.lanesN),
                          {own->lanes(), kMostThreads}});
    }
  }
}

//===----------------------------------------------------------------------===//
// Instructions that read shared memory
//===----------------------------------------------------------------------===//

/// Threads of a tile at most, and groups of subgroups along one side: three and four multiply what
/// one alone has too few registers for.
static constexpr int64_t kMostViewThreads = 512, kMostViewGroups = 4;

/// Sides along M: repetitions of the instruction by several groups.
static Sides sidesOfRows(const Problem &problem, const tile::Instruction &own) {
  Sides sides;
  int64_t lanes = own.lanesOfC()[0], most = 2 * std::max(problem.m, own.m) - 1;
  for (int64_t repeats : {1, 2})
    for (int64_t groups = 1; groups <= kMostViewGroups && groups * repeats * own.m <= most;
         ++groups)
      sides.push_back({repeats * own.m / lanes, groups * lanes});
  return sides;
}

/// Sides along N: one instruction of each group, as wide as it can be, or as N is; whole panels of
/// a B that runs along N.
static Sides sidesOfColumns(const Problem &problem, const tile::Instruction &own) {
  static constexpr int64_t kStep = 32; // columns
  bool alongK = problem.b.alongK();
  int64_t lanes = own.lanesOfC()[1], panel = tile::kSharedRowBytes / own.factors.bytes;
  int64_t least = alongK ? own.n : panel,
          size = llvm::alignTo(std::max<int64_t>(1, problem.n), least);
  Sides sides;
  for (int64_t groups : {1, 2})
    for (int64_t columns = least; columns <= own.mostN; columns += least) {
      bool fits = problem.knownN && columns * groups == size;
      bool listed = columns % kStep == 0 || columns <= kStep / 2;
      if (fits || (listed && columns * (groups - 1) < size && columns * groups < 2 * size))
        sides.push_back({columns / lanes, groups * lanes});
    }
  return sides;
}

/// Whether an operand arrives in the units in which the instruction reads it: narrower copies are
/// too many instructions of lanes that wait for products, too (bf16 2047^3: 0.11 ms, predicted
/// 0.05).
static bool arrivesInUnits(const Matrix &matrix) {
  return matrix.maxVector * matrix.elementBytes >= tile::kSharedUnitBytes;
}

/// The copy of such an operand: the fewest instructions of the lanes.
static blas::Copy copyOfView(const Matrix &matrix, blas::TargetAttr target) {
  bool whole = target->bulkCopy && !matrix.batched && !matrix.byPointers && matrix.forward;
  return whole ? blas::Copy::Tensor : blas::Copy::Async;
}

static void addViews(const Problem &problem, blas::TargetAttr target,
                     std::vector<Family> &families) {
  if (!arrivesInUnits(problem.a) || !arrivesInUnits(problem.b))
    return;
  for (const blas::InstructionRate &rate : target->instructions) {
    const tile::Instruction *own = rate.instruction;
    if (!own->readsShared() || !stepsOf(rate, problem, target))
      continue;
    if (own->needsRowsOfK && !(problem.a.alongK() && problem.b.alongK()))
      continue;
    Plan plan;
    plan.instruction = own;
    plan.lanesM = own->lanesOfC()[0], plan.lanesN = own->lanesOfC()[1];
    plan.macroK = tile::kSharedRowBytes / own->factors.bytes;
    Family family{plan,
                  Steps::Rings,
                  sidesOfRows(problem, *own),
                  sidesOfColumns(problem, *own),
                  {own->lanes(), kMostViewThreads}};
    Plan &views = family.plan;
    views.a.copy = copyOfView(problem.a, target), views.b.copy = copyOfView(problem.b, target);
    bool whole = views.a.copy == blas::Copy::Tensor && views.b.copy == blas::Copy::Tensor;
    if (own->isOfTf32() && !whole)
      continue;
    families.push_back(family);
    // Asynchronous copies begin earlier: they need no descriptor. But tensor copies alone round.
    if (own->isOfTf32())
      continue;
    bool any = views.a.copy == blas::Copy::Tensor || views.b.copy == blas::Copy::Tensor;
    views.a.copy = views.b.copy = blas::Copy::Async;
    if (any)
      families.push_back(family);
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The arrangement of a subgroup, or of all threads of a smaller tile, that reads the fewest
/// different elements: lanes M * micro M + lanes N * micro N.
static void chooseLanes(Plan &plan, Side m, Side n, int64_t subgroup) {
  int64_t lanes = std::min(subgroup, m.threads * n.threads), fewest = INT64_MAX;
  for (int64_t lanesM = 1; lanesM <= lanes; lanesM *= 2) {
    int64_t lanesN = lanes / lanesM, read = lanesM * m.micro + lanesN * n.micro;
    if (m.threads % lanesM != 0 || n.threads % lanesN != 0 || read >= fewest)
      continue;
    fewest = read;
    plan.lanesM = lanesM, plan.lanesN = lanesN;
  }
}

/// Elements of a fragment read along M or N: of a run that a lane holds of A and of B for each K.
/// An instruction that reads several K of a lane in neighbouring registers gets them one by one: of
/// a run they would be moved there. Several that share a register are moved anyway.
static int64_t runOfFragments(const Plan &plan) {
  const tile::Instruction *own = plan.instruction;
  if (!own)
    return std::min(largestPower(plan.microM), largestPower(plan.microN));
  if (own->readsShared())
    return own->columnsOfLane; // of an access to C
  if (own->k > own->lanesOfK && own->runOfK == 1)
    return 1;
  int64_t lanes = own->lanes() / (own->lanesOfK * own->copies);
  return std::min(largestPower(plan.microM * plan.lanesM / lanes),
                  largestPower(plan.microN * plan.lanesN / lanes));
}

/// States along which dimension the vectors of both operands lie in the tile of `plan`.
static void chooseMajors(const Problem &problem, Plan &plan) {
  if (blas::arrivesInBulk(plan.a.copy) && !plan.readsShared())
    return;
  // Lanes of a matrix instruction read vectors along K as well, and so do multiply-adds in runs of
  // a depth, of all of K, or of elements that have no wider runs along M or N: nothing is
  // transposed.
  bool wide = isColumnMajorTallSkinny(problem) && problem.widest(blas::kMaxAccessBytes) == 1;
  bool alongK =
      plan.instruction || plan.depth > 1 || holdsAllOfK(problem, plan) || wide || plan.matrices > 1;
  plan.a.major = alongK && problem.a.alongK() ? blas::Major::K : blas::Major::MN;
  plan.b.major = alongK && problem.b.alongK() ? blas::Major::K : blas::Major::MN;
}

/// Calls `visit` for the tiles of a family.
static void forEachTileOf(const Family &family, const Problem &problem, blas::TargetAttr target,
                          llvm::function_ref<void(const Tile &)> visit) {
  int64_t widest = problem.widest(blas::kMaxAccessBytes);
  for (Side m : family.m)
    for (Side n : family.n) {
      auto [less, more] = std::minmax(m.micro, n.micro);
      if (!family.threads.holds(m.threads * n.threads) || m.micro * n.micro > family.mostElements ||
          more / less > family.mostRatio || (problem.triangle && m.macro() != n.macro()))
        continue;
      Plan plan = family.plan;
      plan.microM = m.micro, plan.microN = n.micro;
      plan.macroM = m.macro(), plan.macroN = n.macro();
      if (plan.lanesM * plan.lanesN == 1)
        chooseLanes(plan, m, n, target->subgroup);
      plan.vector = std::min({widest, family.mostRun, runOfFragments(plan)});
      chooseMajors(problem, plan);
      visit({plan, family.steps});
    }
}

void planning::forEachTile(const Problem &problem, blas::TargetAttr target,
                           llvm::function_ref<void(const Tile &)> visit) {
  std::vector<Family> families{multiplyAdds(problem, target)};
  addBulk(problem, families.front(), target::calibrationOf(target), families);
  addGrouped(problem, target, families);
  addWhole(problem, target, families);
  addMatrices(problem, families);
  addScalar(problem, target, families);
  addInstructions(problem, target, families);
  addViews(problem, target, families);
  for (const Family &family : families)
    forEachTileOf(family, problem, target, visit);
}

void planning::forEachInducedTile(const Problem &product, blas::TargetAttr target,
                                  llvm::function_ref<void(const Tile &)> visit) {
  std::vector<Family> families;
  if (isTallSkinny(product))
    addInstructions(product, target, families);
  for (const Family &family : families)
    forEachTileOf(family, product, target, visit);
}
