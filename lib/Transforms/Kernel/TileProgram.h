//===- TileProgram.h - The K steps of one workgroup -------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEPROGRAM_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEPROGRAM_H

#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Steps of macro K elements along K.
struct StepShare {
  mlir::Value start;          ///< First K element; before 0 where K has a remainder.
  int64_t stride;             ///< Elements from the start of one step to that of the next.
  mlir::OpFoldResult count;   ///< Steps.
  int64_t least = 0;          ///< A lower bound of the steps; 0 where none may exist.
  bool remainderLast = false; ///< Or in the only step: the first one begins at 0.
};

/// The share of workgroup `split` (null: the only one) in the ceil(k / macro K) steps of K: of S
/// shares, number i has the steps i, i + S, i + 2 S, so that workgroups which run at the same time
/// read neighbours of rows along K (an H200 reads tall and skinny operands 3 to 9 % faster so); in
/// a cluster floor(i steps / S) .. floor((i + 1) steps / S) - 1 (1 % faster there). The first step
/// of all begins at k - steps * macro K <= 0, so that all others lie inside; or at 0 where vectors
/// that are copied as one would not lie at whole accesses, or within cache lines, otherwise.
/// Steps whose products are zeros, of the tile at row `origin[0]` and column `origin[1]`, are left
/// out first, as far as its structures show them.
StepShare shareSteps(mlir::OpBuilder &builder, blas::ProductOpInterface op, mlir::OpFoldResult k,
                     mlir::Value split, std::array<mlir::Value, 2> origin);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEPROGRAM_H
