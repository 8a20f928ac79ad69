//===- HostSizes.h - Sizes of arguments that must agree ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_COMPILER_HOSTSIZES_H
#define ROOFTILE_LIB_COMPILER_HOSTSIZES_H

#include "mlir/IR/BuiltinOps.h"

namespace rooftile::compiler {

/// The function that tests of sizes call, with two sizes and what they are of (sizePlaces). Code
/// has an instruction for it, which ends the run where they differ.
inline constexpr llvm::StringLiteral kSameSize = "rooftileSameSize";

/// Emits tests, where operations of `blas` and linalg run, that dynamic sizes of arguments which
/// they need to be equal are: kernels read each size from one matrix alone.
void testSizes(mlir::ModuleOp module);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_HOSTSIZES_H
