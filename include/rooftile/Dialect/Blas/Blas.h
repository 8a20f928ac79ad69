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

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace rooftile::blas {

/// Lets one-shot bufferization turn tensor forms into memref forms.
void registerBufferizableOpInterfaceExternalModels(mlir::DialectRegistry &registry);

/// Reads A and B from where transposing producers (linalg.transpose of tensors or
/// the same as linalg.generic, memref.transpose) read them, and toggles op(A) and
/// op(B). True when `gemm` changed; one with a plan stays as planned.
bool absorbTransposes(mlir::RewriterBase &rewriter, GemmOp gemm);

/// Workspace of a plan in elements of the accumulator type, for given sizes: the size query
/// of reduction = workspace; 0 for every other plan.
int64_t workspaceElements(PlanAttr plan, int64_t batch, int64_t m, int64_t n);

/// The attribute of a scalar that is a constant, else null.
mlir::TypedAttr getConstantScalar(mlir::Value scalar);

/// True for f16, bf16, f32, f64, complex<f32> and complex<f64>: what a matrix holds.
bool isElementType(mlir::Type type);

/// True for an operand that enters transposed (t or c).
inline bool isTransposed(Transpose op) {
  return op == Transpose::Trans || op == Transpose::Adjoint;
}
/// True for an operand that enters conjugated (c or j).
inline bool isConjugated(Transpose op) { return op == Transpose::Adjoint || op == Transpose::Conj; }

/// Rows (`dim` 0) or columns (`dim` 1) of op(X), for X of shape [batch,] rows, columns.
inline int64_t getSizeOf(mlir::ShapedType type, Transpose op, int dim) {
  return type.getDimSize(type.getRank() - 2 + (isTransposed(op) ? 1 - dim : dim));
}

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLAS_H
