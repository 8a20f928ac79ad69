//===- BulkCopies.h - Plans that copy whole rows of a tile ------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_BULKCOPIES_H
#define ROOFTILE_LIB_TRANSFORMS_BULKCOPIES_H

#include "rooftile/Transforms/PlanMaps.h"

namespace rooftile {

/// Who copies which rows of the tile: one thread of each of the first `shape.lanes` subgroups of
/// `subgroup` threads (0: of all that there is a row for), as many rows each. All threads of a
/// subgroup hold them: micro-tile elects one. Null where rows do not divide among them.
tile::MapAttr bulkCopyMap(mlir::MLIRContext *context, const CopyShape &shape, int64_t threads,
                          int64_t subgroup);

/// Success unless the path of op(A), or op(B), has copy = bulk or tensor and its tiles cannot be
/// copied so: then an error that names the operand and the numbers.
llvm::LogicalResult checkBulkCopy(blas::GemmOp op, bool isA);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_BULKCOPIES_H
