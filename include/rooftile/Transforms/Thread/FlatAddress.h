//===- FlatAddress.h - Runs of elements in memory ---------------*- C++ -*-===//
//
// Below the tile level memory holds real elements, one after the other, and an
// access moves a run of elements: one or two of them each.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_THREAD_FLATADDRESS_H
#define ROOFTILE_TRANSFORMS_THREAD_FLATADDRESS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace rooftile {

/// Where a run begins: element `index` of a flat memref of reals, `components` of them an element.
struct FlatAddress {
  mlir::Value flat, index;
  int64_t components;
};

/// All memory from `pointer` on, a memref of one element, as a flat memref of reals. The size of
/// such a view bounds nothing.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer);

/// A matrix over a flat memref: element (i, j) is element offset + i * strides[0] + j * strides[1].
struct FlatMatrix {
  mlir::Value flat;
  mlir::OpFoldResult offset, strides[2];
  int64_t components;

  /// The matrix that `view` makes of a pointer.
  static FlatMatrix of(mlir::OpBuilder &builder, mlir::memref::ReinterpretCastOp view);
  FlatAddress at(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value i, mlir::Value j) const;
};

/// Reads or writes real elements of a flat memref from element `index` on, aligned to the access,
/// where an element is `components` of them: the components of all elements one after the other.
llvm::SmallVector<mlir::Value> loadRun(mlir::OpBuilder &builder, mlir::Location loc,
                                       const FlatAddress &place, int64_t vector);
void storeRun(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values,
              const FlatAddress &place);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_FLATADDRESS_H
