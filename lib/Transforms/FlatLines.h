//===- FlatLines.h - Lines without gaps, as one -----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_FLATLINES_H
#define ROOFTILE_LIB_TRANSFORMS_FLATLINES_H

#include "mlir/IR/Builders.h"

namespace rooftile {

/// The first `count` elements of `matrix`, a memref.reinterpret_cast whose lines of `length`
/// elements follow each other without gaps, as one line along its rows (a column) or columns.
mlir::Value viewAsLine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix,
                       int64_t length, mlir::OpFoldResult count, bool alongRows);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_FLATLINES_H
