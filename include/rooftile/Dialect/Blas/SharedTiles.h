//===- SharedTiles.h - Bytes of the tiles in shared memory ------*- C++ -*-===//
//
// Shared memory as #blas.plan and planning count it and macro-tile allocates it: the stages of the
// rings of A and B, and the tile of C where it passes through shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_SHAREDTILES_H
#define ROOFTILE_DIALECT_BLAS_SHAREDTILES_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rooftile::blas {

/// Bytes of a cache line.
inline constexpr int64_t kLineBytes = 128;
/// Counters of arrivals need a multiple of so many bytes.
inline constexpr int64_t kCounterBytes = 16;

/// Layout of a shared tile: the dimension along which its vectors run, and elements added to each;
/// whether real and imaginary components are planes of their own. Flat vectors have a length of
/// their own; all of them are one run, of which the threads copy so many elements at a time.
struct SharedTileLayout {
  Major major;
  int64_t pad;
  ComplexLayout complex = ComplexLayout::Interleaved;
  int64_t flat = 0, atOnce = 1;
};

inline SharedTileLayout layoutOf(const PathData &path, int64_t threads) {
  return {path.major, path.pad, path.layout, path.flat, threads * path.vector};
}

/// Number and length, in elements, of the vectors of a tile of macro M or N (`extent`) x macro K
/// elements.
inline std::array<int64_t, 2> vectorsOf(int64_t extent, int64_t macroK, Major major) {
  if (major == Major::K)
    return {extent, macroK};
  return {macroK, extent};
}

/// Elements between neighbours along M or N, and along K.
inline std::array<int64_t, 2> tileStrides(int64_t extent, int64_t macroK, SharedTileLayout layout) {
  int64_t length = vectorsOf(extent, macroK, layout.major)[1];
  int64_t apart = layout.flat ? layout.flat : length + layout.pad;
  if (layout.major == Major::K)
    return {apart, 1};
  return {1, apart};
}

/// Flat vectors of a stage for `count` of them: with room for what the threads copy beyond these.
inline int64_t flatVectors(int64_t count, SharedTileLayout layout) {
  return llvm::divideCeil(llvm::alignTo(count * layout.flat, layout.atOnce), layout.flat);
}

/// Bytes of one stage of a ring of such tiles.
inline int64_t stageBytes(int64_t extent, int64_t macroK, SharedTileLayout layout,
                          int64_t elementBytes) {
  auto [count, length] = vectorsOf(extent, macroK, layout.major);
  int64_t planes = layout.complex == ComplexLayout::Planar ? 2 : 1;
  int64_t elements =
      layout.flat ? flatVectors(count, layout) * layout.flat : count * (length + layout.pad);
  return planes * llvm::alignTo(elements * elementBytes / planes, tile::kStageAlignment);
}

/// Whether what a copy moves is waited for stage by stage.
inline bool arrivesInBulk(Copy copy) { return copy == Copy::Bulk || copy == Copy::Tensor; }

/// Bytes of `count` counters of arrivals, one for each stage that is filled by bulk copies.
inline int64_t arrivalBytes(int64_t count) {
  return llvm::alignTo(count * tile::kArrivalBytes, kCounterBytes);
}

/// Elements of an access to C, at most, where its tile comes from shared memory: 16 bytes of
/// accumulators of `bytes` each, which lanes read there without bank conflicts.
inline int64_t exchangeVector(int64_t bytes) {
  return std::max<int64_t>(1, kMaxAccessBytes / bytes);
}

/// Elements between the rows of a tile of C of `columns` accumulators of `bytes` each: one access
/// of 16 bytes is left free, so that lanes which write to neighbouring rows meet different banks.
/// In a cluster none is: others read whole cache lines (f32 1023^3: 52.5 and 54.6 us).
inline int64_t exchangeStride(int64_t columns, int64_t bytes, bool cluster) {
  return columns + (cluster ? 0 : exchangeVector(bytes));
}

/// Bytes of `rows` such rows, those of the tiles of all groups.
inline int64_t exchangeBytes(int64_t rows, int64_t columns, int64_t bytes, bool cluster) {
  return llvm::alignTo(rows * exchangeStride(columns, bytes, cluster) * bytes,
                       tile::kStageAlignment);
}

/// Bytes of `rows` rows of C of `length` elements without gaps.
inline int64_t flatBytes(int64_t rows, int64_t length, int64_t bytes) {
  return llvm::alignTo(rows * length * bytes, tile::kStageAlignment);
}

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_SHAREDTILES_H
