//===- Extent.cpp - Bytes of operands, and what they share ----------------===//

#include "rooftile/Operation/Extent.h"

#include <cstdio>

using namespace rooftile;
using namespace rooftile::operation;

bool operation::measure(const Vectors &vectors, int64_t elementBytes, Extent &extent) {
  int64_t span, gaps;
  extent = {};
  extent.vectors = vectors.vectors, extent.count = vectors.count;
  if (vectors.vectors == 0 || vectors.length == 0 || vectors.count == 0)
    return true;
  if (__builtin_mul_overflow(vectors.length, elementBytes, &extent.vectorBytes) ||
      __builtin_mul_overflow(vectors.leading, elementBytes, &extent.leadingBytes) ||
      __builtin_mul_overflow(vectors.vectors - 1, extent.leadingBytes, &span) ||
      __builtin_add_overflow(span, extent.vectorBytes, &span) ||
      __builtin_mul_overflow(vectors.count > 1 ? vectors.stride : 0, elementBytes,
                             &extent.strideBytes))
    return false;
  gaps = extent.strideBytes;
  extent.isDense = span == vectors.vectors * extent.vectorBytes && (gaps == 0 || gaps == span);
  return !__builtin_mul_overflow(gaps, vectors.count - 1, &gaps) &&
         !__builtin_add_overflow(span, gaps, &extent.bytes);
}

std::optional<Extent> operation::extentOf(const Operation &operation, int index) {
  const Matrix &matrix = operation.operand(index);
  bool isBatch = operation.batch == Batch::Strided;
  const Vectors vectors{operation.vectors(index), operation.vectorLength(index), matrix.leading,
                        isBatch ? operation.count : 1, isBatch ? matrix.stride : 0};
  Extent extent;
  for (int64_t number :
       {vectors.vectors, vectors.length, vectors.leading, vectors.count, vectors.stride})
    if (number == kAnySize)
      return extent;
  if (!measure(vectors, bytesOf(matrix.element), extent))
    return std::nullopt;
  return extent;
}

Extent operation::extentOfVector(int64_t bytes) {
  return {1, bytes, bytes, 1, 0, bytes, /*isDense=*/true};
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// Whether the first byte of a matrix, `distance` bytes after another, is one of its elements.
static bool holds(const Extent &extent, uint64_t distance) {
  return distance / extent.leadingBytes < uint64_t(extent.vectors) &&
         distance % extent.leadingBytes < uint64_t(extent.vectorBytes);
}

/// Whether a vector of a matrix that begins `distance` bytes after another one, with vectors as far
/// apart, reaches into a vector of that one.
static bool reachesInto(const Extent &extent, uint64_t distance, int64_t vectorBytes) {
  uint64_t vectors = distance / extent.leadingBytes, rest = distance % extent.leadingBytes;
  return vectors + 1 < uint64_t(extent.vectors) &&
         extent.leadingBytes - rest < uint64_t(vectorBytes);
}

bool operation::overlapsItself(const Extent &extent) {
  if (extent.bytes == 0)
    return false;
  int64_t span = (extent.vectors - 1) * extent.leadingBytes + extent.vectorBytes;
  for (int64_t i = 1; i < extent.count && extent.strideBytes < span; ++i) {
    int64_t distance;
    if (__builtin_mul_overflow(i, extent.strideBytes, &distance) || distance >= span)
      return false;
    if (holds(extent, distance) || reachesInto(extent, distance, extent.vectorBytes))
      return true;
  }
  return false;
}

/// Overlap with an extent that begins `distance` bytes after the first one.
static Overlap overlapBehind(const Extent &first, const Extent &second, uint64_t distance) {
  if (distance >= uint64_t(first.bytes) || second.bytes == 0)
    return Overlap::None;
  if ((first.isDense && second.isDense) || holds(first, distance))
    return Overlap::Sure;
  if (first.leadingBytes != second.leadingBytes)
    return Overlap::Unknown;
  if (reachesInto(first, distance, second.vectorBytes))
    return Overlap::Sure;
  return first.count == 1 && second.count == 1 ? Overlap::None : Overlap::Unknown;
}

Overlap operation::overlapOf(const Placed &first, const Placed &second) {
  return first.address < second.address
             ? overlapBehind(first.extent, second.extent, second.address - first.address)
             : overlapBehind(second.extent, first.extent, first.address - second.address);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::string operation::textOfAddress(uint64_t address) {
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string operation::textOfSpread(std::string_view name, int64_t stride) {
  return std::string(name) + ": matrices of the batch overlap, since their stride is " +
         std::to_string(stride) + " elements";
}

std::string operation::textOfOverlap(const Placed &written, const Placed &other) {
  return std::string(written.name) + ": its " + std::to_string(written.extent.bytes) +
         " bytes at " + textOfAddress(written.address) + " overlap " + std::string(other.name) +
         ", " + std::to_string(other.extent.bytes) + " bytes at " + textOfAddress(other.address);
}

std::string operation::textOfAlignment(std::string_view name, uint64_t address, int64_t align,
                                       Element element) {
  std::string head = std::string(name) + ": the address " + textOfAddress(address);
  if (align < bytesOfComponent(element))
    return head + " is no multiple of " + std::to_string(bytesOfComponent(element)) +
           " bytes, the size of its real elements";
  return head + " is a multiple of " + std::to_string(align) + " bytes only; kernels of " +
         nameOf(element) + " need " + std::to_string(bytesOf(element));
}
