//===- Overlap.cpp - Layouts that name an element twice -------------------===//
//
// Kernels write an element of an output from one thread. Where a layout gives two elements one
// address, the result would depend on who comes last.
//
// Steps p and q along two dimensions of strides s and t meet where |p s| = |q t|, the least of
// them at p = |t| / g and q = |s| / g, with g the greatest common divisor of both. These exist
// where p and q are less than the sizes. (Strides of one sign meet from the same element; of
// opposite signs, in opposite directions.)
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Overlap.h"
#include "mlir/IR/Operation.h"

#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// |value|, also of the least number.
static uint64_t magnitude(int64_t value) { return value < 0 ? 0 - uint64_t(value) : value; }

std::optional<Overlap> rooftile::blas::findOverlap(ArrayRef<int64_t> sizes,
                                                   ArrayRef<int64_t> strides) {
  if (llvm::is_contained(sizes, 0))
    return std::nullopt;
  auto known = [&](size_t dim) {
    return !ShapedType::isDynamic(sizes[dim]) && !ShapedType::isDynamic(strides[dim]) &&
           strides[dim] != 0;
  };
  for (size_t second = 1; second < sizes.size(); ++second)
    for (size_t first = 0; first < second; ++first) {
      if (!known(first) || !known(second))
        continue;
      uint64_t s = magnitude(strides[first]), t = magnitude(strides[second]), g = std::gcd(s, t);
      if (t / g < uint64_t(sizes[first]) && s / g < uint64_t(sizes[second]))
        return Overlap{{int64_t(first), int64_t(second)}, {int64_t(t / g), int64_t(s / g)}};
    }
  return std::nullopt;
}

LogicalResult rooftile::blas::verifyDistinct(Operation *op, StringRef name, MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return failure(); // verifyMatrix has reported it
  ArrayRef<int64_t> sizes = type.getShape();
  for (auto [dim, stride, size] : llvm::enumerate(strides, sizes))
    if (stride == 0 && size != 1 && size != 0)
      return op->emitOpError("output ")
             << name << " has stride 0 along dimension " << dim << ": its elements overlap";
  std::optional<Overlap> overlap = findOverlap(sizes, strides);
  if (!overlap)
    return success();
  auto [first, second] = overlap->dims;
  return op->emitOpError("output ")
         << name << " overlaps itself: " << overlap->steps[0] << " steps of stride "
         << strides[first] << " along dimension " << first << ", of size " << sizes[first]
         << ", and " << overlap->steps[1] << " of stride " << strides[second] << " along dimension "
         << second << ", of size " << sizes[second] << ", are as long";
}
