//===- FuseEpilogue.h - Elementwise consumers of a product ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_FUSEEPILOGUE_H
#define ROOFTILE_TRANSFORMS_RAISE_FUSEEPILOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include <string>

namespace rooftile {

/// Where all that reads the result of `gemm` is a reshape, and an elementwise operation what that
/// makes, the operation comes first and the reshape after it. True where this changed something.
bool bringConsumerNearer(mlir::RewriterBase &rewriter, blas::GemmOp gemm);

/// The elementwise linalg operation on tensors that is all that reads the result of `gemm`, or
/// null.
mlir::linalg::LinalgOp elementwiseConsumer(blas::GemmOp gemm);

/// Makes `consumer` a part of the epilogue of `gemm`; both are replaced by the operation that is
/// returned. Fails, with nothing changed, where the result would not be the same bit by bit, or an
/// epilogue cannot express it: then `why` holds the reason.
llvm::FailureOr<blas::GemmOp> fuseEpilogue(mlir::RewriterBase &rewriter, blas::GemmOp gemm,
                                           mlir::linalg::LinalgOp consumer, std::string &why);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_FUSEEPILOGUE_H
