//===- Build.h - From a module to an executable -----------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_BUILD_H
#define ROOFTILE_COMPILER_BUILD_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Compiler/Compiler.h"

namespace rooftile::compiler {

/// Runs the passes that `build` appends.
mlir::LogicalResult runPasses(mlir::ModuleOp module,
                              llvm::function_ref<void(mlir::OpPassManager &)> build);

/// Result of compiling a module.
struct Built {
  ExecutableData data;
  HostKernels host;  ///< For DeviceKind::Cpu.
  std::string error; ///< Why there is nothing; empty where there is.
};

/// Compiles the text of a module, whose public functions have memrefs and scalars as arguments and
/// return nothing; or the module of an operation (OperationModule.h).
Built build(const std::string &module, const CompilerOptions &options);
Built build(const operation::Operation &operation, const CompilerOptions &options);

/// Plans an operation and compiles nothing: the report (PlanReport.h). Where that fails, null and
/// the reason in `why`.
std::shared_ptr<const std::string> plan(const operation::Operation &operation,
                                        const CompilerOptions &options, std::string &why);

/// Makes the functions of a module what executables have: calls become the bodies of what is
/// called, since code as data has none, and sizes of arguments that must agree are tested.
mlir::LogicalResult prepareFunctions(mlir::ModuleOp module);

/// Makes kernels of all work on elements that host functions of a module after
/// buildKernelPipeline do: fills, identities that are inverted, and whatever else the module has
/// around its products. Runs no pass where there is none.
mlir::LogicalResult makeElementKernels(mlir::ModuleOp module);

/// A function of this process that host code calls: it is run as a kernel of one thread, the
/// parameters of which are all registers of each operand.
struct HostFunction {
  std::string name;
  HostKernel run;
};

/// Makes an executable for the CPU of a module after buildKernelPipeline, whose host functions may
/// call `callees`. The module is lowered on the way.
mlir::LogicalResult takeOnHost(mlir::ModuleOp module, llvm::ArrayRef<HostFunction> callees,
                               Built &built);

/// Makes an executable of a module whose kernels are binaries with host functions around them, as
/// buildKernelsOnly leaves it. Its host functions are lowered on the way.
mlir::LogicalResult takeExecutable(mlir::ModuleOp module, ExecutableData &data);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_BUILD_H
