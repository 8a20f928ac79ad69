//===- Steps.h - Which K loops spread their copies --------------*- C++ -*-===//
//
// Known to planning, which prices it, and to micro-tile, which does it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_TILE_STEPS_H
#define ROOFTILE_DIALECT_TILE_STEPS_H

#include <cstdint>

namespace rooftile::tile {

/// Steps of a K loop from which on its asynchronous copies are spread among the multiplications.
/// Measured on an H200: loops of 16 steps and fewer, which are bound by latency, lose 3 to 6 %,
/// those of 64 win 3 to 5 % in f32 and 4 to 17 % in f64.
inline constexpr int64_t kManySteps = 32;

} // namespace rooftile::tile

#endif // ROOFTILE_DIALECT_TILE_STEPS_H
