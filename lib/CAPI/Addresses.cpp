//===- Addresses.cpp - What addresses show before a call ------------------===//

#include "Addresses.h"

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

static Failure checkAlignment(const char *name, const MatrixKey &key, uint64_t address) {
  auto element = Element(key.type - ROOFTILE_F16);
  if (key.align >= bytesOfNumber(element))
    return {};
  return invalid(textOfAlignment(name, address, key.align, element));
}

/// Of a batch by pointers: the promise of the caller, and the array itself.
static Failure checkArray(const char *name, const MatrixKey &key, uint64_t address) {
  constexpr uint64_t kAddressBytes = 8;
  int64_t bytes = bytesOfType(key.type);
  if (!isPowerOf2(key.align) || key.align < bytes)
    return invalid(std::string(name) + ": pointer_align is " + std::to_string(key.align) +
                   ", not a power of 2 of at least " + std::to_string(bytes) + ", the size of " +
                   nameOfType(key.type));
  if (address % kAddressBytes != 0)
    return invalid(std::string(name) + ": the array of addresses at " + hex(address) +
                   " is no multiple of 8 bytes");
  return {};
}

Failure capi::checkWithAlignments(const Description &d, const Addresses &addresses,
                                  Checked &checked) {
  if (Failure failure = check(d, checked))
    return failure;
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

/// What it takes long to know is left to the caller.
static Failure checkOverlap(const Placed &written, const Placed &other) {
  if (overlapOf(written, other) != Overlap::Sure)
    return {};
  return invalid(textOfOverlap(written, other));
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
  return checkOverlap({"C", addresses.c, checked.c},
                      {"bias", address, extentOfLine(count * bytes)});
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
      if (Failure failure = checkOverlap(
              {nameOfOperand(d, 2), addresses.c, checked.c},
              {nameOfOperand(d, operand), addressOf(addresses, operand), *extents[operand]}))
        return failure;
  return {};
}
