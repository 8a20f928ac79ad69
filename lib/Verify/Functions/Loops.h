//===- Loops.h - Functions by upstream passes alone -------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_FUNCTIONS_LOOPS_H
#define ROOFTILE_VERIFY_FUNCTIONS_LOOPS_H

#include "rooftile/Verify/Engine/Program.h"

namespace rooftile::verify {

/// Compiles `module` (which is consumed) for the CPU as upstream MLIR does: one-shot bufferization,
/// every linalg operation as loops, LLVM. No pass of the project runs. Fails, with an error
/// at the operation, on blas operations, which upstream does not support.
mlir::FailureOr<std::unique_ptr<Program>> compileLoops(mlir::ModuleOp module);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_FUNCTIONS_LOOPS_H
