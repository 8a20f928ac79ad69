//===- TileEpilogue.h - An epilogue on its way into a kernel ----*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_TILEEPILOGUE_H
#define ROOFTILE_TRANSFORMS_KERNEL_TILEEPILOGUE_H

#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Transforms/Kernel/KernelInterface.h"

namespace rooftile {

/// Success if kernels can carry out the epilogue of `op`, which may have none; else a located
/// error.
llvm::LogicalResult checkEpilogue(blas::EpilogueOpInterface op);

/// Adds the extra operands of `op` to the arguments of its kernel. `vector`: the width in elements
/// of accesses to C.
void addExtras(mlir::OpBuilder &builder, blas::EpilogueOpInterface op, int64_t vector,
               KernelInterface &interface);

/// The operands of a tile.update, without those of an epilogue.
struct TileUpdate {
  mlir::Value sum, target, row, column;
  mlir::Value alpha, beta = {}, fromRow = {}, fromColumn = {}; ///< Null where there is none.
  tile::EdgesAttr edges = {};
  int64_t vector = 1, ahead = 0;
  bool atomic = false, realDiagonal = false;
};

/// The triangle of C that the tiles of `op` cover; null for all of it.
tile::TriangleAttr triangleOf(blas::EpilogueOpInterface op);

/// Emits the tile.update, with the triangle and the epilogue of `op` (none for partial sums). Its
/// extra operands are seen as the matrices of entry `batch`.
void createUpdate(mlir::OpBuilder &builder, blas::EpilogueOpInterface op, const TileUpdate &update,
                  const KernelInterface::Arguments &arguments, mlir::Value batch);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_TILEEPILOGUE_H
