//===- LinalgProduct.h - Matrix products as linalg writes them --*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_LINALGPRODUCT_H
#define ROOFTILE_TRANSFORMS_LINALGPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <optional>
#include <string>

namespace rooftile {

/// C(M x N) += op(A)(M x K) * op(B)(K x N), with any leading batch.
struct LinalgProduct {
  mlir::Value a, b, c;
  blas::Transpose opA, opB;
};

/// True for a linalg operation that multiplies and sums: a named contraction,
/// or a linalg.generic that is one.
bool isContraction(mlir::linalg::LinalgOp op);

/// Reads `op` as a product that blas.gemm can say. Otherwise nothing, and `why`
/// holds the reason, naming the operand.
std::optional<LinalgProduct> matchLinalgProduct(mlir::linalg::LinalgOp op, std::string &why);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_LINALGPRODUCT_H
