//===- StrideReshapes.h - Expanded memrefs by their strides -----*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_OTHEROPS_STRIDERESHAPES_H
#define ROOFTILE_LIB_CONVERSION_OTHEROPS_STRIDERESHAPES_H

#include "mlir/IR/Operation.h"

namespace rooftile {

/// Replaces each memref.expand_shape below `root` that has several dynamic sizes in a group by a
/// memref.reinterpret_cast: upstream's expansion of views crashes there.
void strideReshapes(mlir::Operation *root);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_OTHEROPS_STRIDERESHAPES_H
