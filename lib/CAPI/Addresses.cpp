//===- Addresses.cpp - What addresses show before a call ------------------===//

#include "Addresses.h"

#include <algorithm>
#include <cstdio>

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::compiler;

static std::string hex(uint64_t address) {
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

/// Whether the operand is in memory that is read or written.
static bool isAccessed(const Description &description, const Checked &checked, int operand) {
  if (checked.doesNothing || (operand == 1 && description.routine != Routine::Gemm))
    return false;
  return operand == 2 || checked.readsFactors;
}

static uint64_t addressOf(const Addresses &addresses, int operand) {
  return operand == 0 ? addresses.a : operand == 1 ? addresses.b : addresses.c;
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

static bool isPowerOf2(int32_t number) { return number > 0 && (number & (number - 1)) == 0; }

static Failure checkAlignment(const std::string &name, const MatrixKey &key, uint64_t address) {
  int64_t bytes = bytesOfType(key.type);
  int64_t number = isComplex(Element(key.type - ROOFTILE_F16)) ? bytes / 2 : bytes;
  if (key.align < number)
    return invalid(name + ": the address " + hex(address) + " is no multiple of " +
                   std::to_string(number) + " bytes, the size of its numbers");
  if (key.align < bytes)
    return unsupported(name + ": the address " + hex(address) + " is a multiple of " +
                       std::to_string(key.align) + " bytes only; kernels of " +
                       nameOfType(key.type) + " need " + std::to_string(bytes));
  return {};
}

/// Of a batch by pointers: the promise of the caller, and the array itself.
static Failure checkArray(const std::string &name, const MatrixKey &key, uint64_t address) {
  constexpr uint64_t kAddressBytes = 8;
  int64_t bytes = bytesOfType(key.type);
  if (!isPowerOf2(key.align) || key.align < bytes)
    return invalid(name + ": pointer_align is " + std::to_string(key.align) +
                   ", not a power of 2 of at least " + std::to_string(bytes) + ", the size of " +
                   nameOfType(key.type));
  if (address % kAddressBytes != 0)
    return invalid(name + ": the array of addresses at " + hex(address) +
                   " is no multiple of 8 bytes");
  return {};
}

Failure capi::checkAlignments(const Description &d, const Checked &checked,
                              const Addresses &addresses) {
  const MatrixKey *keys[] = {&d.a, &d.b, &d.c};
  auto *checkOne = d.batch == ROOFTILE_BATCH_POINTERS ? checkArray : checkAlignment;
  for (int operand : {0, 1, 2})
    if (isAccessed(d, checked, operand))
      if (Failure failure =
              checkOne(nameOfOperand(d, operand), *keys[operand], addressOf(addresses, operand)))
        return failure;
  return {};
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// Whether the first byte of a matrix, `distance` bytes behind another, is one of its elements.
static bool holds(const Extent &extent, uint64_t distance) {
  return distance / extent.leadingBytes < uint64_t(extent.lines) &&
         distance % extent.leadingBytes < uint64_t(extent.lineBytes);
}

/// Whether a matrix and one that begins `distance` bytes behind it have a byte in common. Blocks of
/// one matrix do not, although their ranges do; where it takes more than the distance to know, it
/// is left to the caller.
static bool surelyOverlap(const Extent &first, const Extent &second, uint64_t distance) {
  if (distance >= uint64_t(first.bytes))
    return false;
  if ((first.isDense && second.isDense) || holds(first, distance))
    return true;
  if (first.leadingBytes != second.leadingBytes)
    return false;
  uint64_t lines = distance / first.leadingBytes, rest = distance % first.leadingBytes;
  return lines + 1 < uint64_t(first.lines) &&
         first.leadingBytes - rest < uint64_t(second.lineBytes);
}

static Failure checkOverlap(const Description &d, int operand, const Extent &extent,
                            uint64_t address, const Extent &ofC, uint64_t c) {
  bool overlaps = address < c ? surelyOverlap(extent, ofC, c - address)
                              : surelyOverlap(ofC, extent, address - c);
  if (!overlaps)
    return {};
  return invalid(std::string(nameOfOperand(d, 2)) + ": its " + std::to_string(ofC.bytes) +
                 " bytes at " + hex(c) + " overlap " + nameOfOperand(d, operand) + ", " +
                 std::to_string(extent.bytes) + " bytes at " + hex(address));
}

static Failure checkBias(const Description &d, const Checked &checked, const Addresses &addresses) {
  if (d.bias == Bias::None)
    return {};
  int64_t bytes = bytesOfType(d.c.type), count = d.bias == Bias::PerRow ? d.m : d.n;
  uint64_t address = addresses.bias;
  if (!address || address % bytes)
    return invalid(address ? "bias: the address " + hex(address) + " is no multiple of " +
                                 std::to_string(bytes) + " bytes"
                           : "bias is NULL");
  Extent extent{1, count * bytes, count * bytes, count * bytes, /*isDense=*/true};
  bool overlaps = address < addresses.c ? surelyOverlap(extent, checked.c, addresses.c - address)
                                        : surelyOverlap(checked.c, extent, address - addresses.c);
  if (!overlaps)
    return {};
  return invalid("C: its " + std::to_string(checked.c.bytes) + " bytes at " + hex(addresses.c) +
                 " overlap bias, " + std::to_string(extent.bytes) + " bytes at " + hex(address));
}

Failure capi::checkAddresses(const Description &d, const Checked &checked,
                             const Addresses &addresses) {
  const Extent *extents[] = {&checked.a, &checked.b, &checked.c};
  bool isArray = d.batch == ROOFTILE_BATCH_POINTERS;
  for (int operand : {0, 1, 2}) {
    if (!isAccessed(d, checked, operand))
      continue;
    uint64_t address = addressOf(addresses, operand);
    if (!address)
      return invalid(std::string(nameOfOperand(d, operand)) + " is NULL");
    if (!isArray && uint64_t(extents[operand]->bytes) > ~address)
      return invalid(std::string(nameOfOperand(d, operand)) + ": " +
                     std::to_string(extents[operand]->bytes) + " bytes at " + hex(address) +
                     " are more than an address reaches");
  }
  if (Failure failure = checkBias(d, checked, addresses))
    return failure;
  for (int operand : {0, 1})
    if (!isArray && isAccessed(d, checked, operand))
      if (Failure failure = checkOverlap(d, operand, *extents[operand],
                                         addressOf(addresses, operand), checked.c, addresses.c))
        return failure;
  return {};
}
