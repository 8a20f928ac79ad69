//===- HostTypes.h - What host code can hold --------------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_HOSTTYPES_H
#define ROOFTILE_TRANSFORMS_RAISE_HOSTTYPES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace rooftile {

/// The memory that kernels share with their callers: the default space, 1, or
/// #gpu.address_space<global>.
bool isGlobalMemory(mlir::Attribute space);

/// Why values of `type` are neither dense nor in global memory, as a predicate of them ("has the
/// encoding .."); empty where they are.
std::string whyForeign(mlir::Type type);

/// Calls `found` with each part of `module` that is not its host code: functions with values of
/// foreign types, by the first operation that has one, and inner modules; with the reason.
void forEachForeign(
    mlir::ModuleOp module,
    llvm::function_ref<void(mlir::Operation *part, mlir::Operation *at, const std::string &why)>
        found);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_HOSTTYPES_H
