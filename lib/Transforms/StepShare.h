//===- StepShare.h - The K steps of one workgroup ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_STEPSHARE_H
#define ROOFTILE_LIB_TRANSFORMS_STEPSHARE_H

#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Steps of macro K elements, one after the other along K.
struct StepShare {
  mlir::Value start;        ///< Of the first step along K; before 0 where K has a remainder.
  mlir::OpFoldResult count; ///< Steps.
  bool mayBeEmpty = false;  ///< Whether count may be 0.
};

/// The share of workgroup `split` (null: the only one) in the ceil(k / macro K) steps of K:
/// of S shares, number i has the steps floor(i steps / S) .. floor((i + 1) steps / S) - 1. The
/// first step of all begins at k - steps * macro K <= 0, so that all others lie inside.
StepShare shareSteps(mlir::OpBuilder &builder, mlir::Location loc, blas::PlanAttr plan,
                     mlir::OpFoldResult k, mlir::Value split);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_STEPSHARE_H
