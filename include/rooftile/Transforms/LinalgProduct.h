//===- LinalgProduct.h - Matrix products as linalg writes them --*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_LINALGPRODUCT_H
#define ROOFTILE_TRANSFORMS_LINALGPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <optional>
#include <string>

namespace rooftile {

/// An operand as it lies, and as blas.gemm takes it: batch first, then a matrix.
struct OperandView {
  llvm::SmallVector<unsigned> stored; ///< The loops of its dimensions, in order.
  llvm::SmallVector<unsigned> wanted; ///< The order blas.gemm needs; more than stored: broadcast.
  blas::Transpose op = blas::Transpose::None;

  bool isAsStored() const { return stored == wanted; }
};

/// C(M x N) += op(A)(M x K) * op(B)(K x N), with any leading batch.
struct LinalgProduct {
  int inputA = 0; ///< The input that is A; the other one is B.
  OperandView a, b, c;
};

/// True for a linalg operation that multiplies and sums: a named contraction,
/// or a linalg.generic that is one.
bool isContraction(mlir::linalg::LinalgOp op);

/// Reads `op` as a product that blas.gemm can say. The loops `folded` count as parts of their
/// neighbours (foldableLoops). Otherwise nothing, and `why` holds the reason, naming the operand.
std::optional<LinalgProduct> matchLinalgProduct(mlir::linalg::LinalgOp op,
                                                llvm::ArrayRef<unsigned> folded, std::string &why);

/// Runs of two and more loops that all operands walk through together, such as
/// a batch and rows of a matrix: one loop of their product does the same.
llvm::SmallVector<mlir::ReassociationIndices> foldableLoops(mlir::linalg::LinalgOp op);

/// Replaces `op` by a linalg.generic on reshaped operands in which each run is one loop. Fails,
/// with nothing changed, where a memref cannot be reshaped.
llvm::FailureOr<mlir::linalg::LinalgOp> foldLoops(mlir::RewriterBase &rewriter,
                                                  mlir::linalg::LinalgOp op,
                                                  llvm::ArrayRef<mlir::ReassociationIndices> runs);

/// The memref `operand` with the dimensions that `view` wants; `size(loop)` is asked where it is
/// broadcast (stride 0).
mlir::Value viewOperand(mlir::RewriterBase &rewriter, mlir::Value operand, const OperandView &view,
                        llvm::function_ref<mlir::OpFoldResult(unsigned)> size);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_LINALGPRODUCT_H
