//===- StageEmit.h - Calls of the runtime around host code ------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_STAGEEMIT_H
#define ROOFTILE_LIB_CONVERSION_STAGEEMIT_H

#include "StageHostCode.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace rooftile {

/// On the operation that makes a memref of a copy.
inline constexpr llvm::StringLiteral kOfHost = "rooftile.host";

/// Emits what stages the memrefs of one run of operations.
class StageEmitter {
public:
  StageEmitter(const StageContext &context, mlir::MLIRContext *mlir)
      : context(context), builder(mlir), loc(builder.getUnknownLoc()) {}

  /// What follows stands before `first`.
  void begin(mlir::Operation *first);
  /// The bytes that `memory` spans are to be copied, and back if `isWritten`.
  void add(mlir::Value memory, bool isWritten);
  /// After all are added: the memref of the copy, with offset, sizes and strides of `memory`.
  mlir::Value copyOf(mlir::Value memory);
  /// The program's own bytes of a constant.
  mlir::Value constantOfHost(mlir::Value memory);
  /// Copies back behind `last`.
  void end(mlir::Operation *last);

private:
  /// A memref in numbers (i64): its pointer without the offset and the bytes from there to the
  /// lowest element.
  struct Place {
    mlir::Value aligned, first;
  };
  mlir::Value call(llvm::StringRef name, mlir::ValueRange operands);
  mlir::Value number(int64_t value);
  mlir::Value toNumber(mlir::Value index);

  const StageContext &context;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Value stage;
  llvm::DenseMap<mlir::Value, Place> places;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_STAGEEMIT_H
