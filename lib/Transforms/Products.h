//===- Products.h - The sums of a tile, slice by slice ----------*- C++ -*-===//
//
// A product is added to one register matrix of sums. With products = 3 (3M: Karatsuba's, as in the
// reference BLAS' gemm3m) complex numbers take three real products, each with sums of its own:
//
//   s0 += Re(A) Re(B),   s1 += Im(A) Im(B),   s2 += (Re(A) + Im(A)) (Re(B) + Im(B))
//   Re(C) = s0 - s1,     Im(C) = s2 - s0 - s1
//
// Each part is then wrong by at most three times what four products may be of |A| |B|, not of what
// that part itself adds up. A conjugate turns the sign of its imaginary part.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PRODUCTS_H
#define ROOFTILE_LIB_TRANSFORMS_PRODUCTS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// How the plan of one product multiplies.
class Products {
public:
  Products(mlir::OpBuilder &builder, blas::GemmOp op);

  /// The sums, where `none` is the matrix of them with nothing added.
  llvm::SmallVector<mlir::Value> begin(mlir::Value none);
  /// `sums` and the product of fragments of A and B.
  llvm::SmallVector<mlir::Value> add(mlir::Value a, mlir::Value b, mlir::ValueRange sums);
  /// One matrix like `none` of all sums.
  mlir::Value finish(mlir::Value none, mlir::ValueRange sums);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::InstructionAttr instruction;
  bool three, conjugateA, conjugateB;
};

/// An error where the plan asks for three products that the operation does not allow.
mlir::LogicalResult checkProducts(blas::GemmOp op);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PRODUCTS_H
