//===- Activation.h - The function that is applied to a product -*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_ACTIVATION_H
#define ROOFTILE_DIALECT_BLAS_ACTIVATION_H

#include "mlir/IR/Builders.h"
#include "rooftile/Operation/Operation.h"

namespace rooftile::blas {

/// Computes activation(sum + bias) where `builder` stands; `bias` is null where there is none.
mlir::Value applyEpilogue(mlir::OpBuilder &builder, operation::Activation activation,
                          mlir::Value sum, mlir::Value bias);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_ACTIVATION_H
