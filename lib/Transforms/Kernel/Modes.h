//===- Modes.h - Digits of maps ---------------------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_MODES_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_MODES_H

#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

inline tile::Mode alongRows(int64_t size, int64_t stride) { return {size, stride, 0}; }
inline tile::Mode alongColumns(int64_t size, int64_t stride) { return {size, 0, stride}; }
inline tile::Mode replicated(int64_t size) { return {size, 0, 0}; }

/// A map without the modes of one digit value, which are redundant.
inline tile::MapAttr makeMap(mlir::MLIRContext *context, llvm::ArrayRef<tile::Mode> threads,
                             llvm::ArrayRef<tile::Mode> values) {
  auto says = [](llvm::ArrayRef<tile::Mode> modes) {
    return llvm::to_vector(
        llvm::make_filter_range(modes, [](tile::Mode mode) { return mode.size > 1; }));
  };
  return tile::MapAttr::get(context, says(threads), says(values));
}

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_MODES_H
