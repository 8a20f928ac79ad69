//===- Dialect.cpp - Registration of the dialect blas ---------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace rooftile::blas;

#include "rooftile/Dialect/Blas/BlasDialect.cpp.inc"

void BlasDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Blas/Blas.cpp.inc"
      >();
  registerAttributes();
}
