//===- Packing.cpp - Operands that are copied first -----------------------===//
//
// A copy costs M K (or K N) elements read and written and a launch, the product M N K
// multiplications: for a large one it is a small share. What it buys: tiles in asynchronous copies
// of 16 bytes, where an operand along K crosses to shared memory element by element to be
// transposed, and one with rows of odd length element by element, too.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Problem/SixProducts.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace rooftile;
using namespace rooftile::planning;

/// Elements of the widest access.
static int64_t widest(const Matrix &matrix) {
  return std::max<int64_t>(1, blas::kMaxAccessBytes / matrix.elementBytes);
}

/// Whether rows of `matrix` begin anywhere.
static bool isOdd(const Matrix &matrix) { return matrix.maxVector < widest(matrix); }

/// The copy of `matrix`, whose rows have `extent` elements, or run along K.
static Matrix packedMatrix(Matrix matrix, int64_t extent, bool alongK) {
  matrix.padded = !alongK && extent % widest(matrix) != 0;
  return copyOf(matrix, alongK);
}

/// Whether `plan` multiplies parts of elements that have not been copied yet.
static bool copiesParts(const Problem &problem, const Plan &plan) {
  return plan.products == blas::kPartBlocks && problem.sixProducts;
}

/// Whether the copy of an operand has rows along K.
static bool isCopiedAlongK(const Plan &plan, const Path &path) {
  return path.major == blas::Major::K && plan.products != blas::kPartBlocks;
}

Problem planning::packed(const Problem &stated, const Plan &plan) {
  Problem result = copiesParts(stated, plan) ? toParts(stated) : stated;
  if (plan.a.pack)
    result.a = packedMatrix(result.a, result.m, isCopiedAlongK(plan, plan.a));
  if (plan.b.pack)
    result.b = packedMatrix(result.b, result.n, isCopiedAlongK(plan, plan.b));
  return result;
}

std::pair<Problem, Plan> planning::ofKernel(const Problem &problem, const Plan &plan) {
  if (plan.isInduced())
    return ofKernel(toInduced(problem, plan), plan.toInduced());
  return {packed(problem, plan), plan};
}

double planning::packedBytes(const Problem &stated, const Plan &plan) {
  std::optional<Problem> copies;
  const Problem &problem = copiesParts(stated, plan) ? copies.emplace(toParts(stated)) : stated;
  auto bytes = [&](const Matrix &matrix, const Path &path, int64_t extent) {
    int64_t rows = problem.k;
    if (isCopiedAlongK(plan, path))
      std::swap(rows, extent);
    return double(matrix.batched ? problem.batch : 1) * rows *
           double(llvm::alignTo(extent * matrix.elementBytes, blas::kLineBytes));
  };
  return (plan.a.pack ? bytes(problem.a, plan.a, problem.m) : 0) +
         (plan.b.pack ? bytes(problem.b, plan.b, problem.n) : 0);
}

llvm::SmallVector<Plan, 2> planning::packingsOf(const Problem &problem, blas::TargetAttr target) {
  bool known = problem.knownM && problem.knownN && problem.knownK && !problem.assumed;
  if (!problem.canPack || !known || problem.isEdge() || problem.slices > 1 ||
      std::min({problem.m, problem.n, problem.k}) < target::calibrationOf(target).leastPackedSize)
    return {};
  llvm::SmallVector<Plan, 2> packings;
  if (problem.sixProducts && !problem.a.byPointers && !problem.b.byPointers) {
    Plan plan;
    plan.a.pack = plan.b.pack = 1, plan.products = blas::kPartBlocks;
    packings.push_back(plan);
  }
  // An instruction that reads rows along K alone.
  bool alongK = llvm::any_of(target->instructions, [&](const blas::InstructionRate &rate) {
    return rate.instruction->needsRowsOfK && multiplies(*rate.instruction, problem);
  });
  if (alongK && problem.k % std::max(widest(problem.a), widest(problem.b)) == 0) {
    auto serves = [](const Matrix &matrix) {
      return !matrix.byPointers && (!matrix.alongK() || isOdd(matrix));
    };
    Plan plan;
    plan.a.pack = serves(problem.a), plan.b.pack = serves(problem.b);
    plan.a.major = plan.b.major = blas::Major::K;
    if (plan.packs())
      packings.push_back(plan);
  }
  double room = double(problem.roomElements) * problem.elementBytes;
  for (bool onlyOdd : {false, true}) {
    auto serves = [&](const Matrix &matrix) {
      bool alongK = matrix.contiguous != Contiguous::Outer && !onlyOdd;
      return !matrix.byPointers && (alongK || isOdd(matrix));
    };
    Plan plan;
    plan.a.pack = serves(problem.a), plan.b.pack = serves(problem.b);
    if (plan.packs() && !llvm::is_contained(packings, plan))
      packings.push_back(plan);
  }
  llvm::erase_if(packings, [&](const Plan &plan) { return packedBytes(problem, plan) > room; });
  return packings;
}

bool planning::isWorthPacking(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  if (plan.products == blas::kPartBlocks)
    return true;
  // Multiply-adds hide the time of narrow loads, but not all that tensor copies save: NT at 4095 in
  // f32 took 2.83 ms as it was, 3.06 packed, 2.60 packed for these.
  bool odd = (plan.a.pack && isOdd(problem.a)) || (plan.b.pack && isOdd(problem.b));
  if (plan.readsShared()) {
    auto serves = [&](const Path &path, const Matrix &matrix) {
      return !path.pack || isOdd(matrix) || (plan.instruction->needsRowsOfK && !matrix.alongK());
    };
    return serves(plan.a, problem.a) && serves(plan.b, problem.b);
  }
  bool whole = plan.a.copy == blas::Copy::Tensor && plan.b.copy == blas::Copy::Tensor;
  return target->asyncCopyBytes > 0 && (plan.instruction || whole || !odd);
}
