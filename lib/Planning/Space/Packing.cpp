//===- Packing.cpp - Operands that are copied first -----------------------===//
//
// A copy costs M K (or K N) elements read and written and a launch, the product M N K
// multiplications: for a large one it is a small share. What it buys: tiles in asynchronous copies
// of 16 bytes, where an operand along K crosses to shared memory element by element to be
// transposed, and one with rows of odd length element by element, too.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Elements of the widest access.
static int64_t widest(const Matrix &matrix) {
  return std::max<int64_t>(1, blas::kMaxAccessBytes / matrix.elementBytes);
}

/// Whether rows of `matrix` begin anywhere.
static bool isOdd(const Matrix &matrix) { return matrix.maxVector < widest(matrix); }

/// The copy of `matrix`, whose rows have `extent` elements.
static Matrix packedMatrix(Matrix matrix, int64_t extent) {
  matrix.contiguous = matrix.columns = Contiguous::Outer;
  matrix.maxVector = matrix.possibleVector = widest(matrix);
  matrix.rowMajor = matrix.columnMajor = {};
  matrix.forward = true;
  matrix.padded = extent % widest(matrix) != 0;
  return matrix;
}

Problem planning::packed(const Problem &problem, const Plan &plan) {
  Problem result = problem;
  if (plan.a.pack)
    result.a = packedMatrix(problem.a, problem.m);
  if (plan.b.pack)
    result.b = packedMatrix(problem.b, problem.n);
  return result;
}

std::pair<Problem, Plan> planning::ofKernel(const Problem &problem, const Plan &plan) {
  if (plan.isInduced())
    return {toInduced(problem), plan.toInduced()};
  return {packed(problem, plan), plan};
}

double planning::packedBytes(const Problem &problem, const Plan &plan) {
  auto bytes = [&](const Matrix &matrix, int64_t extent) {
    double rows = double(matrix.batched ? problem.batch : 1) * problem.k;
    return rows * double(llvm::alignTo(extent * matrix.elementBytes, blas::kLineBytes));
  };
  return (plan.a.pack ? bytes(problem.a, problem.m) : 0) +
         (plan.b.pack ? bytes(problem.b, problem.n) : 0);
}

llvm::SmallVector<Plan, 2> planning::packingsOf(const Problem &problem, blas::TargetAttr target) {
  bool known = problem.knownM && problem.knownN && problem.knownK && !problem.assumed;
  if (!problem.canPack || !known || problem.isEdge() || problem.slices > 1 ||
      std::min({problem.m, problem.n, problem.k}) < target::calibrationOf(target).leastPackedSize)
    return {};
  llvm::SmallVector<Plan, 2> packings;
  double room = double(problem.roomElements) * problem.elementBytes;
  for (bool onlyOdd : {false, true}) {
    auto serves = [&](const Matrix &matrix) {
      bool alongK = matrix.contiguous != Contiguous::Outer && !onlyOdd;
      return !matrix.byPointers && (alongK || isOdd(matrix));
    };
    Plan plan;
    plan.a.pack = serves(problem.a), plan.b.pack = serves(problem.b);
    bool isFirst =
        packings.empty() || packings[0].a.pack != plan.a.pack || packings[0].b.pack != plan.b.pack;
    if (plan.packs() && isFirst && packedBytes(problem, plan) <= room)
      packings.push_back(plan);
  }
  return packings;
}

bool planning::isWorthPacking(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  // Multiply-adds hide the time of narrow loads, but not all that tensor copies save: NT at 4095 in
  // f32 took 2.83 ms as it was, 3.06 packed, 2.60 packed for these.
  bool odd = (plan.a.pack && isOdd(problem.a)) || (plan.b.pack && isOdd(problem.b));
  if (plan.readsShared())
    return (!plan.a.pack || isOdd(problem.a)) && (!plan.b.pack || isOdd(problem.b));
  bool whole = plan.a.copy == blas::Copy::Tensor && plan.b.copy == blas::Copy::Tensor;
  return target->asyncCopyBytes > 0 && (plan.instruction || whole || !odd);
}
