//===- TensorMap.cpp - Descriptors of matrices on CUDA --------------------===//

#include "TensorMap.h"
#include "rooftile/Runtime/Cuda/Driver.h"

#include <limits>

using namespace rooftile;

/// Limits of cuTensorMapEncodeTiled; coordinates are of 32 bits.
static constexpr int64_t kMultiple = 16, kMostExtent = std::numeric_limits<int32_t>::max(),
                         kMostLineBytes = int64_t(1) << 40, kMostBox = 256;

static bool refuse(const char *what, int64_t value, const std::string &rule) {
  recordError("tensor copies: " + std::string(what) + " " + std::to_string(value) + " " + rule +
              ": not launched");
  return false;
}

bool rooftile::checkTensorMap(const TensorMap &map) {
  for (int64_t side : {map.length, map.lines})
    if (side < 0 || side > kMostExtent)
      return refuse("a side of", side, "is not in 0 .. 2^31 - 1");
  if (map.isEmpty())
    return true;
  if (map.address % kMultiple != 0)
    return refuse("the address", map.address, "is no multiple of 16");
  if (map.lineBytes % kMultiple != 0 || map.lineBytes <= 0 || map.lineBytes >= kMostLineBytes)
    return refuse("lines lie", map.lineBytes, "bytes apart, no multiple of 16 in 16 .. 2^40");
  for (int64_t side : {map.boxLength, map.boxLines})
    if (side < 1 || side > kMostBox)
      return refuse("a side of the box of", side, "is not in 1 .. 256");
  return true;
}

/// CUtensorMapDataType of numbers that are moved as they are, or -1.
static int dataType(int64_t bytes) {
  constexpr int kUint16 = 1, kUint32 = 2, kUint64 = 4;
  return bytes == 2 ? kUint16 : bytes == 4 ? kUint32 : bytes == 8 ? kUint64 : -1;
}

bool rooftileTensorMap(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                       int64_t lines, int64_t lineBytes, int64_t boxLength, int64_t boxLines) {
  TensorMap matrix{address, numberBytes, length, lines, lineBytes, boxLength, boxLines};
  if (!checkTensorMap(matrix))
    return false;
  __builtin_memset(descriptor, 0, kDescriptorBytes);
  if (matrix.isEmpty())
    return true;
  const CudaDriver *cuda = CudaDriver::current();
  if (!cuda)
    return false;
  if (!cuda->tensorMapEncodeTiled) {
    recordError(
        "tensor copies: the CUDA driver has no function cuTensorMapEncodeTiled (CUDA 12.0)");
    return false;
  }
  constexpr int kPlain = 0, kPromote128 = 2; // no interleave, swizzle or fill; lines of 128 bytes
  uint64_t sizes[] = {uint64_t(length), uint64_t(lines)}, strides[] = {uint64_t(lineBytes)};
  unsigned box[] = {unsigned(boxLength), unsigned(boxLines)}, steps[] = {1, 1};
  alignas(64) char map[kDescriptorBytes];
  int result =
      cuda->tensorMapEncodeTiled(map, dataType(numberBytes), 2, reinterpret_cast<void *>(address),
                                 sizes, strides, box, steps, kPlain, kPlain, kPromote128, kPlain);
  if (!cuda->check(result, "cuTensorMapEncodeTiled",
                   std::to_string(lines) + " lines of " + std::to_string(length) + " numbers"))
    return false;
  __builtin_memcpy(descriptor, map, sizeof(map));
  return true;
}
