//===- Bulk.h - What copies ask of memory -----------------------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_TILE_BULK_H
#define ROOFTILE_DIALECT_TILE_BULK_H

#include "rooftile/Runtime/Device/TensorMap.h"

#include <cstdint>

namespace rooftile::tile {

/// Bytes of one word of all banks of shared memory. Stages begin at multiples of it: asynchronous
/// copies of a subgroup that cross it last twice as long (f64 53 x 53, A B: 0.41 -> 0.26 ms).
inline constexpr int64_t kStageAlignment = 128;
/// Bytes of which a bulk copy moves a multiple, and at multiples of which it begins on both sides
/// (PTX ISA 8.0, cp.async.bulk).
inline constexpr int64_t kBulkBytes = 16;
/// Bytes that one moves at most, and a phase of a counter of arrivals counts (PTX ISA 8.0,
/// mbarrier: 2^20 - 1).
inline constexpr int64_t kMostBulkBytes = (1 << 20) - kBulkBytes;
/// A tensor copy moves a box of at most so many elements along each dimension, to a multiple of so
/// many bytes, out of a matrix whose vectors begin at multiples of kBulkBytes (CUDA driver
/// API 12.0, cuTensorMapEncodeTiled; PTX ISA 8.0, cp.async.bulk.tensor).
inline constexpr int64_t kMostBox = 256, kBoxBytes = rooftile::kBoxBytes;
/// Words of 64 bits in the descriptor of such a matrix.
inline constexpr int64_t kDescriptorNumbers = 16;
/// Bytes of a counter of arrivals; each stage of a ring has one.
inline constexpr int64_t kArrivalBytes = 8;

} // namespace rooftile::tile

#endif // ROOFTILE_DIALECT_TILE_BULK_H
