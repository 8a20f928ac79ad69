//===- SharedMemory.h - Shared memory of a cluster, on the host -*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOCPU_SHAREDMEMORY_H
#define ROOFTILE_LIB_CONVERSION_LANETOCPU_SHAREDMEMORY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace rooftile {

/// Turns each lane.peer of a kernel into the address of the same place in the shared memory of
/// another block of the cluster; `thread` is the runtime's record of the running thread.
void replacePeers(mlir::FunctionOpInterface function, mlir::Value thread);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOCPU_SHAREDMEMORY_H
