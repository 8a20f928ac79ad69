//===- Limits.h - What every GPU so far allows ------------------*- C++ -*-===//
//
// Limits that no chip exceeds, for code that knows no target. #blas.target has those of one chip.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_LIMITS_H
#define ROOFTILE_DIALECT_BLAS_LIMITS_H

#include <cstdint>

namespace rooftile::blas {

/// Bytes of the widest access of one thread to memory.
inline constexpr int64_t kMaxAccessBytes = 16;
/// Bytes that an asynchronous copy of one thread moves at least.
inline constexpr int64_t kLeastCopyBytes = 4;
/// Threads of a workgroup.
inline constexpr int64_t kMaxWorkgroupThreads = 1024;

/// Whether a thread holds a line of a triangular operation, as many elements as the triangle has
/// rows, in registers: half of those that it may have, or less where elements of two `components`
/// are divided by, and code that an assembler takes quickly.
inline constexpr bool fitsRegisters(int64_t order, int64_t elementBytes, int64_t components = 1) {
  constexpr int64_t kMostNumbers = 64, kMostBytes = 128 * 4, kMostComplexBytes = 96 * 4;
  return order * components <= kMostNumbers &&
         order * elementBytes <= (components == 1 ? kMostBytes : kMostComplexBytes);
}

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_LIMITS_H
