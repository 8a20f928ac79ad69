//===- HostKernels.h - Kernels that become code of this process -*- C++ -*-===//
//
// A set of plans has a kernel for each of up to 16 ranges of sizes, and a call runs one of them.
// So kernels are compiled at their first launch, together with those that the same block of host
// code launches: all of a plan's, for a kernel rarely runs alone.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_COMPILER_HOSTKERNELS_H
#define ROOFTILE_LIB_COMPILER_HOSTKERNELS_H

#include "rooftile/Runtime/Executable/Executable.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace rooftile::compiler {

/// The kernels that `launches`, one for each, name in `module`, which is one after
/// makeElementKernels and stays as it is.
HostKernels hostKernels(mlir::ModuleOp module, llvm::ArrayRef<mlir::gpu::LaunchFuncOp> launches);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_HOSTKERNELS_H
