//===- Memrefs.cpp - What host code needs of memrefs ----------------------===//
//
// MLIR lowers memref.copy between strided memrefs to a call of `rooftileMemrefCopy`. Before a
// kernel with wide accesses, macro-tile has `rooftileIsAligned` test the pointers that it is given,
// and before packed operands and partial sums, `rooftileHasRoom` tests the workspace.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/HostCode.h"

#include <cstdio>
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

void rooftileMemrefCopy(int64_t elementBytes, Unranked *from, Unranked *to) {
  Walk walk{from->descriptor, to->descriptor, from->rank, elementBytes};
  walk.copy(0, walk.from->aligned + walk.from->offset * elementBytes,
            walk.to->aligned + walk.to->offset * elementBytes);
}

/// The name of an operand in messages; the values are those of #blas.arg.
static std::string nameOfRole(int64_t role) {
  if (role < 3)
    return std::string(1, "ABC"[role]);
  return role < 6 ? "W" : "extra " + std::to_string(role - 6);
}

bool rooftileIsAligned(int64_t address, int64_t bytes, int64_t role) {
  if (address % bytes == 0)
    return true;
  char text[160];
  std::snprintf(
      text, sizeof(text),
      "operand %s is at address 0x%llx, but the kernel's accesses need a multiple of %lld "
      "bytes: not launched",
      nameOfRole(role).c_str(), static_cast<unsigned long long>(address),
      static_cast<long long>(bytes));
  recordError(text);
  return false;
}

bool rooftileHasRoom(int64_t present, int64_t needed) {
  if (present >= needed)
    return true;
  char text[160];
  std::snprintf(text, sizeof(text),
                "operand workspace has %lld elements, but the plan needs %lld: not launched",
                static_cast<long long>(present), static_cast<long long>(needed));
  recordError(text);
  return false;
}
