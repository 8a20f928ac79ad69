//===- Limits.h - What every GPU so far allows ------------------*- C++ -*-===//
//
// Limits that no chip exceeds, for code without a target. #blas.target has those of one chip.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_LIMITS_H
#define ROOFTILE_DIALECT_BLAS_LIMITS_H

#include <cstdint>
#include <optional>

namespace rooftile::blas {

/// Bytes of the widest access of one thread to memory.
inline constexpr int64_t kMaxAccessBytes = 16;
/// Bytes that an asynchronous copy of one thread moves at least.
inline constexpr int64_t kLeastCopyBytes = 4;
/// Threads of a workgroup.
inline constexpr int64_t kMaxWorkgroupThreads = 1024;

/// Whether a thread holds a vector of a triangular operation, as many elements as the triangle has
/// rows, in registers: half of those that it may have, or less where elements of two `components`
/// are divided by, and code that an assembler processes quickly.
inline constexpr bool fitsRegisters(int64_t order, int64_t elementBytes, int64_t components = 1) {
  constexpr int64_t kMostNumbers = 64, kMostBytes = 128 * 4, kMostComplexBytes = 96 * 4;
  return order * components <= kMostNumbers &&
         order * elementBytes <= (components == 1 ? kMostBytes : kMostComplexBytes);
}

/// Rows that a thread has in registers at a time where vectors do not fit.
inline constexpr int64_t kRowsOfPart = 8;
/// Rows of a thread, and its vectors, at most: code grows with the square of rows.
inline constexpr int64_t kMostRows = 64, kMostThreadVectors = 8;
/// Rows before a part that are read at once.
inline constexpr int64_t kRowsAhead = 4;
/// Bytes of rows in registers at most.
inline constexpr int64_t kMostRowBytes = 128 * 4;

/// Rows of one vector that a thread has in registers where a plan leaves that out: all of them,
/// where they are known and fit.
inline int64_t rowsInRegisters(std::optional<int64_t> order, int64_t elementBytes,
                               int64_t components = 1) {
  return order && fitsRegisters(*order, elementBytes, components) ? *order : kRowsOfPart;
}

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_LIMITS_H
