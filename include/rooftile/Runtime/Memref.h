//===- Memref.h - A memref as compiled code passes it -----------*- C++ -*-===//
//
// MLIR's C interface passes an unranked memref as its rank and a pointer to
// { allocated, aligned, offset, sizes[rank], strides[rank] }, in elements.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_MEMREF_H
#define ROOFTILE_RUNTIME_MEMREF_H

#include <cstdint>

namespace rooftile {

/// Sizes, then strides, follow the offset.
struct Descriptor {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

struct Unranked {
  int64_t rank;
  Descriptor *descriptor;
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_MEMREF_H
