//===- Columns.cpp - Copies from column to column by several cores --------===//

#include "Columns.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

using namespace rooftile;
using namespace rooftile::interpose;

/// Least bytes of a share: less is copied while a thread is made (tens of microseconds).
static constexpr int64_t kLeastBytes = int64_t(1) << 20;
/// Four cores at some 10 GB/s each fill PCIe 5.0 with 16 lanes, which moves 63 GB/s at most.
static constexpr int64_t kMostThreads = 4;

static void copyAlone(ColumnsAt from, ColumnsAt to, int64_t columns, int64_t bytes) {
  for (int64_t j = 0; j < columns; ++j)
    std::memcpy(to.address + j * to.leadingBytes, from.address + j * from.leadingBytes,
                size_t(bytes));
}

static ColumnsAt shifted(ColumnsAt at, int64_t columns, int64_t bytes) {
  return {at.address + columns * at.leadingBytes + bytes, at.leadingBytes};
}

/// Share `part` of `parts`: some of the columns, or where there are few, some bytes of each.
static void copyPart(ColumnsAt from, ColumnsAt to, int64_t columns, int64_t bytes, int64_t part,
                     int64_t parts) {
  bool cutsColumns = columns >= parts;
  int64_t whole = cutsColumns ? columns : bytes;
  int64_t begin = whole * part / parts, end = whole * (part + 1) / parts;
  if (cutsColumns)
    copyAlone(shifted(from, begin, 0), shifted(to, begin, 0), end - begin, bytes);
  else
    copyAlone(shifted(from, 0, begin), shifted(to, 0, begin), columns, end - begin);
}

void rooftile::interpose::copyColumns(ColumnsAt from, ColumnsAt to, int64_t columns,
                                      int64_t bytes) {
  int64_t cores = std::max<int64_t>(1, std::thread::hardware_concurrency());
  int64_t parts =
      std::clamp<int64_t>(columns * bytes / kLeastBytes, 1, std::min(kMostThreads, cores));
  std::vector<std::thread> threads;
  int64_t part = 1;
  try {
    for (; part < parts; ++part)
      threads.emplace_back(copyPart, from, to, columns, bytes, part, parts);
  } catch (const std::system_error &) { // No thread more: the rest is for this one.
  }
  copyPart(from, to, columns, bytes, 0, parts);
  for (; part < parts; ++part)
    copyPart(from, to, columns, bytes, part, parts);
  for (std::thread &thread : threads)
    thread.join();
}

void rooftile::interpose::copyTriangle(operation::Triangle triangle, ColumnsAt from, ColumnsAt to,
                                       int64_t order, int64_t elementBytes) {
  bool isLower = triangle == operation::Triangle::Lower;
  for (int64_t j = 0; j < order; ++j) {
    int64_t first = isLower ? j : 0, count = isLower ? order - j : j + 1;
    std::memcpy(shifted(to, j, first * elementBytes).address,
                shifted(from, j, first * elementBytes).address, size_t(count * elementBytes));
  }
}
