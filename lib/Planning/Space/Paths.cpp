//===- Paths.cpp - Paths of a tile's operands and accumulators ------------===//

#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace rooftile;
using namespace rooftile::planning;

/// K up to which C is most of what a product moves.
static constexpr int64_t kShortK = 256;

/// Whether a tile of whole lines is copied as one: where it has accesses of less than 16 bytes, or
/// those of neighbouring threads are apart (20 numbers of f64: 4 accesses side by side).
static bool paysFlat(const Matrix &matrix, int64_t extent, const Plan &plan, const Path &path,
                     bool oneStep) {
  bool alongK = path.major == blas::Major::K;
  auto [count, length] = blas::linesOf(extent, plan.macroK, path.major);
  if (matrix.flat.length == 0 || isTransposed(matrix, path) || blas::arrivesInBulk(path.copy) ||
      matrix.flat.length > length)
    return false;
  // Multiply-adds read runs of a line. Of one step narrow copies cost more than narrow reads.
  if (!plan.instruction && !alongK && !oneStep && matrix.flat.length % plan.vector != 0)
    return false;
  // Lanes of a matrix instruction read padded lines without bank conflicts.
  if (plan.instruction &&
      flatVector(matrix, path, extent, plan.macroK) * matrix.elementBytes < kMaxAccessBytes)
    return false;
  // Of tiles that are wider than the lines many threads would copy nothing.
  if (matrix.flat.length < length)
    return true;
  Path lines = path;
  lines.vector = matrix.maxVector;
  int64_t lanes = copyLanes(matrix, lines, extent, plan);
  int64_t together = lanes * lines.vector * matrix.elementBytes;
  // Nor do lines divide among the threads, or a subgroup among pieces of lines, which then meet in
  // the banks: 12 lanes beside each other of 192 threads, in lines of 72.
  int64_t subgroup = plan.lanesM * plan.lanesN;
  bool pieces = lanes * lines.vector < length, broken = pieces && subgroup % lanes != 0;
  if (plan.instruction && (broken || count % (plan.threads() / lanes) != 0))
    return true;
  return together < blas::kLineBytes || lines.vector * matrix.elementBytes < kMaxAccessBytes;
}

Path planning::choosePath(const Problem &problem, bool isA, const Plan &plan,
                          blas::TargetAttr target) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t extent = isA ? plan.macroM : plan.macroN;
  Path path;
  blas::Copy copy = path.copy = (isA ? plan.a : plan.b).copy;
  path.major = (isA ? plan.a : plan.b).major;
  path.pack = (isA ? plan.a : plan.b).pack;
  if (blas::arrivesInBulk(copy)) {
    path.vector = tile::kBulkBytes / matrix.elementBytes;
    return path;
  }
  // Copies of 16 bytes to whole rows of banks: of one step nothing is multiplied while it is
  // copied, and of lines along K nothing else takes as long.
  bool oneStep = holdsAllOfK(problem, plan);
  bool lines = isColumnMajorTallSkinny(problem) && path.major == blas::Major::K;
  bool whole = (oneStep || lines) && copy == blas::Copy::Async;
  // A matrix instruction takes real numbers: of pairs ptxas would move half of the registers.
  if (plan.instruction && matrix.components == 2 && !blas::arrivesInBulk(copy) && !whole)
    path.layout = blas::ComplexLayout::Planar;
  if ((isTallSkinny(problem) || isTsmm(problem)) && paysFlat(matrix, extent, plan, path, oneStep)) {
    path.flat = matrix.flat.length;
    path.vector = flatVector(matrix, path, extent, plan.macroK);
    return path;
  }
  int64_t along = matrix.alongK() ? plan.macroK : extent;
  path.vector = copy == blas::Copy::Async && isTransposed(matrix, path) ? 1 : matrix.maxVector;
  while (path.vector > 1 &&
         (along % path.vector != 0 || extent * plan.macroK / path.vector % plan.threads() != 0))
    path.vector /= 2;
  // Lanes of a matrix instruction read several lines of a slice at once.
  if (isTransposed(matrix, path))
    spreadOverBanks(path, matrix, extent, plan, target);
  else if (plan.instruction || path.major == blas::Major::K)
    layLines(path, matrix, extent, plan, whole, target);
  return path;
}

/// Whether rows of block vectors are written as one: those that do not fill lines of memory.
static bool paysFlatRows(const Problem &problem, const Plan &plan) {
  const Matrix &c = problem.c;
  int64_t length = c.contiguous == Contiguous::Inner ? c.flat.length : 0;
  return isTsmm(problem) && length > 0 && length <= plan.macroN && problem.extraBytes == 0 &&
         length * c.elementBytes % blas::kLineBytes != 0;
}

/// Whether a piece of memory that C lies in is written to more than once: a lane has more of it
/// than an access takes, one after the other.
static bool dividesSectors(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  // A lane of a matrix instruction holds two columns for each of B that it reads at once; of one
  // whose operands are exchanged, two rows.
  int64_t columns = plan.instruction && !plan.instruction->isExchanged() ? 2 : 1;
  int64_t run = columns * plan.runOf(1) * problem.c.elementBytes;
  return std::min(run, target.getSectorBytes()) > problem.c.maxVector * problem.c.elementBytes;
}

/// Whether whole lines of C pay for their way through shared memory.
static bool paysShared(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  bool narrow = problem.c.maxVector * problem.c.elementBytes < kMaxAccessBytes;
  bool most = problem.k <= kShortK;
  bool leaves = plan.instruction && !isCached(problem.bytesOfC(), target);
  leaves |= multipliesComplex(problem, plan); // a workgroup alone on its unit
  bool divided = dividesSectors(problem, plan, target);
  // Lanes that write two columns each fill half a line of 128 bytes between them: whole lines were
  // 2 to 5 % faster (f64 1024^3 to 4096^3, 8192^2 x 256), those of short sums a third (K = 4).
  bool halves = plan.instruction && plan.runOf(1) == 1 && !multipliesComplex(problem, plan);
  return halves || (divided && (narrow || most || leaves));
}

void planning::chooseOutput(const Problem &problem, Plan &plan, blas::TargetAttr target) {
  plan.c = blas::Via::Register, plan.flat = 0;
  if (plan.reducesInShared())
    return; // in rows anyway
  if (paysFlatRows(problem, plan)) {
    plan.c = blas::Via::Shared, plan.flat = problem.c.flat.length;
    return;
  }
  if (problem.c.contiguous == Contiguous::Inner && paysShared(problem, plan, target))
    plan.c = blas::Via::Shared;
}

bool planning::canCopyAsync(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto can = [&](const Matrix &matrix, const Path &path) {
    int64_t narrowest = matrix.elementBytes * (isTransposed(matrix, path) ? 1 : matrix.maxVector);
    return narrowest >= kLeastCopyBytes && matrix.elementBytes <= target.getAsyncCopyBytes();
  };
  return can(problem.a, plan.a) && can(problem.b, plan.b);
}

Plan planning::laidOut(const Problem &problem, Plan plan, blas::TargetAttr target) {
  Path a = choosePath(problem, true, plan, target), b = choosePath(problem, false, plan, target);
  plan.a = a, plan.b = b;
  chooseOutput(problem, plan, target);
  return plan;
}
