//===- Induced.cpp - Complex products as real ones ------------------------===//
//
// Complex A and B are matrices of twice as many real elements along M and N. The
// product of these has all four real products of each complex one, and the accumulators of C are
// two of its rows: re(A) B, and im(A) B times i. Its tiles are twice as fine, and nothing has to be
// split apart on the way to shared memory; but it has twice as many accumulators. So it is for C of
// few rows and columns.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Problem/Induced.h"

#include "rooftile/Dialect/Blas/SixProducts.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

/// The real elements of `matrix`, along M or N: of a single row or column, whose neighbours lie
/// along K, two real elements each.
static Matrix realsOf(Matrix matrix) {
  if (matrix.contiguous == Contiguous::Inner) {
    matrix.contiguous = Contiguous::Outer;
    matrix.maxVector = matrix.possibleVector = 1;
    matrix.flat.length = std::min<int64_t>(matrix.flat.length, 1);
  }
  matrix.elementBytes /= matrix.components;
  for (int64_t *count : {&matrix.maxVector, &matrix.possibleVector, &matrix.flat.length,
                         &matrix.flat.vector, &matrix.flat.aligned})
    *count *= matrix.components;
  matrix.rowMajor = matrix.columnMajor = {};
  matrix.components = 1;
  return matrix;
}

/// Slices of a workspace, of rows of `length` real elements that follow each other.
static Matrix slicesOf(Matrix matrix, int64_t length) {
  matrix = realsOf(matrix);
  matrix.contiguous = matrix.columns = Contiguous::Inner;
  matrix.maxVector = std::gcd(length, blas::kMaxAccessBytes / matrix.elementBytes);
  matrix.possibleVector = matrix.maxVector;
  matrix.flat = {};
  return matrix;
}

Matrix planning::copyOf(Matrix matrix, bool alongK) {
  matrix.contiguous = matrix.columns = alongK ? Contiguous::Inner : Contiguous::Outer;
  matrix.maxVector = matrix.possibleVector =
      std::max<int64_t>(1, blas::kMaxAccessBytes / matrix.elementBytes);
  matrix.rowMajor = matrix.columnMajor = {};
  matrix.forward = true;
  return matrix;
}

static bool inParts(const blas::PlanData &plan) { return plan.products == blas::kPartBlocks; }

bool planning::isInduced(const Problem &problem, const blas::PlanData &plan) {
  return plan.isInduced() && (inParts(plan) ? problem.canBeInducedInParts : problem.canBeInduced);
}

static bool isCopied(const Matrix &matrix) { return matrix.contiguous != Contiguous::Outer; }

double planning::complexCopyBytes(const Problem &problem) {
  double ofA = isCopied(problem.a) ? double(problem.m) * problem.a.elementBytes : 0;
  double ofB = isCopied(problem.b) ? double(problem.n) * problem.b.elementBytes : 0;
  return (ofA + ofB) * double(problem.k);
}

int64_t planning::complexCopies(const Problem &problem) {
  return int64_t(isCopied(problem.a)) + int64_t(isCopied(problem.b));
}

Problem planning::toInduced(Problem problem, const blas::PlanData &plan) {
  bool parts = inParts(plan);
  problem.m *= 2, problem.n *= 2; // which are known
  for (Matrix *matrix : {&problem.a, &problem.b})
    if (parts) {
      *matrix = copyOf(*matrix, /*alongK=*/false);
      matrix->flat = {};
    }
  problem.a = realsOf(problem.a), problem.b = realsOf(problem.b);
  problem.c = slicesOf(problem.c, problem.n);
  problem.elementBytes = problem.realBytes;
  problem.multiplyAdds = 1;
  if (problem.roomElements < INT64_MAX / 2)
    problem.roomElements *= 2;
  problem.readsC = problem.adds = problem.anyOrder = false;
  problem.threeProducts = problem.canBeInduced = problem.canBeInducedInParts = false;
  problem.sixProducts = problem.canPack = parts;
  problem.extraBytes = 0, problem.readsExtras = false;
  return problem;
}
