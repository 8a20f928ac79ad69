//===- SpreadItems.h - Items of a workgroup, spread over its threads -*- C++ -*-===//
//
// A workgroup moves `total` items: item e is thread e's, e + threads the next one of it.
// They come in groups, so that all loads of a group are under way before its stores.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_THREAD_SPREADITEMS_H
#define ROOFTILE_TRANSFORMS_THREAD_SPREADITEMS_H

#include "mlir/IR/Builders.h"

namespace rooftile {

/// base + shift. What a radix divides of the shift needs no division at run time: the items of a
/// thread then share their digits.
struct ItemNumber {
  mlir::Value base;
  int64_t shift = 0;

  mlir::Value value(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// Removes the last digit of this index.
  ItemNumber takeDigit(mlir::OpBuilder &builder, mlir::Location loc, int64_t radix);
};

/// One item of a group.
struct Item {
  ItemNumber number;
  mlir::Value exists; ///< Null: it does.
};

/// Emits `emit` for each group of items of this thread. `rolled`: one group after the other, so
/// that they need few registers.
void spreadItems(mlir::OpBuilder &builder, mlir::Location loc, int64_t total, int64_t threads,
                 bool rolled, llvm::function_ref<void(llvm::ArrayRef<Item>)> emit);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_SPREADITEMS_H
