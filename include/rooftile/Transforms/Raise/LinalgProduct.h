//===- LinalgProduct.h - Matrix products as linalg writes them --*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_LINALGPRODUCT_H
#define ROOFTILE_TRANSFORMS_RAISE_LINALGPRODUCT_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Transforms/Raise/Contraction.h"
#include <string>

namespace rooftile {

/// C(M x N) += op(A)(M x K) * op(B)(K x N), with any leading batch, in loops around it.
struct LinalgProduct {
  Contraction loops; ///< Simplified.
  int inputA = 0;    ///< The input that is A; the other one is B.
  blas::Transpose opA = blas::Transpose::None, opB = blas::Transpose::None;
  llvm::SmallVector<unsigned> batch; ///< Outermost first.
  /// The loops of M, N and K; nothing for a size of 1.
  std::optional<unsigned> row, column, k;
  /// Loops of the sum that are not one with `k`: each iteration adds a product to C.
  llvm::SmallVector<unsigned> outer;

  const LinearAccess &left() const { return loops.operands[inputA]; }
  const LinearAccess &right() const { return loops.operands[1 - inputA]; }
  const LinearAccess &output() const { return loops.operands[2]; }
};

/// True for a linalg operation that adds up products of elements of its inputs, in whatever types:
/// contractions, convolutions, quantized and scaled products.
bool sumsProducts(mlir::linalg::LinalgOp op);

/// True for a linalg operation that multiplies elements of its inputs and reduces, by a sum or
/// anything else, into one output or several.
bool reducesProducts(mlir::linalg::LinalgOp op);

/// Reads `op` as a product that blas.gemm can express; on tensors, through transpositions,
/// reshapes, broadcasts and packed layouts of its operands and of its result, where neither
/// neighbours in memory nor the number of products suffer. `zeros`: nothing is added to the
/// product. Otherwise nothing, and `why` holds the reason, naming the operand.
std::optional<LinalgProduct> matchLinalgProduct(mlir::linalg::LinalgOp op, bool zeros,
                                                std::string &why);

/// The operands of the product in the form that blas.gemm accepts: batch first, then a matrix.
class ProductOperands {
public:
  ProductOperands(mlir::RewriterBase &rewriter, mlir::Location loc, const LinalgProduct &product)
      : rewriter(rewriter), loc(loc), product(product) {}

  /// A (`left`) or B, in the iteration `indices` of the outer loops.
  mlir::Value createInput(bool left, mlir::ValueRange indices);
  /// C, of the elements of `c`, which is of the type of the output.
  mlir::Value createOutput(mlir::Value c);
  /// The output's own shape of what a product left in createOutput's: tensors only.
  mlir::Value restoreOutput(mlir::Value result, mlir::Value c);
  /// Iterations of an outer loop.
  mlir::OpFoldResult sizeOf(unsigned loop);

private:
  using Dims = llvm::SmallVector<std::optional<unsigned>>;

  Dims dimsOf(bool left) const;
  Dims outputDims() const;
  llvm::SmallVector<mlir::OpFoldResult> sizesOf(llvm::ArrayRef<std::optional<unsigned>> dims);
  mlir::Value createTensor(const LinearAccess &access, const Dims &dims, mlir::ValueRange indices);
  mlir::Value createMemRef(const LinearAccess &access, const Dims &dims, mlir::ValueRange indices);
  mlir::Value slice(mlir::Value tensor, const LinearAccess &access, mlir::ValueRange indices);
  mlir::Value expand(mlir::Value tensor, llvm::ArrayRef<mlir::ReassociationIndices> groups,
                     const Dims &dims);
  mlir::Value view(mlir::Value tensor, mlir::AffineMap map, const Dims &dims);
  llvm::SmallVector<mlir::OpFoldResult> offsets(const LinearAccess &access,
                                                mlir::ValueRange indices);

  mlir::RewriterBase &rewriter;
  mlir::Location loc;
  const LinalgProduct &product;
};

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_LINALGPRODUCT_H
