//===- MemoryRuns.cpp - What a tile touches of memory ---------------------===//

#include "rooftile/Planning/Cost/MemoryRuns.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

double planning::matrixBytes(const Problem &problem, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  return double(isA ? problem.m : problem.n) * problem.k * matrix.elementBytes;
}

/// Whether the matrices of a workgroup are one piece of memory: those without gaps are assumed to
/// follow each other.
static bool followEachOther(const Matrix &matrix, const Plan &plan) {
  return plan.matrices > 1 && matrix.batched && !matrix.byPointers && matrix.flat.length > 0;
}

double planning::linesApart(double apart, blas::TargetAttr target) {
  double lanes = target->subgroup;
  return std::clamp(lanes * apart / blas::kLineBytes, 1.0, lanes);
}

double planning::runBytes(const Problem &problem, const Plan &plan, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  const Path &path = isA ? plan.a : plan.b;
  if (matrix.contiguous == Contiguous::None)
    return matrix.elementBytes;
  if (followEachOther(matrix, plan))
    return plan.matrices * matrixBytes(problem, isA);
  int64_t extent = isA ? plan.macroM : plan.macroN, size = isA ? problem.m : problem.n;
  auto [vector, length, vectors] = matrix.contiguous == Contiguous::Inner
                                       ? std::tuple(plan.macroK, problem.k, std::min(extent, size))
                                       : std::tuple(extent, size, std::min(plan.macroK, problem.k));
  if (path.flat)
    return double(matrix.elementBytes) * path.flat * vectors;
  bool whole = vector >= length && !matrix.padded;
  return double(matrix.elementBytes) * std::max<int64_t>(1, whole ? length * vectors : vector);
}

double planning::touched(double run, int64_t piece, int64_t alignment) {
  return alignment >= piece ? std::ceil(run / piece) : 1 + std::max(0.0, run - alignment) / piece;
}

int64_t planning::alignmentOf(const Matrix &matrix, int64_t length, int64_t step) {
  int64_t bytes = matrix.elementBytes, widest = matrix.maxVector * bytes;
  int64_t ofRows = matrix.padded ? widest : std::gcd(length * bytes, blas::kLineBytes);
  return std::max(widest, std::gcd(ofRows, step * bytes));
}

int64_t planning::tileAlignment(const Problem &problem, const Plan &plan, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  if (matrix.alongK())
    return alignmentOf(matrix, problem.k, std::gcd(plan.macroK, problem.k % plan.macroK));
  return isA ? alignmentOf(matrix, problem.m, plan.macroM)
             : alignmentOf(matrix, problem.n, plan.macroN);
}

double planning::sectorBytes(const Problem &problem, const Plan &plan, bool isA,
                             blas::TargetAttr target) {
  const Path &path = isA ? plan.a : plan.b;
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t extent = isA ? plan.macroM : plan.macroN, elementBytes = matrix.elementBytes;
  int64_t copied = copiedElements(path, extent, plan.macroK);
  if (followEachOther(matrix, plan))
    return double(plan.matrices) * copied * elementBytes;
  copied *= matrix.batched ? plan.matrices : 1;
  if (path.flat)
    return double(llvm::alignTo(copied, plan.threads() * path.vector)) * elementBytes;
  if (matrix.contiguous == Contiguous::None)
    return double(copied) * std::max(target->sectorBytes, elementBytes);
  double run = (matrix.contiguous == Contiguous::Inner ? plan.macroK : extent) * elementBytes;
  double sectors = touched(run, target->sectorBytes, tileAlignment(problem, plan, isA));
  return copied * elementBytes / run * sectors * target->sectorBytes;
}
