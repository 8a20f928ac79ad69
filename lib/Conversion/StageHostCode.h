//===- StageHostCode.h - Host code on copies of device memory ---*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_STAGEHOSTCODE_H
#define ROOFTILE_LIB_CONVERSION_STAGEHOSTCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace rooftile {

inline constexpr llvm::StringLiteral kStageName = "rooftileStage", kStagedName = "rooftileStaged",
                                     kUnstageName = "rooftileUnstage";

/// Memory of the host: of its stack, or a copy that stageHostCode has made, or a view of these.
bool isOfHost(mlir::Value memory);

/// What StageHostCode needs of its caller.
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
/// host, behind them what they may have written back. One remark for each place. An error where the
/// memory has no strides or no known rank.
llvm::LogicalResult stageHostCode(mlir::func::FuncOp function, const StageContext &context);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_STAGEHOSTCODE_H
