//===- Ptxas.h - CUDA's assembler, where it is installed --------*- C++ -*-===//
//
// A variable that is set is the folder of CUDA: CUDA_ROOT, CUDA_HOME, CUDA_PATH. Where
// none is, it is looked for in /usr/local/cuda. PATH is always looked at.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_PTXAS_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_PTXAS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace rooftile {

/// ptxas: in bin/ of a folder of CUDA, else on PATH; empty if there is none.
std::string findPtxas();

/// libdevice.10.bc, CUDA's functions such as erf; empty if there is none.
std::string findLibdevice();

/// Report of ptxas for one function.
struct FunctionUse {
  std::string name;
  int64_t registers = 0;  ///< Registers of a thread; 0 where ptxas does not report them.
  int64_t stackBytes = 0; ///< Local memory of a thread.
  int64_t spillBytes = 0; ///< Bytes that a thread stores for want of registers, and loads again.
};

struct Cubin {
  llvm::SmallVector<char, 0> bytes;
  llvm::SmallVector<FunctionUse> functions;
};

/// The functions in the output of `ptxas -v`.
llvm::SmallVector<FunctionUse> readFunctionUse(llvm::StringRef messages);

/// Assembles `ptx` for `chip`. Fails with an error through `emitError` that names what is missing,
/// or has the message of ptxas.
llvm::FailureOr<Cubin> assemblePtx(llvm::StringRef ptx, llvm::StringRef chip,
                                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_PTXAS_H
