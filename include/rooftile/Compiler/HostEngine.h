//===- HostEngine.h - Code of this process ----------------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_HOSTENGINE_H
#define ROOFTILE_COMPILER_HOSTENGINE_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace rooftile::compiler {

/// How much time LLVM takes for the code that this machine runs.
enum class Effort {
  Quick, ///< For kernels that run shortly: compiling takes longer.
  Full   ///< For those that run for seconds.
};

/// Names and addresses that compiled code may call.
using Symbols = std::vector<std::pair<std::string, void *>>;

/// Registers translations to LLVM, and the code generator of this machine.
void registerHostEngine(mlir::DialectRegistry &registry);

/// Compiles `module`, which is in the LLVM dialect, for this machine. It may call the runtime, and
/// `symbols`.
mlir::FailureOr<std::unique_ptr<mlir::ExecutionEngine>>
createHostEngine(mlir::ModuleOp module, Effort effort, const Symbols &symbols = {});

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_HOSTENGINE_H
