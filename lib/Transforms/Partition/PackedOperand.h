//===- PackedOperand.h - An operand that is copied first --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PARTITION_PACKEDOPERAND_H
#define ROOFTILE_LIB_TRANSFORMS_PARTITION_PACKEDOPERAND_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// One operand that is copied.
struct PackedOperand {
  bool ofA;
  mlir::Value source;
  blas::Transpose op;         ///< Op of `source` in the product.
  int64_t multiple;           ///< Elements of 16 bytes.
  mlir::Value copy = {};      ///< K x M or K x N, batch first; or M x K, N x K.
  blas::PartsAttr parts = {}; ///< Parts of its elements that are copied; null: all of them.
  bool alongK = false;        ///< Rows of the copy, M x K or N x K, run along K.

  /// Whether the copy is that of op(A)^T or of op(B)^T.
  bool isOfTransposed() const { return ofA != alongK; }
  /// Op of the copy: rows of op(A)^T, or of op(B), run along M, N; those of the other along K.
  blas::Transpose transposition() const {
    return blas::isTransposed(op) == isOfTransposed() ? blas::Transpose::None
                                                      : blas::Transpose::Trans;
  }
  /// Op of the copy in the product.
  blas::Transpose enters() const {
    if (isOfTransposed())
      return blas::isConjugated(op) ? blas::Transpose::Adjoint : blas::Transpose::Trans;
    return blas::isConjugated(op) ? blas::Transpose::Conj : blas::Transpose::None;
  }
  mlir::MemRefType type() const { return llvm::cast<mlir::MemRefType>(source.getType()); }
  mlir::Type elementOfCopy() const {
    mlir::Type element = type().getElementType();
    return parts ? mlir::BFloat16Type::get(element.getContext()) : element;
  }
  /// Batch, K (or six blocks of it), and M or N rounded up to 16 bytes; or batch, M or N, and K.
  llvm::SmallVector<mlir::OpFoldResult> sizes(mlir::OpBuilder &builder) const;
  /// Those of its memory, where rows have whole cache lines.
  llvm::SmallVector<mlir::OpFoldResult> memorySizes(mlir::OpBuilder &builder) const;
  /// The copy in memory of these sizes.
  mlir::Value viewOf(mlir::OpBuilder &builder, mlir::Value memory) const;
  /// Elements of an aligned access to the copy that its type does not specify; 1 where it does, and
  /// where what follows K is no part of a row.
  int64_t stated() const {
    if (alongK)
      return 1;
    return blas::getLegalVector(copy, type().getRank() - 1) == multiple ? 1 : multiple;
  }
};

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PARTITION_PACKEDOPERAND_H
