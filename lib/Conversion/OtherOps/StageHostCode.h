//===- StageHostCode.h - Host code on copies of device memory ---*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_OTHEROPS_STAGEHOSTCODE_H
#define ROOFTILE_LIB_CONVERSION_OTHEROPS_STAGEHOSTCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace rooftile {

inline constexpr llvm::StringLiteral kStageName = "rooftileStage", kStagedName = "rooftileStaged",
                                     kUnstageName = "rooftileUnstage";

/// Memory of the host: of its stack, or a copy that stageHostCode has made, or a view of these.
bool isOfHost(mlir::Value memory);

/// Context of a StageHostCode.
struct StageContext {
  /// The caller's stream, as a pointer of the LLVM dialect; before everything else in the function.
  llvm::function_ref<mlir::Value()> stream;
  /// The declaration of a function of the runtime.
  llvm::function_ref<mlir::func::FuncOp(llvm::StringRef)> callee;
  /// Gets the operations that work on memory of the host from now on.
  llvm::DenseSet<mlir::Operation *> &onHost;
};

/// Makes host code of `function` that reads or writes elements of memory of the GPU work on copies:
/// before the outermost operations without a launch the runtime copies what they may reach to the
/// host, after them what they may have written back. One remark for each location. An error where
/// the memory has no strides or no known rank.
llvm::LogicalResult stageHostCode(mlir::func::FuncOp function, const StageContext &context);

//===----------------------------------------------------------------------===//
// Calls of the runtime around host code
//===----------------------------------------------------------------------===//

/// On the operation that makes a memref of a copy.
inline constexpr llvm::StringLiteral kOfHost = "rooftile.host";

/// Emits what stages the memrefs of one run of operations.
class StageEmitter {
public:
  StageEmitter(const StageContext &context, mlir::MLIRContext *mlir)
      : context(context), builder(mlir), loc(builder.getUnknownLoc()) {}

  /// Begins a stage before `first`.
  void begin(mlir::Operation *first);
  /// The bytes that `memory` spans are to be copied, and back if `isWritten`.
  void add(mlir::Value memory, bool isWritten);
  /// After all are added: the memref of the copy, with offset, sizes and strides of `memory`.
  mlir::Value copyOf(mlir::Value memory);
  /// The program's own bytes of a constant.
  mlir::Value constantOfHost(mlir::Value memory);
  /// Copies back after `last`.
  void end(mlir::Operation *last);

private:
  /// A memref as i64 values: its pointer without the offset and the bytes from there to the
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

#endif // ROOFTILE_LIB_CONVERSION_OTHEROPS_STAGEHOSTCODE_H
