//===- Panels.cpp - A call in panels that are copied one by one -----------===//

#include "Panels.h"

#include <algorithm>

using namespace rooftile::interpose;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The share of one GPU that is copied while nothing else happens is 1 / kMostPanels; each panel
/// more is a launch more. A panel shorter than kLeastPanel is copied faster than a copy is begun.
static constexpr int64_t kMostPanels = 8, kLeastPanel = int64_t(1) << 20;

/// Whether tiles have all rows of C: the columns are cut.
static bool cutsColumns(const Call &call) {
  const Operation &operation = call.operation;
  return hasSquareA(call) ? operation.side == Side::Left : operation.n >= operation.m;
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

/// Squares of one size, column by column, of the triangle.
static std::vector<Tile> tilesOfTriangle(const Operation &operation, int64_t mostPanels) {
  int64_t order = operation.n, bytes = bytesOf(operation.c.element), side = order;
  int64_t panels = 1;
  auto isLong = [&](int64_t panel) { return panel * panel * bytes >= kLeastPanel; };
  while (panels < mostPanels && isLong(ceilDiv(order, panels + 1)))
    side = ceilDiv(order, ++panels);
  while (pitchOf(side * bytes) * side > Staging::kSlotBytes)
    side = ceilDiv(side, 2);
  std::vector<Tile> tiles;
  for (int64_t column = 0; column < order; column += side)
    for (int64_t row = 0; row < order; row += side) {
      bool isStored = operation.triangle == Triangle::Lower ? row >= column : row <= column;
      if (isStored)
        tiles.push_back({row, column, std::min(side, order - row), std::min(side, order - column)});
    }
  return tiles;
}

std::vector<Tile> rooftile::interpose::tilesOf(const Call &call, size_t gpus) {
  int64_t mostPanels = kMostPanels * int64_t(gpus);
  if (isRankUpdate(call))
    return tilesOfTriangle(call.operation, mostPanels);
  int64_t bytes = bytesOf(call.element()), m = call.operation.m, n = call.operation.n;
  int64_t rows = m, columns = n;
  int64_t panels = std::clamp<int64_t>(rows * columns * bytes / kLeastPanel, 1, mostPanels);
  if (cutsColumns(call)) {
    columns = ceilDiv(columns, panels);
    shrink(columns, rows, rows, columns, bytes);
  } else {
    rows = ceilDiv(rows, panels);
    shrink(rows, columns, rows, columns, bytes);
  }
  std::vector<Tile> tiles;
  for (int64_t row = 0; row < m; row += rows)
    for (int64_t column = 0; column < n; column += columns)
      tiles.push_back({row, column, std::min(rows, m - row), std::min(columns, n - column)});
  return tiles;
}

/// Elements of C; a square on the diagonal of a triangle has half of them.
static double workOf(const Tile &tile) { return double(tile.rows) * double(tile.columns); }

std::vector<std::vector<Tile>> rooftile::interpose::sharesOf(const std::vector<Tile> &tiles,
                                                             size_t gpus) {
  double total = 0, done = 0;
  for (const Tile &tile : tiles)
    total += workOf(tile);
  std::vector<std::vector<Tile>> shares(1);
  for (const Tile &tile : tiles) {
    // A tile belongs to the share in which its middle lies.
    size_t share = size_t((done + workOf(tile) / 2) / total * double(gpus));
    if (share >= shares.size() && !shares.back().empty())
      shares.emplace_back();
    shares.back().push_back(tile);
    done += workOf(tile);
  }
  return shares;
}

double rooftile::interpose::bytesForAllTiles(const Call &call) {
  const Operation &operation = call.operation;
  if (isRankUpdate(call))
    return bytesOfOperand(operation, 0) + bytesOfOperand(operation, 1);
  return bytesOfOperand(operation, hasSquareA(call) || cutsColumns(call) ? 0 : 1);
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

Part Placement::place(const Block &block) {
  constexpr int64_t kAlign = 256; // As the driver aligns an allocation.
  int64_t elementBytes = bytesOf(call.element());
  Part part = {
      block,
      {block.address, block.columns, block.rows * elementBytes, block.leading * elementBytes},
      bytes,
      pitchOf(block.rows * elementBytes)};
  bytes += ceilDiv(part.pitch * block.columns, kAlign) * kAlign;
  return part;
}

/// A triangle in blocks of columns: of each, the rows between the diagonal and the end. On the
/// device it is one matrix; what lies in the other triangle is not read.
void Placement::placeSquare(const Block &square) {
  constexpr int64_t kColumns = 256; // With order 2048, 9/16 of the square are copied.
  int64_t order = square.rows, elementBytes = bytesOf(call.element());
  bool isLower = call.operation.triangle == Triangle::Lower;
  Part whole = place(square);
  for (int64_t column = 0; column < order; column += kColumns) {
    int64_t columns = std::min(kColumns, order - column);
    int64_t row = isLower ? column : 0;
    int64_t end = isLower ? order : column + columns;
    Part block = whole;
    block.host.address += column * whole.host.leadingBytes + row * elementBytes;
    block.host.columns = columns;
    block.host.columnBytes = (end - row) * elementBytes;
    block.offset += column * whole.pitch + row * elementBytes;
    a.emplace(column, block);
  }
}

void Placement::placeOnce(std::map<int64_t, Part> &parts, int64_t start, const Block &block) {
  if (!parts.count(start))
    parts.emplace(start, place(block));
}

/// Assigns memory to blocks that the tile is the first to need.
void Placement::placeFactors(const Tile &tile, size_t index, const Blocks &blocks) {
  bool hasB = call.operation.has(1);
  if (hasSquareA(call)) {
    if (a.empty())
      placeSquare(blocks.a[0]);
    if (hasB)
      placeOnce(b, int64_t(index), blocks.b[0]);
    return;
  }
  placeOnce(a, tile.row, blocks.a[0]);
  if (hasB)
    placeOnce(b, tile.column, blocks.b[1]);
  if (!isRankUpdate(call))
    return;
  placeOnce(a, tile.column, blocks.a[1]);
  if (hasB)
    placeOnce(b, tile.row, blocks.b[0]);
}

Placement::Placement(const Call &call, const std::vector<Tile> &tiles) : call(call) {
  for (size_t index = 0; index < tiles.size(); ++index) {
    const Tile &tile = tiles[index];
    Blocks blocks = blocksOf(call, tile);
    c.push_back(place(blocks.c));
    if (isRankUpdate(call) && tile.row == tile.column)
      c.back().host.triangle = call.operation.triangle;
    placeFactors(tile, index, blocks);
  }
}

std::vector<Part *> Placement::factorsOf(const Tile &tile, size_t index) {
  std::vector<Part *> factors;
  if (hasSquareA(call)) {
    for (auto &[column, part] : a)
      factors.push_back(&part);
    if (call.operation.has(1))
      factors.push_back(&b.at(int64_t(index)));
    return factors;
  }
  if (!isRankUpdate(call))
    return {&a.at(tile.row), &b.at(tile.column)};
  for (std::map<int64_t, Part> *parts : {&a, &b})
    for (int64_t start : {tile.row, tile.column})
      if (!parts->empty())
        factors.push_back(&parts->at(start));
  return factors;
}

Blocks Placement::onDevice(const Tile &tile, size_t index, uint64_t memory) const {
  int64_t elementBytes = bytesOf(call.element());
  auto blockOf = [=](const Part &part) -> Block {
    return {reinterpret_cast<char *>(memory + uint64_t(part.offset)), part.block.rows,
            part.block.columns, part.pitch / elementBytes};
  };
  bool hasB = call.operation.has(1);
  Blocks blocks;
  blocks.c = blockOf(c[index]);
  if (hasSquareA(call)) {
    blocks.a[0] = blockOf(a.at(0)); // Where the first block begins, the matrix does.
    if (hasB)
      blocks.b[0] = blockOf(b.at(int64_t(index)));
    return blocks;
  }
  blocks.a[0] = blockOf(a.at(tile.row));
  if (hasB)
    blocks.b[1] = blockOf(b.at(tile.column));
  if (isRankUpdate(call)) {
    blocks.a[1] = blockOf(a.at(tile.column));
    if (hasB)
      blocks.b[0] = blockOf(b.at(tile.row));
  }
  return blocks;
}
