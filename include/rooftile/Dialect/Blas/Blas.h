//===- Blas.h - The matrix level --------------------------------*- C++ -*-===//
//
// The dialect `blas`: operations, and the attributes #blas.target, #blas.plan
// and #blas.contract that carry every decision from pass to pass.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_BLAS_H
#define ROOFTILE_DIALECT_BLAS_BLAS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <complex>
#include <optional>

#include "rooftile/Dialect/Blas/BlasDialect.h.inc"
#include "rooftile/Dialect/Blas/BlasEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "rooftile/Dialect/Blas/BlasAttributes.h.inc"

#include "rooftile/Dialect/Blas/BlasInterfaces.h.inc"

#define GET_OP_CLASSES
#include "rooftile/Dialect/Blas/Blas.h.inc"

namespace rooftile::blas {

/// Lets one-shot bufferization turn tensor forms into memref forms.
void registerBufferizableOpInterfaceExternalModels(mlir::DialectRegistry &registry);

/// The attribute of a scalar that is a constant, else null.
mlir::TypedAttr getConstantScalar(mlir::Value scalar);

/// True for an operand that enters transposed (t or c).
inline bool isTransposed(Transpose op) { return op == Transpose::Trans || op == Transpose::Adjoint; }
/// True for an operand that enters conjugated (c or j).
inline bool isConjugated(Transpose op) { return op == Transpose::Adjoint || op == Transpose::Conj; }

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLAS_H
