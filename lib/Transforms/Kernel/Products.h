//===- Products.h - The accumulators of a tile, slice by slice --*- C++ -*-===//
//
// A product is added to one register matrix of accumulators. With products = 3 (3M: Karatsuba's, as
// in the reference BLAS' gemm3m) complex elements need three real products, each with accumulators
// of its own:
//
//   s0 += Re(A) Re(B),   s1 += Im(A) Im(B),   s2 += (Re(A) + Im(A)) (Re(B) + Im(B))
//   Re(C) = s0 - s1,     Im(C) = s2 - s0 - s1
//
// Each component is then wrong by at most three times what four products may be of |A| |B|, not of
// what that component itself adds up. A conjugate changes the sign of its imaginary component.
//
// With summation = compensated the products of a step are added up from 0, and the steps with what
// rounding lost (TwoSum). With promote = N a total is carried beside the accumulators, which are
// added to it after each N steps and begin again.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_PRODUCTS_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_PRODUCTS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// Multiplications of the plan of one product.
class Products {
public:
  Products(mlir::OpBuilder &builder, blas::ProductOpInterface op);

  /// Values carried from step to step, where `none` is the matrix of accumulators that are 0.
  llvm::SmallVector<mlir::Value> begin(mlir::Value none);
  /// The accumulators of a step as it begins, and what is carried after it.
  llvm::SmallVector<mlir::Value> beginStep(mlir::Value none, mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value> endStep(mlir::Value step, mlir::ValueRange carried,
                                         mlir::ValueRange sums);
  /// `sums` and the product of fragments of A and B.
  llvm::SmallVector<mlir::Value> add(mlir::Value a, mlir::Value b, mlir::ValueRange sums);
  /// One matrix like `none` of all that is carried.
  mlir::Value finish(mlir::Value none, mlir::ValueRange carried);

private:
  llvm::SmallVector<mlir::Type> types(mlir::Value none);
  llvm::SmallVector<mlir::Value> zeros(mlir::Value none);
  llvm::SmallVector<mlir::Value> promoted(mlir::Value step, mlir::Value total, mlir::Value sums);
  mlir::Value finished(mlir::Value sums);
  mlir::Value join(mlir::Value none, mlir::ValueRange sums);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::InstructionAttr instruction;
  bool three, compensates, awaits, conjugateA, conjugateB;
  int64_t promote;
};

//===----------------------------------------------------------------------===//
// Compensated accumulators
//
// Each register matrix of accumulators is carried as two, `high` and `low`. Adding x (Knuth's
// TwoSum, exact whatever is larger; Kahan's method, as Ogita, Rump and Oishi, Accurate sum and dot
// product, 2005, algorithm 4.4 (Sum2), state it):
//
//   sum = high + x,   of x: v = sum - high,   low += (high - (sum - v)) + (x - v),   high = sum
//
// and at the end high + low: as if in twice the working precision, and rounded once. Where high is
// infinite low is NaN, and is left out. Each component of complex elements is added up so.
//===----------------------------------------------------------------------===//

/// Values carried for `zeros`, register matrices with nothing added.
llvm::SmallVector<mlir::Value> beginCompensated(mlir::OpBuilder &builder, mlir::Location loc,
                                                mlir::ValueRange zeros);

/// `carried` with one more summand of each sum.
llvm::SmallVector<mlir::Value> addCompensated(mlir::OpBuilder &builder, mlir::Location loc,
                                              mlir::ValueRange carried, mlir::ValueRange summands);

/// The accumulators, of the given types.
llvm::SmallVector<mlir::Value> finishCompensated(mlir::OpBuilder &builder, mlir::Location loc,
                                                 mlir::ValueRange carried, mlir::TypeRange types);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_PRODUCTS_H
