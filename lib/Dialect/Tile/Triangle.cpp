//===- Triangle.cpp - The tiles of a triangle -----------------------------===//

#include "rooftile/Dialect/Tile/Triangle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value rooftile::tile::tilesOfTriangle(OpBuilder &builder, Location loc, Value along) {
  Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(along.getType(), 1));
  Value width = builder.createOrFold<arith::OrIOp>(loc, along, one);
  Value next = builder.createOrFold<arith::AddIOp>(loc, along, one);
  Value pairs = builder.createOrFold<arith::ShRUIOp>(loc, next, one);
  return builder.createOrFold<arith::MulIOp>(loc, pairs, width);
}
