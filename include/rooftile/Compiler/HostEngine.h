//===- HostEngine.h - Code of this process ----------------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_HOSTENGINE_H
#define ROOFTILE_COMPILER_HOSTENGINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"

namespace mlir {
class ExecutionEngine;
}

namespace rooftile::compiler {

/// Effort of LLVM for the code that this machine runs.
enum class Effort {
  Quick, ///< For kernels that run shortly: compiling lasts longer.
  Full   ///< For those that run for seconds.
};

/// Names and addresses that compiled code may call.
using Symbols = std::vector<std::pair<std::string, void *>>;

/// Registers translations to LLVM, what calls of functions are inlined with, and the code generator
/// of this machine.
void registerHostEngine(mlir::DialectRegistry &registry);

/// Memory of the system that code and its data are in, counted. It outlives the engine.
class CodeMemory : public llvm::SectionMemoryManager::MemoryMapper {
public:
  size_t bytes = 0;

  llvm::sys::MemoryBlock allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose purpose,
                                              size_t bytes, const llvm::sys::MemoryBlock *near,
                                              unsigned flags, std::error_code &error) override;
  std::error_code protectMappedMemory(const llvm::sys::MemoryBlock &block, unsigned flags) override;
  std::error_code releaseMappedMemory(llvm::sys::MemoryBlock &block) override;
};

/// Compiles `module`, which is in the LLVM dialect, for this machine. It may call the runtime, and
/// `symbols`; its code goes to `memory`, where there is one.
mlir::FailureOr<std::unique_ptr<mlir::ExecutionEngine>>
createHostEngine(mlir::ModuleOp module, Effort effort, const Symbols &symbols = {},
                 CodeMemory *memory = nullptr);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_HOSTENGINE_H
