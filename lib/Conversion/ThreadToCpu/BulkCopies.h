//===- BulkCopies.h - Bulk copies and their arrival, on the host -*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_THREADTOCPU_BULKCOPIES_H
#define ROOFTILE_LIB_CONVERSION_THREADTOCPU_BULKCOPIES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Dialect/Lane/Lane.h"

namespace rooftile {

/// Declares the runtime's functions where `module` has bulk copies. An error where the user's own
/// functions take their names.
llvm::LogicalResult declareBulkCopies(mlir::ModuleOp module);

/// Turns bulk copies, their counters and lane.elect of a kernel into calls of the runtime; `thread`
/// is the runtime's record of the thread. What waits is left to `stateArrival`.
void callBulkCopies(mlir::LLVM::LLVMFuncOp function, mlir::Value thread);

/// Where `builder` stands, before the thread is suspended: says what `op`, number `place` of the
/// collectives of the kernel, waits for.
void stateArrival(mlir::OpBuilder &builder, lane::ArrivedOp op, mlir::Value thread, int64_t place);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_THREADTOCPU_BULKCOPIES_H
