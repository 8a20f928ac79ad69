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
/// bytes is left free, so that lanes which write to neighbouring rows meet different banks.
inline int64_t exchangeStride(int64_t columns, int64_t bytes) {
  return columns + std::max<int64_t>(1, 16 / bytes);
}

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_EXCHANGE_H
