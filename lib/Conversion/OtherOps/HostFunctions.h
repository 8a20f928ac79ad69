//===- HostFunctions.h - Which host code works with the GPU -----*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_OTHEROPS_HOSTFUNCTIONS_H
#define ROOFTILE_LIB_CONVERSION_OTHEROPS_HOSTFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace rooftile {

/// Functions with a body that launch kernels, call one that does, or are called by one: their
/// memrefs are memory of the GPU. What other code the module has keeps to memory of the host.
llvm::SmallVector<mlir::func::FuncOp> functionsOfDevice(mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_OTHEROPS_HOSTFUNCTIONS_H
