//===- LoopsPipeline.h - Functions by upstream passes alone -----*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_LOOPSPIPELINE_H
#define ROOFTILE_TOOLS_GEMM_RUN_LOOPSPIPELINE_H

#include "Engine.h"

namespace rooftile::run {

/// Compiles `module` (which is consumed) for the CPU as upstream MLIR does: one-shot bufferization,
/// every linalg operation as loops, LLVM. No pass of the project takes part. Fails, with an error
/// at the operation, on blas operations, which upstream does not know.
mlir::FailureOr<std::unique_ptr<Program>> compileLoops(mlir::ModuleOp module);

/// Registers what compileLoops needs beyond registerEngine.
void registerLoops(mlir::DialectRegistry &registry);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_LOOPSPIPELINE_H
