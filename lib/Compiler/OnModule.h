//===- OnModule.h - Work on a module in a context of its own ----*- C++ -*-===//
#ifndef ROOFTILE_LIB_COMPILER_ONMODULE_H
#define ROOFTILE_LIB_COMPILER_ONMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace rooftile::compiler {

/// Makes a module in a context of its own.
using MakeModule = llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>(mlir::MLIRContext *)>;

/// Makes a module and runs `work` on it; what went wrong, or an empty string. `parallel`: passes
/// may use several threads.
std::string onModule(MakeModule makeModule, bool parallel,
                     llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> work);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_ONMODULE_H
