//===- InducedProduct.h - Complex products as real ones ---------*- C++ -*-===//
//
// complex = induced: A (K x M) and B (K x N) of complex elements are K x 2 M and K x 2 N real ones,
// whose product has a row of re(A)^T B and one of im(A)^T B for each row of C; the columns of both
// are complex again:
//
//   A^T B = sum of re(A)^T B + i sum of im(A)^T B        conj(A): - i
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PARTITION_INDUCEDPRODUCT_H
#define ROOFTILE_LIB_TRANSFORMS_PARTITION_INDUCEDPRODUCT_H

#include "rooftile/Dialect/Blas/Product.h"

namespace rooftile {

/// The component of A that the rows of a slice are products of.
enum class Component { Re, Im };

/// Fields that make `op` the product of the real elements of its operands, to `slices` (splits x 2
/// M x N,
/// complex). Where alpha is 0 it reads no operands; else it is left to the accumulators.
blas::ProductFields inducedProduct(mlir::OpBuilder &builder, blas::ProductOpInterface op,
                                   mlir::Value slices);

/// The rows of one component in all slices: splits x M x N.
mlir::Value rowsOf(mlir::OpBuilder &builder, mlir::Value slices, Component component);

/// Factor of the sum of that component: alpha, or i or -i times alpha. Null for 1.
mlir::Value factorOf(mlir::OpBuilder &builder, blas::ProductOpInterface op, Component component);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PARTITION_INDUCEDPRODUCT_H
