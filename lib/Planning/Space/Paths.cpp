//===- Paths.cpp - Paths of a tile's operands and accumulators ------------===//

#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Dialect/Blas/LaneStep.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

//===----------------------------------------------------------------------===//
// Vectors in the banks
//===----------------------------------------------------------------------===//

/// Elements that all banks hold in one clock.
static int64_t bankElements(int64_t elementBytes, blas::TargetAttr target) {
  return target->sharedBanks * 4 / elementBytes;
}

/// Vectors along M or N that lanes side by side read at once: of a matrix instruction those of
/// neighbours along K, unless its lanes that have the same K fill the banks.
static int64_t vectorsAtOnce(const Plan &plan, int64_t width) {
  if (!plan.instruction)
    return tile::BufferType::kSwizzleVectors;
  const tile::Instruction &own = *plan.instruction;
  int64_t neighbours = own.lanesOfK * own.runOfK;
  if (own.rowsFirst == 1)
    return neighbours;
  return std::clamp<int64_t>(width / (own.rowsFirst * plan.vector), 1, neighbours);
}

/// Elements that vectors should be apart in the banks, or an odd multiple of it. Lanes of a matrix
/// instruction read neighbours along K of one vector, or one of each of as many vectors, which
/// fill the banks.
static int64_t bankDistance(const TileCopy &copy, const Plan &plan, blas::TargetAttr target) {
  // K elements that lanes side by side hold, of a vector or of a vector each.
  const tile::Instruction *own = plan.instruction;
  if (copy.path.major == blas::Major::K) {
    if (!own)
      return plan.depth;
    if (own->rowsFirst == 1)
      return own->lanesOfK * own->runOfK;
    // A line of each row: as much as an access covers.
    int64_t access = blas::kMaxAccessBytes / stepBytes(copy.matrix, copy.path);
    return std::max(std::min(blas::laneStep(plan), access), copy.path.vector);
  }
  int64_t width = bankElements(stepBytes(copy.matrix, copy.path), target);
  return std::max(plan.vector, width / vectorsAtOnce(plan, width));
}

/// Padding of the vectors of a tile with which those that are read at once fill the banks.
static int64_t paddingOf(const TileCopy &copy, const Plan &plan, blas::TargetAttr target) {
  int64_t width = bankElements(stepBytes(copy.matrix, copy.path), target);
  if (copy.path.major == blas::Major::MN && vectorsAtOnce(plan, width) == 1)
    return 0;
  int64_t apart = bankDistance(copy, plan, target);
  int64_t length = blas::vectorsOf(copy.extent, plan.macroK, copy.path.major)[1];
  int64_t pad = llvm::alignTo(length, apart) - length;
  return pad + ((length + pad) / apart % 2 == 0 ? apart : 0);
}

/// Padding, and lanes along K where vectors are short, with which no store and no read of a tile by
/// the lanes of a matrix instruction meets in a bank. With `whole` vectors of a multiple of 128
/// bytes have a swizzle instead: copies then write whole rows of banks.
static void padVectors(Path &path, const TileCopy &copy, const Plan &plan, bool whole,
                       blas::TargetAttr target) {
  int64_t width = bankElements(stepBytes(copy.matrix, path), target);
  if (whole && blas::vectorsOf(copy.extent, plan.macroK, path.major)[1] % width == 0) {
    int64_t apart = bankDistance(copy, plan, target);
    path.swizzle = apart < width ? std::max(apart, path.vector) : 0;
    return;
  }
  path.pad = paddingOf(copy, plan, target);
  if (!plan.instruction || !copy.matrix.alongK() || storeReplays(copy, plan, target) == 1)
    return;
  // Short vectors along K: as many of each at a time as fragments are read of it.
  bool rowsFirst = plan.instruction->rowsFirst > 1;
  int64_t atOnce = rowsFirst ? blas::laneStep(plan) : plan.instruction->lanesOfK;
  int64_t lanes = std::max<int64_t>(1, atOnce / path.vector);
  if (plan.threads() % lanes == 0 && copy.extent % (plan.threads() / lanes) == 0)
    path.lanes = lanes;
}

/// Padding and swizzle with which no store and no read of a transposed tile meets in a bank, where
/// there are any.
static void spreadOverBanks(Path &path, const TileCopy &copy, const Plan &plan,
                            blas::TargetAttr target) {
  int64_t width = bankElements(stepBytes(copy.matrix, path), target);
  path.pad = paddingOf(copy, plan, target);
  int64_t stored = path.copy == blas::Copy::Async ? 1 : path.vector;
  int64_t along = std::gcd(plan.macroK / stored, plan.threads());
  // The hardware serves no more lanes than vectors at once where elements have 16 bytes.
  if (std::min(along, width) * stored <= tile::BufferType::kSwizzleVectors)
    return;
  // Rows beyond the eighth start in the same banks: their elements are exchanged with those that
  // other lanes do not touch. But lanes of a matrix instruction read runs in rows of their own,
  // which must stay together.
  int64_t moved = std::max<int64_t>(1, width / along);
  bool parts = plan.instruction && moved < plan.vector;
  if (!parts && copy.extent % tile::BufferType::getSwizzled(moved, plan.macroK, {}) == 0)
    path.swizzle = moved;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Whether a tile of whole vectors is copied as one: where it has accesses of less than 16 bytes,
/// or those of neighbouring threads are apart (20 elements of f64: 4 accesses side by side).
static bool paysFlat(const Matrix &matrix, int64_t extent, const Plan &plan, const Path &path,
                     bool oneStep) {
  bool alongK = path.major == blas::Major::K;
  int64_t length = blas::vectorsOf(extent, plan.macroK, path.major)[1];
  if (matrix.flat.length == 0 || isTransposed(matrix, path) || blas::arrivesInBulk(path.copy) ||
      matrix.flat.length > length)
    return false;
  // Multiply-adds read runs of a vector. Of one step narrow copies cost more than narrow reads.
  if (!plan.instruction && !alongK && !oneStep && matrix.flat.length % plan.vector != 0)
    return false;
  // Lanes of a matrix instruction read padded vectors without bank conflicts.
  if (plan.instruction &&
      flatVector(matrix, path, extent, plan.macroK) * matrix.elementBytes < blas::kMaxAccessBytes)
    return false;
  // Many threads would copy nothing of tiles that are wider than the vectors.
  if (matrix.flat.length < length)
    return true;
  Path wide = path;
  wide.vector = matrix.maxVector;
  int64_t lanes = copyLanes(matrix, wide, extent, plan);
  int64_t together = lanes * wide.vector * matrix.elementBytes;
  return together < blas::kLineBytes || wide.vector * matrix.elementBytes < blas::kMaxAccessBytes;
}

/// The widest legal access whose loads divide among the threads; a tile that is transposed on its
/// way, or that a matrix instruction reads, is spread over the banks. `plan` gives the dimension
/// along which dimension the vectors of both lie, and how they are copied.
static Path choosePath(const Problem &problem, bool isA, const Plan &plan,
                       blas::TargetAttr target) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t extent = isA ? plan.macroM : plan.macroN;
  const Path &given = isA ? plan.a : plan.b;
  Path path;
  path.copy = given.copy, path.major = given.major, path.pack = given.pack;
  if (given.isDirect()) {
    path.via = given.via;
    bool along = matrix.alongK() == (path.major == blas::Major::K);
    path.vector =
        along ? std::min(matrix.maxVector, plan.runsAlongK(given) ? plan.depth : plan.vector) : 1;
    return path;
  }
  // An instruction that reads shared memory has one arrangement, which meets in no bank.
  bool readsShared = plan.readsShared();
  if (readsShared)
    path.swizzle = tile::kSharedUnitBytes / matrix.elementBytes;
  if (blas::arrivesInBulk(path.copy)) {
    path.vector = tile::kBulkBytes / matrix.elementBytes;
    return path;
  }
  // Copies of 16 bytes to whole rows of banks: of one step nothing is multiplied while it is
  // copied, and of vectors along K nothing else lasts as long.
  bool oneStep = holdsAllOfK(problem, plan);
  bool alongK = isColumnMajorTallSkinny(problem) && path.major == blas::Major::K;
  bool whole = (oneStep || alongK) && path.copy == blas::Copy::Async;
  // A matrix instruction reads real elements: of pairs ptxas would move half of the registers.
  if (plan.instruction && matrix.components == 2 && !whole)
    path.layout = blas::ComplexLayout::Planar;
  if ((isTallSkinny(problem) || isTsmm(problem)) && paysFlat(matrix, extent, plan, path, oneStep)) {
    path.flat = matrix.flat.length;
    path.vector = flatVector(matrix, path, extent, plan.macroK);
    return path;
  }
  bool transposed = isTransposed(matrix, path);
  int64_t along = matrix.alongK() ? plan.macroK : extent;
  path.vector = path.copy == blas::Copy::Async && transposed ? 1 : matrix.maxVector;
  while (path.vector > 1 &&
         (along % path.vector != 0 || extent * plan.macroK / path.vector % plan.threads() != 0))
    path.vector /= 2;
  if (readsShared)
    return path;
  // Lanes of a matrix instruction read several vectors of a slice at once.
  TileCopy copy{matrix, path, extent};
  if (transposed)
    spreadOverBanks(path, copy, plan, target);
  else if (plan.instruction || path.major == blas::Major::K)
    padVectors(path, copy, plan, whole, target);
  return path;
}

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

/// Whether rows of block vectors are written as one: those that do not fill cache lines.
static bool paysFlatRows(const Problem &problem, const Plan &plan) {
  const Matrix &c = problem.c;
  int64_t length = c.contiguous == Contiguous::Inner ? c.flat.length : 0;
  return isTsmm(problem) && length > 0 && length <= plan.macroN && problem.extraBytes == 0 &&
         length * c.elementBytes % blas::kLineBytes != 0;
}

/// K up to which C is most of what a product moves.
static constexpr int64_t kShortK = 256;

/// Whether whole cache lines of C pay for their way through shared memory.
static bool paysShared(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  // Lanes of four subgroups have pairs of columns in rows of their own: quarters of a cache line.
  if (plan.readsShared())
    return true;
  bool narrow = problem.c.maxVector * problem.c.elementBytes < blas::kMaxAccessBytes;
  bool most = problem.k <= kShortK;
  bool leaves = plan.instruction && !isCached(problem.bytesOfC(), target);
  leaves |= multipliesComplex(problem, plan); // a workgroup alone on its unit
  // A piece of memory is written to more than once where a lane has more of it than an access
  // covers, one after the other. A lane of a matrix instruction may hold two columns for each of B
  // that it reads at once.
  int64_t columns = plan.instruction ? plan.instruction->columnsOfLane : 1;
  bool divided = columns * plan.runOf(1) > problem.c.maxVector;
  // Lanes that write two columns each fill half a cache line between them: whole lines were
  // 2 to 5 % faster (f64 1024^3 to 4096^3, 8192^2 x 256), those with few K steps a third (K = 4).
  bool halves = plan.instruction && plan.runOf(1) == 1 && !multipliesComplex(problem, plan);
  return halves || (divided && (narrow || most || leaves));
}

/// Through shared memory where lanes would write the sectors of C partially, and these are narrow
/// or meet memory: C is most of what moves, or more than the cache holds; or where they would write
/// cache lines partially. Rows of block vectors that follow each other without gaps leave as one
/// run where they do not fill cache lines.
static void chooseOutput(const Problem &problem, Plan &plan, blas::TargetAttr target) {
  plan.c = blas::Via::Register, plan.flat = 0;
  if (plan.reducesInShared() || plan.matrices > 1)
    return; // in rows anyway, or by threads alone
  bool flat = paysFlatRows(problem, plan);
  if (flat)
    plan.flat = problem.c.flat.length;
  if (flat || (problem.c.contiguous == Contiguous::Inner && paysShared(problem, plan, target)))
    plan.c = blas::Via::Shared;
}

bool planning::canCopyAsync(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto can = [&](const Matrix &matrix, const Path &path) {
    int64_t narrowest = matrix.elementBytes * (isTransposed(matrix, path) ? 1 : matrix.maxVector);
    return narrowest >= blas::kLeastCopyBytes && matrix.elementBytes <= target->asyncCopyBytes;
  };
  return can(problem.a, plan.a) && can(problem.b, plan.b);
}

Plan planning::laidOut(const Problem &problem, Plan plan, blas::TargetAttr target) {
  Path a = choosePath(problem, true, plan, target), b = choosePath(problem, false, plan, target);
  plan.a = a, plan.b = b;
  chooseOutput(problem, plan, target);
  return plan;
}
