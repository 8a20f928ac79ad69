//===- Copies.h - Copies that arrive at a wait, on the host -----*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOCPU_COPIES_H
#define ROOFTILE_LIB_CONVERSION_LANETOCPU_COPIES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Lane/Lane.h"

namespace rooftile {

/// A function of the runtime without a result, and its arguments.
using RuntimeFunction = std::pair<llvm::StringRef, llvm::SmallVector<mlir::Type>>;

/// Declares functions of the runtime in `module` where it has operations that call them; an error
/// where the user's own have their names.
mlir::LogicalResult declareFunctions(mlir::ModuleOp module,
                                     llvm::function_ref<bool(mlir::Operation *)> calls,
                                     llvm::ArrayRef<RuntimeFunction> functions);

/// An argument of such a function, and its call.
mlir::Value runtimeNumber(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);
void callRuntime(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef function,
                 mlir::ValueRange operands);

/// A pattern that passes the runtime its record of the running thread.
template <typename Op> struct ThreadPattern : mlir::OpRewritePattern<Op> {
  ThreadPattern(mlir::MLIRContext *context, mlir::Value thread)
      : mlir::OpRewritePattern<Op>(context), thread(thread) {}
  mlir::Value thread;
};

/// Address of element `index` of a flat memref.
mlir::Value elementAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref,
                           mlir::Value index);

/// Declares the runtime's functions where `module` has lane operations. An error where the
/// user's own functions have their names.
mlir::LogicalResult declareAsyncCopies(mlir::ModuleOp module);

//===----------------------------------------------------------------------===//
// Bulk copies and their arrival, on the host
//===----------------------------------------------------------------------===//

/// Declares the runtime's functions where `module` has bulk copies. An error where the user's own
/// functions have their names.
llvm::LogicalResult declareBulkCopies(mlir::ModuleOp module);

/// Where `builder` stands, before the thread is suspended: passes what `op`, number `place` of the
/// collectives of the kernel, waits for.
void stateArrival(mlir::OpBuilder &builder, lane::ArrivedOp op, mlir::Value thread, int64_t place);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOCPU_COPIES_H
