//===- SixProducts.cpp - f32 products as bf16 ones ------------------------===//

#include "rooftile/Planning/Problem/SixProducts.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

Problem planning::toParts(Problem problem) {
  for (Matrix *matrix : {&problem.a, &problem.b})
    matrix->elementBytes = 2, matrix->format = "bf16";
  problem.k = blas::kPartBlocks * llvm::alignTo(problem.k, blas::kPartRows);
  problem.multipleK = blas::kPartBlocks * blas::kPartRows;
  problem.sixProducts = false, problem.inParts = true;
  return problem;
}
