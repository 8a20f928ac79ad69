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

/// Kernels of this process, and what keeps them in memory.
struct HostKernels {
  std::vector<HostKernel> kernels;
  std::shared_ptr<void> engine;
};

/// What a module became.
struct Built {
  ExecutableData data;
  HostKernels host;  ///< For Device::Cpu.
  std::string error; ///< Why there is nothing; empty where there is.
};

/// Compiles the text of a module. Its public functions take memrefs and scalars and return nothing.
Built build(const std::string &module, const CompilerOptions &options);

/// Plans the text of a module and compiles nothing: the report (PlanReport.h). Where that fails,
/// null and the reason in `why`.
std::shared_ptr<const std::string> plan(const std::string &module, const CompilerOptions &options,
                                        std::string &why);

/// Makes kernels of what is linalg in a module behind buildKernelPipeline: fills, and identities
/// that are inverted. Runs no pass where there is none.
mlir::LogicalResult makeElementwiseKernels(mlir::ModuleOp module);

/// Makes an executable of a module whose kernels are binaries with host functions around them, as
/// buildKernelsOnly leaves it. Its host functions are lowered on the way.
mlir::LogicalResult takeExecutable(mlir::ModuleOp module, ExecutableData &data);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_BUILD_H
