//===- LinalgZeros.h - Products that start from zeros -----------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_LINALGZEROS_H
#define ROOFTILE_TRANSFORMS_RAISE_LINALGZEROS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace rooftile {

/// Where the output of `op` is known to hold zeros: a destination whose content does not matter
/// (on memrefs, after erasing the fill). Else null, with nothing changed.
mlir::Value destinationOfZeros(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// The output of `op`, a tensor, is known to hold zeros.
bool startsFromZeros(mlir::linalg::LinalgOp op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_LINALGZEROS_H
