//===- Panels.cpp - A call in parts that can be copied one by one ---------===//

#include "Panels.h"

#include <algorithm>

using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// What is copied while nothing else happens is a part of 1 / kMostPanels; each panel more is a
/// launch more. A panel shorter than kLeastPanel is copied faster than a copy is begun.
static constexpr int64_t kMostPanels = 8, kLeastPanel = int64_t(1) << 20;

/// Whether tiles have all rows of C: the columns are cut.
static bool cutsColumns(const Call &call) {
  return isTriangular(call) ? call.side == 'L' : call.n >= call.m;
}

/// Halves `first`, then `second`, until a tile fits in a slot.
static void shrink(int64_t &first, int64_t &second, const int64_t &rows, const int64_t &columns,
                   int64_t elementBytes) {
  auto fits = [&] { return pitchOf(rows * elementBytes) * columns <= Staging::kSlotBytes; };
  while (!fits() && first > 1)
    first = ceilDiv(first, 2);
  while (!fits() && second > 1)
    second = ceilDiv(second, 2);
}

std::vector<Tile> rooftile::interpose::tilesOf(const Call &call) {
  int64_t bytes = bytesOf(call.type), rows = call.m, columns = call.n;
  int64_t panels = std::clamp<int64_t>(rows * columns * bytes / kLeastPanel, 1, kMostPanels);
  if (cutsColumns(call)) {
    columns = ceilDiv(columns, panels);
    shrink(columns, rows, rows, columns, bytes);
  } else {
    rows = ceilDiv(rows, panels);
    shrink(rows, columns, rows, columns, bytes);
  }
  std::vector<Tile> tiles;
  for (int64_t row = 0; row < call.m; row += rows)
    for (int64_t column = 0; column < call.n; column += columns)
      tiles.push_back(
          {row, column, std::min(rows, call.m - row), std::min(columns, call.n - column)});
  return tiles;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Part Placement::place(char *address, int64_t rows, int64_t columns, int64_t leading,
                      int64_t elementBytes) {
  constexpr int64_t kAlign = 256; // As the driver aligns an allocation.
  Part part = {{address, columns, rows * elementBytes, leading * elementBytes},
               bytes,
               pitchOf(rows * elementBytes)};
  bytes += ceilDiv(part.pitch * columns, kAlign) * kAlign;
  return part;
}

/// A triangle in blocks of columns: of each, the rows between the diagonal and the end. On the
/// device it is one matrix; what lies in the other triangle is not read.
void Placement::placeTriangle(const Call &call) {
  constexpr int64_t kColumns = 256; // Of order 2048, 9/16 of the square are copied.
  int64_t order = rowsOfA(call), elementBytes = bytesOf(call.type);
  Part whole = place(call.a.address, order, order, call.a.leading, elementBytes);
  for (int64_t column = 0; column < order; column += kColumns) {
    int64_t columns = std::min(kColumns, order - column);
    int64_t row = call.uplo == 'L' ? column : 0;
    int64_t end = call.uplo == 'L' ? order : column + columns;
    Part block = whole;
    block.host.address += column * whole.host.leadingBytes + row * elementBytes;
    block.host.columns = columns;
    block.host.columnBytes = (end - row) * elementBytes;
    block.offset += column * whole.pitch + row * elementBytes;
    a.push_back(block);
  }
}

Placement::Placement(const Call &call, const std::vector<Tile> &tiles)
    : tileRows(tiles.front().rows), tileColumns(tiles.front().columns) {
  int64_t elementBytes = bytesOf(call.type);
  for (const Tile &tile : tiles) {
    Call part = partOf(call, tile);
    c.push_back(place(part.c.address, tile.rows, tile.columns, call.c.leading, elementBytes));
    if (isTriangular(call))
      continue;
    int64_t k = call.k;
    bool isPlainA = call.opA == 'N', isPlainB = call.opB == 'N';
    if (tile.column == 0)
      a.push_back(place(part.a.address, isPlainA ? tile.rows : k, isPlainA ? k : tile.rows,
                        call.a.leading, elementBytes));
    if (tile.row == 0)
      b.push_back(place(part.b.address, isPlainB ? k : tile.columns, isPlainB ? tile.columns : k,
                        call.b.leading, elementBytes));
  }
  if (isTriangular(call))
    placeTriangle(call);
}

std::vector<Part *> Placement::factorsOf(const Call &call, const Tile &tile) {
  std::vector<Part *> factors;
  if (!isTriangular(call))
    return {&a[rowOf(tile)], &b[columnOf(tile)]};
  for (Part &part : a)
    factors.push_back(&part);
  return factors;
}

Call Placement::onDevice(const Call &call, const Tile &tile, size_t index, uint64_t memory) const {
  int64_t elementBytes = bytesOf(call.type);
  auto matrixOf = [=](const Part &part) -> Matrix {
    return {reinterpret_cast<char *>(memory + uint64_t(part.offset)), part.pitch / elementBytes};
  };
  Call there = call;
  there.m = tile.rows, there.n = tile.columns;
  there.c = matrixOf(c[index]);
  if (isTriangular(call)) {
    there.a = matrixOf(a.front()); // Where the first block begins, the matrix does.
    return there;
  }
  there.a = matrixOf(a[rowOf(tile)]);
  there.b = matrixOf(b[columnOf(tile)]);
  return there;
}
