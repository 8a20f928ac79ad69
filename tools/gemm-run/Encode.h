//===- Encode.h - Elements of any type in memory ----------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_ENCODE_H
#define ROOFTILE_TOOLS_GEMM_RUN_ENCODE_H

#include "Number.h"

#include "mlir/IR/BuiltinTypes.h"

namespace rooftile::run {

/// Whether elements of this type can be written and read here: integers of at most 64 bits, index,
/// and floats of any format up to f64, or complex numbers of such.
bool canEncode(mlir::Type type);

/// Bytes that an element takes in a memref.
int64_t storedBytes(mlir::Type type);

/// Writes `value`, rounded to the nearest number of the type; of integers the real part.
void encode(mlir::Type type, Scalar value, void *to);

/// What an element is; integers beyond 2^53 are rounded, so they are compared by their bytes.
Scalar decode(mlir::Type type, const void *from);

/// Half the distance from 1 to the next number of a float, or of the parts of a complex number.
double roundoffOfType(mlir::Type type);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_ENCODE_H
