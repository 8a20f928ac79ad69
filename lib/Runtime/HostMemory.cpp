//===- HostMemory.cpp - What host code needs of memrefs -------------------===//
//
// MLIR lowers memref.copy between strided memrefs to a call of `memrefCopy`.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Memref.h"
#include "rooftile/Runtime/Runtime.h"

#include <cstring>

using namespace rooftile;

namespace {

/// Strides of dimension `dim` on both sides, and its size.
struct Walk {
  const Descriptor *from, *to;
  int64_t rank, elementBytes;

  void copy(int64_t dim, const char *source, char *target) const {
    if (dim == rank) {
      std::memcpy(target, source, elementBytes);
      return;
    }
    for (int64_t i = 0; i < from->sizesAndStrides[dim]; ++i)
      copy(dim + 1, source + i * from->sizesAndStrides[rank + dim] * elementBytes,
           target + i * to->sizesAndStrides[rank + dim] * elementBytes);
  }
};

} // namespace

extern "C" ROOFTILE_EXPORT void memrefCopy(int64_t elementBytes, Unranked *from, Unranked *to) {
  Walk walk{from->descriptor, to->descriptor, from->rank, elementBytes};
  walk.copy(0, walk.from->aligned + walk.from->offset * elementBytes,
            walk.to->aligned + walk.to->offset * elementBytes);
}
