//===- TriangularOperand.h - Products with a masked operand -----*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_TRIANGULAROPERAND_H
#define ROOFTILE_TRANSFORMS_RAISE_TRIANGULAROPERAND_H

#include "rooftile/Transforms/Raise/LinalgProduct.h"

namespace rooftile {

/// A product as blas.trmm has it: one factor is a triangle, the other one enters as it is.
struct TriangularOperand {
  bool isLeft;
  blas::Uplo uplo; ///< Triangle of the matrix as it is stored.
  blas::Diag diag;
  /// The product that reads the triangle from where blas.trmm may read it: the matrix that was
  /// masked, where its own triangle is all that counts, else the masked one.
  LinalgProduct product;
};

/// Finds a factor of `product`, which `op` computes, that is masked to a triangle. Nothing where
/// there is none, and where blas.trmm cannot express the product: then `why` holds the reason.
std::optional<TriangularOperand>
matchTriangularOperand(mlir::linalg::LinalgOp op, const LinalgProduct &product, std::string &why);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_TRIANGULAROPERAND_H
