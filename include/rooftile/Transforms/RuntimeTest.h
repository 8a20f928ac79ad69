//===- RuntimeTest.h - What host code tests before a launch -----*- C++ -*-===//
//
// Some preconditions of a kernel are known when it is launched only. Host code asks
// the runtime, which records an error that names the operand where one does not
// hold; then nothing is launched.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_RUNTIMETEST_H
#define ROOFTILE_TRANSFORMS_RUNTIMETEST_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <optional>

namespace rooftile {

/// A pointer of the host whose alignment nobody knows: a memref, and the argument of the contract
/// that it is passed as.
struct UntestedPointer {
  mlir::Value pointer;
  blas::ArgAttr argument;
};

/// What has to be tested before `pointer`, the base of `memref`, is passed as `argument`; nothing
/// where an access to an element needs no more, and where an allocation proves it.
std::optional<UntestedPointer> untestedPointer(mlir::Value memref, mlir::Value pointer,
                                               blas::ArgAttr argument);

/// An i1 that is true where all `pointers` are aligned as their arguments say, by calls of
/// `rooftileIsAligned`, which is declared in `module`. Null where there is none to test.
mlir::Value testAlignment(mlir::OpBuilder &builder, mlir::ModuleOp module,
                          llvm::ArrayRef<UntestedPointer> pointers);

/// An i1 that is true where the workspace has `needed` elements (both are of type index), by a
/// call of `rooftileHasRoom`.
mlir::Value testRoom(mlir::OpBuilder &builder, mlir::ModuleOp module, mlir::Value present,
                     mlir::Value needed);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RUNTIMETEST_H
