//===- Tiles.cpp - A call as calls on tiles of C --------------------------===//

#include "Tiles.h"

using namespace rooftile::interpose;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static Block blockAt(const Call &call, int index, int64_t row, int64_t column) {
  int64_t leading = call.operation.operand(index).leading;
  char *address = call.addresses[index];
  if (address) // An operand that is not read may have any address.
    address += (row + column * leading) * bytesOf(call.element());
  return {address, 0, 0, leading};
}

/// `count` rows of op(X) from `first` on, all of its K columns; the other way round where `isRow`
/// is false.
static Block blockOf(const Call &call, int index, bool isRow, int64_t first, int64_t count) {
  const Operation &operation = call.operation;
  Op op = index == 1 && operation.info().hasOpB ? operation.opB : operation.opA;
  bool areStoredRows = isTransposed(op) != isRow;
  Block block = blockAt(call, index, areStoredRows ? first : 0, areStoredRows ? 0 : first);
  block.rows = areStoredRows ? count : operation.k;
  block.columns = areStoredRows ? operation.k : count;
  return block;
}

static Block tileOf(const Call &call, int index, const Tile &tile) {
  Block block = blockAt(call, index, tile.row, tile.column);
  block.rows = tile.rows, block.columns = tile.columns;
  return block;
}

Blocks rooftile::interpose::blocksOf(const Call &call, const Tile &tile) {
  Blocks blocks;
  blocks.c = tileOf(call, 2, tile);
  bool hasB = call.operation.has(1);
  if (hasSquareA(call)) {
    int64_t order = call.operation.order();
    blocks.a[0] = blockAt(call, 0, 0, 0);
    blocks.a[0].rows = blocks.a[0].columns = order;
    if (hasB)
      blocks.b[0] = tileOf(call, 1, tile);
    return blocks;
  }
  blocks.a[0] = blockOf(call, 0, /*isRow=*/true, tile.row, tile.rows);
  if (!isRankUpdate(call)) {
    blocks.b[1] = blockOf(call, 1, /*isRow=*/false, tile.column, tile.columns);
    return blocks;
  }
  blocks.a[1] = blockOf(call, 0, /*isRow=*/true, tile.column, tile.columns);
  if (hasB) {
    blocks.b[0] = blockOf(call, 1, /*isRow=*/true, tile.row, tile.rows);
    blocks.b[1] = blockOf(call, 1, /*isRow=*/true, tile.column, tile.columns);
  }
  return blocks;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// alpha or beta as a number of C's type; `sign` of -1: conjugated.
static Number widened(const Call &call, const Number &number, Element element, int sign = 1) {
  return Number::of(call.element(), number.real(element), sign * number.imaginary(element));
}

/// The product of a rectangle beside the diagonal: op(left) op(right)^T, or ^H.
static Call productOf(const Call &call, const Block &left, const Block &right, const Block &c) {
  Call product = callOf(Routine::Gemm, call.element());
  const Operation &update = call.operation;
  product.width = call.width, product.site = call.site;
  product.operation.m = c.rows, product.operation.n = c.columns, product.operation.k = update.k;
  product.operation.opA = update.opA;
  product.operation.opB = update.opA == Op::N ? Op(update.info().ops[1]) : Op::N;
  product.setOperand(0, left.address, left.leading);
  product.setOperand(1, right.address, right.leading);
  product.setOperand(2, c.address, c.leading);
  return product;
}

static std::vector<Call> productsOf(const Call &call, const Blocks &blocks) {
  Number alpha = widened(call, call.alpha, call.alphaElement());
  Number beta = widened(call, call.beta, call.betaElement());
  bool hasB = call.operation.has(1);
  Call first = productOf(call, blocks.a[0], hasB ? blocks.b[1] : blocks.a[1], blocks.c);
  first.setScalars(alpha, beta);
  if (!hasB)
    return {first};
  bool isHermitian = call.operation.info().c == Structure::Hermitian;
  Call second = productOf(call, blocks.b[0], blocks.a[1], blocks.c);
  second.setScalars(widened(call, call.alpha, call.alphaElement(), isHermitian ? -1 : 1),
                    Number::of(call.element(), 1));
  return {first, second};
}

std::vector<Call> rooftile::interpose::callsOf(const Call &call, const Tile &tile,
                                               const Blocks &blocks) {
  if (isRankUpdate(call) && tile.row != tile.column)
    return productsOf(call, blocks);
  Call part = call;
  part.operation.m = tile.rows, part.operation.n = tile.columns;
  part.setOperand(0, blocks.a[0].address, blocks.a[0].leading);
  if (call.operation.has(1)) {
    const Block &b = blocks.b[blocks.b[0].leading == 0 ? 1 : 0];
    part.setOperand(1, b.address, b.leading);
  }
  part.setOperand(2, blocks.c.address, blocks.c.leading);
  return {part};
}
