//===- TileSync.h - Barriers and waits from uses of buffers -----*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PIPELINE_TILESYNC_H
#define ROOFTILE_TRANSFORMS_PIPELINE_TILESYNC_H

#include "mlir/IR/Region.h"

namespace rooftile {

/// Inserts a gpu.barrier before each access to a shared buffer that conflicts
/// with an access since the last barrier, closes asynchronous copies into groups and waits
/// for them and for bulk copies. Returns the number of operations inserted; running again inserts
/// none. An error where the accessed stage of a ring that bulk copies fill is unknown.
llvm::FailureOr<int64_t> insertBarriers(mlir::Region &program);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PIPELINE_TILESYNC_H
