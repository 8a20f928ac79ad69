//===- TensorMap.cpp - Descriptors that hardware supports -----------------===//

#include "rooftile/Runtime/Device/TensorMap.h"
#include "rooftile/Runtime/Runtime.h"

#include <limits>

using namespace rooftile;

/// Limits of cuTensorMapEncodeTiled; coordinates are of 32 bits.
static constexpr int64_t kMultiple = 16, kMostExtent = std::numeric_limits<int32_t>::max(),
                         kMostVectorBytes = int64_t(1) << 40, kMostBox = 256;

static bool refuse(const char *what, int64_t value, const std::string &rule) {
  recordError("tensor copies: " + std::string(what) + " " + std::to_string(value) + " " + rule +
              ": not launched");
  return false;
}

bool rooftile::checkTensorMap(const TensorMap &map) {
  for (int64_t side : {map.length, map.vectors})
    if (side < 0 || side > kMostExtent)
      return refuse("a side of", side, "is not in 0 .. 2^31 - 1");
  if (map.isEmpty())
    return true;
  if (map.address % kMultiple != 0)
    return refuse("the address", map.address, "is no multiple of 16");
  if (map.vectorBytes % kMultiple != 0 || map.vectorBytes <= 0 ||
      map.vectorBytes >= kMostVectorBytes)
    return refuse("vectors lie", map.vectorBytes, "bytes apart, no multiple of 16 in 16 .. 2^40");
  for (int64_t side : {map.boxLength, map.boxVectors})
    if (side < 1 || side > kMostBox)
      return refuse("a side of the box of", side, "is not in 1 .. 256");
  bool swizzled = map.swizzleBytes == kSwizzleBytes;
  if (map.swizzleBytes != 0 && !swizzled)
    return refuse("a swizzle of", map.swizzleBytes, "bytes is not 0 or 128");
  if (swizzled && map.boxLength * map.bytes() != kSwizzleBytes)
    return refuse("vectors of a box of", map.boxLength * map.bytes(),
                  "bytes are not the 128 of the swizzle");
  return true;
}
