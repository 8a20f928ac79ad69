//===- Effects.h - What operations do to matrices ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_EFFECTS_H
#define ROOFTILE_LIB_DIALECT_BLAS_EFFECTS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace rooftile::blas {

/// Adds the effects of an operation on memrefs: all are read but `output`, which is written, and
/// with `readsOutput` read before. Tensors and scalars have no effects.
void addMatrixEffects(mlir::Operation *op, mlir::Value output, bool readsOutput,
                      llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_EFFECTS_H
