//===- ExchangeOperands.h - Products whose C is row-major -------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_EXCHANGEOPERANDS_H
#define ROOFTILE_TRANSFORMS_RAISE_EXCHANGEOPERANDS_H

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Why the operands of `op` are not exchanged; empty where they can be.
std::string whyNotExchanged(blas::GemmOp op);

/// Replaces `op`, for which whyNotExchanged returns nothing, by a product of views whose C is
/// row-major: always, where the type of C is column-major; where it is dynamic, when C turns out to
/// be column-major at run time.
void exchangeOperands(mlir::IRRewriter &rewriter, blas::GemmOp op, mlir::DominanceInfo &dominance);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_EXCHANGEOPERANDS_H
