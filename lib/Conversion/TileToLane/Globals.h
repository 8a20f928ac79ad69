//===- Globals.h - A thread's elements in a global matrix -------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_TILETOLANE_GLOBALS_H
#define ROOFTILE_LIB_CONVERSION_TILETOLANE_GLOBALS_H

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace rooftile {

/// The strided matrix that `memref` is a view of, as macro-tile made it; canonicalization may have
/// put casts around it. Others are an error at `op` that calls the operand `name`.
llvm::FailureOr<mlir::memref::ReinterpretCastOp>
stridedView(mlir::Operation *op, mlir::Value memref, llvm::StringRef name);

/// Addresses of one thread's runs in a global matrix.
class GlobalTile {
public:
  GlobalTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::memref::ReinterpretCastOp view,
             tile::MapAttr map, mlir::Value row, mlir::Value column, tile::EdgesAttr edges,
             int64_t run);

  struct Place {
    mlir::Value index;     // element, of `getComponents` real elements of the flat memref
    mlir::Value condition; // null: unconditional
    mlir::Value left;      // elements of the run before a zero edge; null: all of them
  };
  /// Allows coordinates outside the matrix, for operations that read nothing where their condition
  /// is false; with `after` these lie after the matrix, and never before it.
  void leaveOutside(bool after) { mayLieOutside = true, isNeverBefore = after; }
  /// Rows before `row` and columns before `column` get a condition, too.
  void startFrom(mlir::Value row, mlir::Value column) { first[0] = row, first[1] = column; }
  /// Rows and columns are asked for in their order, before all that uses them.
  void walk() { isWalk = true; }
  Place at(int64_t register_);
  mlir::Value getFlat() const { return flat; }
  /// Real elements in an element; `getFlat` is a memref of these.
  int64_t getComponents() const { return parts; }

  struct Coordinate {
    mlir::Value term, condition, left;
  };
  /// The row minus the column of the thread's first element.
  mlir::Value fromDiagonal();
  /// Row (`dim` 0) or column at `shift` from the thread's own.
  Coordinate coordinate(int dim, int64_t shift);
  /// Whether a guard keeps all threads from there.
  bool isBeyond(int dim, int64_t shift) const;
  mlir::Value index(const Coordinate &row, const Coordinate &column) {
    return math.add(math.add(offset, row.term), column.term);
  }

private:
  mlir::Value inside(int dim, int64_t shift);
  mlir::Value distanceTo(mlir::Value end, int dim);
  mlir::Value remaining(int dim);
  mlir::Value leading(int dim);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value distance, int64_t shift);
  mlir::Value isInside(int dim, int64_t shift, mlir::Value coordinate);
  mlir::Value leftOf(int dim, int64_t shift, mlir::Value coordinate);
  Coordinate zeroOutside(int dim, int64_t shift, mlir::Value coordinate);
  Coordinate ofStep(int dim, int64_t shift);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  tile::MapAttr map;
  tile::Edge edges[2];
  int64_t parts;
  int64_t spans[2];   // elements that one run covers along each dimension
  int64_t length = 0; // elements of a step
  bool mayLieOutside = false, isNeverBefore = false, isWalk = false;
  std::pair<int64_t, mlir::Value> last[2]; // shift and term before, of a walk
  mlir::Value rest[2], before[2];          // by dimension, where they are asked for
  mlir::Value own[2], base[2], sizes[2], strides[2], origin[2], first[2], offset, flat;
  llvm::DenseMap<int64_t, Coordinate> known[2];
};

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_TILETOLANE_GLOBALS_H
