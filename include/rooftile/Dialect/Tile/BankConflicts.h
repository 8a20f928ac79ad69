//===- BankConflicts.h - Shared accesses that meet in one bank --*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_TILE_BANKCONFLICTS_H
#define ROOFTILE_DIALECT_TILE_BANKCONFLICTS_H

#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile::tile {

/// Shared memory as a subgroup sees it. A bank gives 4 bytes of one address a clock. Wide accesses
/// are served lane by lane in order, as many lanes at a time as fill all banks once.
struct Banks {
  int64_t count = 32;    ///< Banks of 4 bytes.
  int64_t subgroup = 32; ///< Lanes that access together.
};

/// One access of every thread: `elements` neighbours of `elementBytes` bytes each (1 to 16 bytes
/// together). Where thread t's begins is the sum over its digits of digit * (row * strides[0] +
/// column * strides[1]), in elements, changed by the swizzle as in !tile.buffer.
struct SharedAccess {
  llvm::ArrayRef<Mode> threads;
  std::array<int64_t, 2> strides;
  int64_t elements = 1, elementBytes = 4, swizzle = 0;
};

/// Clocks beyond the fewest in which the banks can serve the access, for all of its subgroups.
/// Adding a constant to every address does not change it, so one register of a map stands for all
/// (with a swizzle: those of the first vector).
int64_t bankConflicts(const SharedAccess &access, const Banks &banks);

/// Clocks in which the banks serve one subgroup, the first.
int64_t wavefronts(const SharedAccess &access, const Banks &banks);

/// The digits of threads that copy a tile, `lanes` side by side along its vectors, across these:
/// sizes and steps. Where complex<f64> is planar, sixteen lanes store at once: two
/// vectors of eight, which begin 12 real elements apart so that reads of four vectors do not meet.
/// Every second vector begins 8 apart in the banks: these come first.
inline llvm::SmallVector<std::pair<int64_t, int64_t>, 3> digitsAcross(bool planar, int64_t lanes,
                                                                      int64_t across) {
  if (planar && lanes == 8 && across % 4 == 0)
    return {{2, 2}, {2, 1}, {across / 4, 4}};
  return {{across, 1}};
}

} // namespace rooftile::tile

#endif // ROOFTILE_DIALECT_TILE_BANKCONFLICTS_H
