//===- Exchange.h - The tile of C in shared memory --------------*- C++ -*-===//
//
// What planning counts and macro-tile writes where the tile of C passes through shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_EXCHANGE_H
#define ROOFTILE_DIALECT_BLAS_EXCHANGE_H

#include <algorithm>
#include <cstdint>

namespace rooftile::blas {

/// Elements between the rows of a tile of C of `columns` sums of `bytes` each: one access of 16
/// bytes is left free, so that lanes which write to neighbouring rows meet different banks. In a
/// cluster none is: others read whole lines of 128 bytes (f32 1023^3: 52.5 and 54.6 us).
inline int64_t exchangeStride(int64_t columns, int64_t bytes, bool cluster) {
  return columns + (cluster ? 0 : std::max<int64_t>(1, 16 / bytes));
}

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_EXCHANGE_H
