//===- HostCode.h - From a host function to code as data --------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_HOSTCODE_H
#define ROOFTILE_COMPILER_HOSTCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Runtime/Executable/Code.h"
#include "llvm/ADT/StringMap.h"

namespace rooftile::compiler {

/// Passes that leave host functions around gpu.launch_func in blocks of arith, memref and cf,
/// without views: the input of toCode.
void buildHostCodePipeline(mlir::OpPassManager &pm);

/// The number of a kernel, by "module::kernel".
using KernelNumbers = llvm::StringMap<uint32_t>;

/// The number of an array of the executable, by the name of the module's memref.global.
using ArrayNumbers = llvm::StringMap<uint32_t>;

/// The code of `function`, after the passes above. Its arguments are in the registers that Code.h
/// states, in order; `arrays` gets those that it uses. An error is at the operation that has no
/// form as code.
mlir::FailureOr<Code> toCode(mlir::func::FuncOp function, const KernelNumbers &kernels,
                             ArrayNumbers &arrays);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_HOSTCODE_H
