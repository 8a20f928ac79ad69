//===- Workspace.h - Memory that a plan asks for ----------------*- C++ -*-===//
//
// Shared by operand-pack and reduction-select: a part of the user's workspace, or memory
// that is allocated before the outermost loop around the product that leaves its size alone,
// and freed after it: never in a call of a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PARTITION_WORKSPACE_H
#define ROOFTILE_LIB_TRANSFORMS_PARTITION_WORKSPACE_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Elements that no memory holds; strides and sizes in bytes stay within 64 bits below it.
inline constexpr int64_t kMostElements = int64_t(1) << 60;

/// A contiguous part of what a planned product needs beside its operands.
struct WorkspacePart {
  blas::ProductOpInterface op;
  mlir::Value sizedBy; ///< The memref that decides the sizes.
  mlir::Type element;
  llvm::function_ref<llvm::SmallVector<mlir::OpFoldResult>(mlir::OpBuilder &)> sizes;
};

/// Memory of its own for the part.
mlir::Value allocate(mlir::OpBuilder &builder, const WorkspacePart &part);

/// The part as a view of the user's workspace, of which it begins at element `start`.
mlir::Value viewWorkspace(mlir::OpBuilder &builder, const WorkspacePart &part,
                          mlir::OpFoldResult start);

/// left + right and left * right as index, folded where both are known.
mlir::OpFoldResult addNumbers(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult left,
                              mlir::OpFoldResult right);
mlir::OpFoldResult multiplyNumbers(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::OpFoldResult left, mlir::OpFoldResult right);
/// `number` rounded up to a multiple.
mlir::OpFoldResult roundUp(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult number,
                           int64_t multiple);
/// The product of sizes.
mlir::OpFoldResult elementsOf(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// An i1 that is true where the workspace of the user has room for `needed` elements; null where
/// there is no such workspace, or the verifier checks that.
mlir::Value testWorkspace(mlir::OpBuilder &builder, blas::ProductOpInterface op,
                          mlir::OpFoldResult needed);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PARTITION_WORKSPACE_H
