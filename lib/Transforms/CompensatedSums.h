//===- CompensatedSums.h - Sums that keep what rounding lost ----*- C++ -*-===//
//
// Of each register matrix of sums two are carried, `high` and `low`. Adding x (Knuth's TwoSum,
// exact whatever is larger; Kahan's method, as Ogita, Rump and Oishi, Accurate sum and dot product,
// 2005, algorithm 4.4 (Sum2), state it):
//
//   sum = high + x,   of x: v = sum - high,   low += (high - (sum - v)) + (x - v),   high = sum
//
// and at the end high + low: as if in twice the working precision, and rounded once. Where high is
// infinite low is no number, and is left out. Of complex numbers each part is added up so.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_COMPENSATEDSUMS_H
#define ROOFTILE_LIB_TRANSFORMS_COMPENSATEDSUMS_H

#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// What is carried for `zeros`, register matrices with nothing added.
llvm::SmallVector<mlir::Value> beginCompensated(mlir::OpBuilder &builder, mlir::Location loc,
                                                mlir::ValueRange zeros);

/// `carried` with one more summand of each sum.
llvm::SmallVector<mlir::Value> addCompensated(mlir::OpBuilder &builder, mlir::Location loc,
                                              mlir::ValueRange carried, mlir::ValueRange summands);

/// The sums, of the given types.
llvm::SmallVector<mlir::Value> finishCompensated(mlir::OpBuilder &builder, mlir::Location loc,
                                                 mlir::ValueRange carried, mlir::TypeRange types);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_COMPENSATEDSUMS_H
