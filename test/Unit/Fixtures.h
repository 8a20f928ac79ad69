//===- Fixtures.h - What the unit tests share -------------------*- C++ -*-===//
#ifndef ROOFTILE_TEST_UNIT_FIXTURES_H
#define ROOFTILE_TEST_UNIT_FIXTURES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"
#include "rooftile/Target/Chips.h"

#include <gtest/gtest.h>

namespace rooftile::planning {

/// A context, and the two chips.
struct PlanningTest : ::testing::Test {
  mlir::MLIRContext context;
  blas::TargetAttr chip(llvm::StringRef name) {
    return target::lookupChip(&context, name,
                              [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  }
  blas::TargetAttr h200 = chip("h200");
  blas::TargetAttr mi60 = chip("mi60");
};

/// op(A) contiguous along `ofA`, op(B) along `ofB`, both as wide as 16 bytes allow.
inline Problem gemm(int64_t m, int64_t n, int64_t k, int64_t elementBytes = 4,
                    Contiguous ofA = Contiguous::Inner, Contiguous ofB = Contiguous::Outer) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.elementBytes = problem.realBytes = elementBytes;
  problem.a = {ofA, 16 / elementBytes, elementBytes};
  problem.b = {ofB, 16 / elementBytes, elementBytes};
  problem.c = {Contiguous::Inner, 16 / elementBytes, elementBytes};
  return problem;
}

/// The product of elements of 16 bits, with accumulators of f32.
inline Problem narrowGemm(int64_t m, int64_t n, int64_t k, Contiguous ofA = Contiguous::Inner,
                          Contiguous ofB = Contiguous::Outer) {
  Problem problem = gemm(m, n, k, 4, ofA, ofB);
  for (Matrix *matrix : {&problem.a, &problem.b, &problem.c})
    matrix->elementBytes = 2, matrix->maxVector = 8;
  return problem;
}

/// The square product of elements of `partsA` and `partsB` real numbers of `realBytes` bytes, in
/// complex sums.
inline Problem complexGemm(int64_t size, int64_t partsA, int64_t partsB, int64_t realBytes) {
  Problem problem = gemm(size, size, size, realBytes);
  problem.multiplyAdds = partsA * partsB;
  problem.elementBytes = 2 * realBytes;
  auto setComponents = [&](Matrix &matrix, int64_t components) {
    matrix.components = components;
    matrix.elementBytes = components * realBytes;
    matrix.maxVector = 16 / matrix.elementBytes;
  };
  setComponents(problem.a, partsA);
  setComponents(problem.b, partsB);
  setComponents(problem.c, 2);
  return problem;
}

/// 128 x 128 x 16, micro 8 x 8, 256 threads, leap-frog, unpadded: the classic SGEMM plan.
inline Plan classic() {
  Plan plan;
  plan.macroM = plan.macroN = 128;
  plan.macroK = 16;
  plan.microM = plan.microN = 8;
  plan.lanesM = 4;
  plan.lanesN = 8;
  plan.vector = 4;
  plan.a.vector = plan.b.vector = 4;
  plan.stages = 2;
  return plan;
}

} // namespace rooftile::planning

#endif // ROOFTILE_TEST_UNIT_FIXTURES_H
