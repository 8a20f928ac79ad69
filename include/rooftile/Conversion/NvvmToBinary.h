//===- NvvmToBinary.h - Kernels of NVVM as PTX or cubin ---------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_NVVMTOBINARY_H
#define ROOFTILE_CONVERSION_NVVMTOBINARY_H

#include "mlir/IR/BuiltinOps.h"

namespace rooftile {

/// True when a ptxas can be found (PATH, CUDA_ROOT, CUDA_HOME, CUDA_PATH, CUDA's own place).
bool havePtxas();

/// Replaces every gpu.module of `module` by a gpu.binary with PTX (`format` "isa"), a cubin
/// ("bin"; a located error without ptxas), or what of both is possible ("auto").
llvm::LogicalResult nvvmToBinary(mlir::ModuleOp module, llvm::StringRef format);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_NVVMTOBINARY_H
