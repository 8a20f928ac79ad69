//===- AsyncCopies.h - Copies that arrive at a wait, on the host -*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_THREADTOCPU_ASYNCCOPIES_H
#define ROOFTILE_LIB_CONVERSION_THREADTOCPU_ASYNCCOPIES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace rooftile {

/// Declares the runtime's functions where `module` has lane operations. An error where the
/// user's own functions take their names.
mlir::LogicalResult declareAsyncCopies(mlir::ModuleOp module);

/// Turns lane.copy, lane.commit and lane.wait of a kernel into calls of the runtime;
/// `thread` is the runtime's record of the thread.
void callAsyncCopies(mlir::LLVM::LLVMFuncOp function, mlir::Value thread);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_THREADTOCPU_ASYNCCOPIES_H
