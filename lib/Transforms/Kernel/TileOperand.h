//===- TileOperand.h - One operand on its way to the multipliers -*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEOPERAND_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEOPERAND_H

#include "TriangleMask.h"
#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// op(A), whose rows, or op(B), whose columns belong to this workgroup, and the path that the plan
/// names for it.
struct TileOperand {
  int64_t depth = 1;      ///< K elements of one slice.
  int64_t extent = 1;     ///< Macro M (A) or macro N (B).
  int64_t macroK = 1;     ///< K elements of one step.
  mlir::Value global;     ///< op(X) in global memory; flat vectors: all of it as one run.
  mlir::Value descriptor; ///< Descriptor of `global`, where tiles are copied whole.
  mlir::Value origin;     ///< First row (A) or column (B) of this workgroup.
  blas::PathData path;
  tile::BufferType bufferType; ///< The tile; of a shared ring when via = shared.
  tile::MapAttr copyMap, fragmentMap;
  tile::EdgesAttr edges;
  bool isA = true;
  mlir::Value ring;                 ///< Null when via = register.
  std::optional<TriangleMask> mask; ///< Elements of op(X) that count, where memory holds more.
  bool borrowed = false;            ///< The ring is filled as the other operand's, transposed.

  /// Whether vectors of the tile run along its rows: A's along M, B's along K.
  bool vectorsAlongRows() const { return isA == (path.major == blas::Major::MN); }
  /// Fills stage `step` with the tile that begins at `k`, if there is a ring.
  void fill(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step, mlir::Value k) const;
  tile::MatrixType fragmentType() const;
  /// The fragment at `slice` of the tile in stage `step`, or of global memory at `k`.
  mlir::Value fragment(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step,
                       mlir::Value slice, mlir::Value k) const;

  /// All of the tile in stage `step`, for an instruction that reads shared memory.
  mlir::Value stage(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step) const;

private:
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step,
                   mlir::Value slice, mlir::Value k) const;
  mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value k, int64_t length,
                   tile::MapAttr map) const;
  mlir::Value view(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step,
                   mlir::Value slice, int64_t length) const;
  void fillFlat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step,
                mlir::Value k) const;
  /// Edges of a fragment beyond flat vectors; null: none.
  tile::EdgesAttr beyondVectors(mlir::MLIRContext *context) const;
  /// `edge` along the vectors of the tile: M (A) or N (B), or K.
  tile::EdgesAttr edgeAlong(mlir::MLIRContext *context, tile::Edge edge, int64_t length = 0) const;
  /// The shape of `length` columns of A, rows of B, of `across` elements.
  llvm::SmallVector<int64_t> shapeOf(int64_t across, int64_t length) const;
};

//===----------------------------------------------------------------------===//
// Where tiles meet the edge of a matrix
//
// Macro tiles of a planned product along M and N (`dim` 0, 1).
//===----------------------------------------------------------------------===//

/// Rows of op(A), or columns of op(B), as stored: with padding.
int64_t extentOf(blas::ProductOpInterface op, int dim);
/// There may be padding: no access begins at the end of the matrix.
bool isPadded(blas::ProductOpInterface op, int dim);

/// A and B are one matrix, X X^T or X^T X, of one tile along M and N: it is copied once.
bool sharesTile(blas::ProductOpInterface op);

/// Each tile leaves out the steps of K in which all of its rows of op(A), or columns of op(B), are
/// zeros: tiles have different steps, and split-K shares out different ones.
bool leavesOutZeros(blas::ProductOpInterface op);

/// The last tile is moved back inside the matrix.
bool overlaps(blas::ProductOpInterface op, int dim);

/// Edge of C: `otherwise` where no tile crosses it.
tile::Edge edgeOf(blas::ProductOpInterface op, int dim, tile::Edge otherwise);

/// edgeOf for loads: padding may follow the last row of op(A), or column of op(B).
tile::Edge loadEdgeOf(blas::ProductOpInterface op, int dim);

//===----------------------------------------------------------------------===//
// Vectors without gaps, as one
//===----------------------------------------------------------------------===//

/// The first `count` elements of `matrix`, a memref.reinterpret_cast whose vectors of `length`
/// elements follow each other without gaps, as one run along its rows (a column) or columns.
mlir::Value viewAsRun(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix,
                      int64_t length, mlir::OpFoldResult count, bool alongRows);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_TILEOPERAND_H
