//===- Product.h - Fields of a product that its parts replace ---*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_PRODUCT_H
#define ROOFTILE_DIALECT_BLAS_PRODUCT_H

#include "rooftile/Dialect/Blas/Epilogue.h"

namespace rooftile::blas {

/// The fields of a product in which a part of it, or another form, may differ. A pass reads those
/// of an operation, changes some, and has createLike make an operation of them; all else stays.
struct ProductFields {
  explicit ProductFields(ProductOpInterface op);

  mlir::Value a, b, c;
  mlir::Value alpha, beta, workspace; ///< Null where there is none.
  Transpose transposeA, transposeB;
  Epilogue epilogue;
  bool partial, padded;
  Structure structureA, structureB; ///< Elements of op(A), op(B) that may differ from 0.
  bool masked;                      ///< Whatever memory holds of the rest.
  UploAttr triangle;                ///< Null: all of C.
  mlir::TypeAttr acc;               ///< Null: it follows from C's type.
  GivenAttr given;                  ///< Null: nothing.
  PlanAttr plan;                    ///< Null: none.
  mlir::ArrayAttr plans;            ///< Null: no set of plans.
};

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_PRODUCT_H
