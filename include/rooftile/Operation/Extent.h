//===- Extent.h - Bytes of operands, and what they share --------*- C++ -*-===//
//
// Checks of addresses before a kernel runs. Texts are made where something is wrong
// only: a check costs a few nanoseconds.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_OPERATION_EXTENT_H
#define ROOFTILE_OPERATION_EXTENT_H

#include "rooftile/Operation/Operation.h"

#include <string_view>

namespace rooftile::operation {

/// A matrix, or matrices of a batch, in elements.
struct Vectors {
  int64_t vectors = 0, length = 0; ///< Rows and their columns, or columns and their rows.
  int64_t leading = 0;             ///< From a vector to the next.
  int64_t count = 1, stride = 0;   ///< Matrices, and from one to the next.
};

/// A matrix, or matrices of a batch, in bytes.
struct Extent {
  int64_t vectors = 0, vectorBytes = 0, leadingBytes = 0;
  int64_t count = 1, strideBytes = 0;
  int64_t bytes = 0;    ///< From the first to the end of the last one, of all matrices.
  bool isDense = false; ///< No byte between vectors or matrices.
};

/// False where the bytes do not fit in 63 bits. No number is negative.
bool measure(const Vectors &vectors, int64_t elementBytes, Extent &extent);

/// Extent of operand 0, 1 or 2: empty where a size is not known; none where the bytes do not fit.
std::optional<Extent> extentOf(const Operation &operation, int index);

/// That of one vector.
Extent extentOfVector(int64_t bytes);

/// Whether a matrix of the batch has elements of another one. Matrices that lie beside each other
/// in the vectors of a larger one do not.
bool overlapsItself(const Extent &extent);

/// "0x7f00".
std::string textOfAddress(uint64_t address);

/// "C: matrices of the batch overlap, since their stride is 3 elements".
std::string textOfSpread(std::string_view name, int64_t stride);

/// An operand, as it is called in messages.
struct Placed {
  std::string_view name;
  uint64_t address;
  const Extent &extent;
};

/// Whether operands have a byte in common.
enum class Overlap : uint8_t {
  None,
  Unknown, ///< Their ranges do; more would cost more than a few nanoseconds.
  Sure
};

/// Blocks of one matrix have none, although their ranges do.
Overlap overlapOf(const Placed &first, const Placed &second);

/// "C: its 120 bytes at 0x1000 overlap A, 96 bytes at 0x1010".
std::string textOfOverlap(const Placed &written, const Placed &other);

/// Bytes, a power of 2 of at most 16, that `address` is a multiple of; of no address, 16. No access
/// of a kernel is wider.
inline int64_t alignmentOf(uint64_t address) {
  address |= 16;
  return int64_t(address & (~address + 1));
}

/// The error for an address that is a multiple of `align` bytes, less than an element: its
/// components are misaligned, or it is a bias, whose complex elements kernels read at once.
std::string textOfAlignment(std::string_view name, uint64_t address, int64_t align,
                            Element element);

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_EXTENT_H
