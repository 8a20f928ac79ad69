//===- OperandPack.h - Copies of operands for their reader ------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_OPERANDPACK_H
#define ROOFTILE_TRANSFORMS_PARTITION_OPERANDPACK_H

#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Replaces `op`, a product on memrefs whose plan packs A or B, by copies (blas.pack) and a
/// product of these, whose plan packs nothing. Others stay. A located error for a workspace that
/// begins at an offset that is no multiple of 16 bytes, or copies larger than any memory; `op`
/// then stays as it was.
llvm::LogicalResult packOperands(mlir::RewriterBase &rewriter, blas::ProductOpInterface op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PARTITION_OPERANDPACK_H
