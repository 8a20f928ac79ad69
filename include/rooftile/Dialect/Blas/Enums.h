//===- Enums.h - The enumerations of the matrix level -----------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_ENUMS_H
#define ROOFTILE_DIALECT_BLAS_ENUMS_H

#include "mlir/IR/OpImplementation.h"

#include "rooftile/Dialect/Blas/BlasEnums.h.inc"

#endif // ROOFTILE_DIALECT_BLAS_ENUMS_H
