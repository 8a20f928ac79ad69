//===- CpuTensor.cpp - Tensor copies --------------------------------------===//
//
// A box is copied line by line, each like a bulk copy (CpuArrivals.cpp).
//
//===----------------------------------------------------------------------===//

#include "CpuArrivals.h"
#include "TensorMap.h"
#include "rooftile/Dialect/Tile/Bulk.h"

#include <algorithm>
#include <cstring>

using namespace rooftile;
using namespace rooftile::cpu;

bool rooftileCpuTensorMap(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                          int64_t lines, int64_t lineBytes, int64_t boxLength, int64_t boxLines) {
  TensorMap map{address, numberBytes, length, lines, lineBytes, boxLength, boxLines};
  std::memcpy(descriptor, &map, sizeof(map));
  return checkTensorMap(map);
}

/// Line `index` of the box, `box` bytes at `target`; numbers of the matrix are in [first, last).
static BulkCopy lineOf(const TensorMap &map, int64_t element, int64_t line) {
  BulkCopy copy{};
  copy.bytes = map.boxLength * map.numberBytes;
  int64_t first = std::clamp<int64_t>(element, 0, map.length);
  int64_t last = std::clamp<int64_t>(element + map.boxLength, 0, map.length);
  if (line < 0 || line >= map.lines || first >= last) {
    copy.before = copy.bytes;
    return copy;
  }
  copy.before = (first - element) * map.numberBytes;
  copy.after = (element + map.boxLength - last) * map.numberBytes;
  copy.source =
      reinterpret_cast<const char *>(map.address) + line * map.lineBytes + first * map.numberBytes;
  return copy;
}

void rooftileCpuTensorCopy(Thread *thread, void *target, const void *descriptor, int64_t element,
                           int64_t line, const void *counter, int64_t site) {
  TensorMap map;
  std::memcpy(&map, descriptor, sizeof(map));
  for (int64_t index = 0; index < map.boxLines; ++index) {
    BulkCopy copy = lineOf(map, element, line + index);
    copy.thread = thread;
    copy.site = site;
    copy.target = static_cast<char *>(target) + index * copy.bytes;
    if (site != 0)
      rooftileCpuWrite(thread, copy.target, copy.bytes, index == 0 ? tile::kBoxBytes : 16, site);
    std::memset(copy.target, 0xFF, copy.bytes);
    thread->arrivals->start(counter, copy);
  }
}
