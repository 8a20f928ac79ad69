//===- FreeIntermediates.h - End of the life of intermediates ---*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_FREEINTERMEDIATES_H
#define ROOFTILE_TRANSFORMS_PARTITION_FREEINTERMEDIATES_H

#include "mlir/IR/Value.h"

namespace rooftile {

/// True when memory may outlive the block that allocates it, or is freed already:
/// it, or a view of it, is returned, yielded, branched with, stored, freed, used
/// in another block of the function, or passed to a call that returns memory.
bool escapes(mlir::Value memory);

/// Frees each memref.alloc below `root` that does not escape at the end of its
/// block. Returns the number of frees inserted; running again inserts none.
int64_t freeIntermediates(mlir::Operation *root);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_FREEINTERMEDIATES_H
