//===- Epilogue.h - The function that is applied before the store -*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_EPILOGUE_H
#define ROOFTILE_DIALECT_BLAS_EPILOGUE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::blas {

/// True for the scalar operations that an epilogue may consist of, on real and complex elements
/// and truth values.
bool isEpilogueOp(mlir::Operation *op);

/// True for the functions that kernels compute by an approximation: exp, tanh and erf.
bool isApproximated(mlir::Operation *op);

/// The function that follows a product or a reduction.
struct Epilogue {
  llvm::SmallVector<mlir::Value> extras; ///< Scalars, and matrices that C has dimensions of.
  mlir::ArrayAttr dims;                  ///< For each extra operand those of C; null: no function.
  mlir::Region *function = nullptr;      ///< Null for none; it stays where it is.
};

/// The epilogue of `op`, which keeps it.
Epilogue epilogueOf(EpilogueOpInterface op);

/// Copies the function, if there is one, into `op`, which was made with an empty region for it.
void cloneFunction(const Epilogue &epilogue, EpilogueOpInterface op);

/// The value that the function yields for `arguments`, computed where `builder` stands by copies of
/// its operations.
mlir::Value inlineEpilogue(mlir::OpBuilder &builder, mlir::Block &function,
                           mlir::ValueRange arguments);

/// Extra operands have their dimensions, the function is of operations that kernels support;
/// else a located error. Part of the verifiers.
llvm::LogicalResult verifyEpilogue(EpilogueOpInterface op);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_EPILOGUE_H
