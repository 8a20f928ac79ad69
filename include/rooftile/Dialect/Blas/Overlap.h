//===- Overlap.h - Layouts that name an element twice -----------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_OVERLAP_H
#define ROOFTILE_DIALECT_BLAS_OVERLAP_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace rooftile::blas {

/// Two dimensions of a layout that name an element twice: so many steps along the one lead to the
/// same address as so many along the other.
struct Overlap {
  int64_t dims[2];
  int64_t steps[2];
};

/// The first two dimensions of these sizes and strides (in elements) that overlap. Exact for each
/// two dimensions of static sizes and strides; the others, and strides of 0, are not looked at.
std::optional<Overlap> findOverlap(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);

/// Success if no two elements of an output of type `type` share an address, as far as its type
/// shows; else an error on `op` that calls it `name`.
llvm::LogicalResult verifyDistinct(mlir::Operation *op, llvm::StringRef name,
                                   mlir::MemRefType type);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_OVERLAP_H
